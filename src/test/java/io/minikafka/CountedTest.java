package io.minikafka;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class CountedTest {
  @Test
  void oneIsNotSeveral() {
    assertEquals("0 records", Counted.of(0, "record"));
    assertEquals("1 record", Counted.of(1, "record"));
    assertEquals("1000 records", Counted.of(1000, "record"));
    assertEquals("1 record", Counted.grouped(1, "record"));
    assertEquals("1,000 records", Counted.grouped(1000, "record"));
  }
}
