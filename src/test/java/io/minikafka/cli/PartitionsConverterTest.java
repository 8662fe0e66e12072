package io.minikafka.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.TypeConversionException;

class PartitionsConverterTest {
  private final PartitionsConverter converter = new PartitionsConverter();

  @Test
  void aTopicAloneIsAllOfIt() {
    assertEquals("a.b", converter.convert("a.b").getTopic());
    assertEquals(List.of(), converter.convert("a.b").getPartitionsList());
  }

  @Test
  void numbersStandBehindAColon() {
    assertEquals("a", converter.convert("a:0,12,3").getTopic());
    assertEquals(List.of(0, 12, 3), converter.convert("a:0,12,3").getPartitionsList());
  }

  @Test
  void whatIsNeitherIsRefused() {
    for (String wrong : List.of("", ":1", "a:", "a:x", "a:1,", "a:-1", "a:1:2", "a:9999999999")) {
      assertThrows(TypeConversionException.class, () -> converter.convert(wrong), wrong);
    }
  }
}
