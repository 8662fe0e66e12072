package io.minikafka.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

class WholeNumberTest {
  @Test
  void digitsMayHaveAMinusInFront() {
    assertEquals(12, WholeNumber.read("12", 0, Long.MAX_VALUE));
    assertEquals(-1, WholeNumber.read("-1", -1, Long.MAX_VALUE));
    assertEquals(Long.MIN_VALUE, WholeNumber.read("-9223372036854775808", Long.MIN_VALUE, 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-", "+5", "５", "٥", "5 ", "0x5", "9223372036854775808"})
  void nothingElseIsANumber(String text) {
    assertThrows(
        TypeConversionException.class,
        () -> WholeNumber.read(text, Long.MIN_VALUE, Long.MAX_VALUE));
  }
}
