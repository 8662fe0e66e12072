package io.minikafka.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class SizesTest {
  @Test
  void bytesAreToldInTheUnitPeopleWouldUse() {
    assertEquals("0 B", Sizes.inWords(0));
    assertEquals("1023 B", Sizes.inWords(1023));
    assertEquals("1.0 KiB", Sizes.inWords(1024));
    assertEquals("64.0 MiB", Sizes.inWords(64 << 20));
    assertEquals("8.0 EiB", Sizes.inWords(Long.MAX_VALUE));
  }

  @Test
  void whatWouldBeRoundedToTheNextUnitIsOfThat() {
    assertEquals("1023.9 KiB", Sizes.inWords(1_048_479));
    assertEquals("1.0 MiB", Sizes.inWords(1_048_575));
  }
}
