package io.minikafka.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class RecordFormatTest {
  @Test
  void aLetterThatMeansNothingIsNamedWithItsPlace() {
    IllegalArgumentException e =
        assertThrows(IllegalArgumentException.class, () -> RecordFormat.of("%o %x"));
    assertEquals(
        "'%x' at index 4 of the format means nothing",
        String.valueOf(e.getMessage()).split(";", 2)[0]);
  }

  @Test
  void aLoneSignAtTheEndIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> RecordFormat.of("%v%"));
    assertThrows(IllegalArgumentException.class, () -> RecordFormat.of("%v\\"));
  }

  @Test
  void anEscapeThatMeansNothingIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> RecordFormat.of("\\q"));
  }
}
