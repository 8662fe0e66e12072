package io.minikafka.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class TableTest {
  @Test
  void columnsAreAsWideAsTheirWidestCellAndNumbersStandToTheRight() {
    StringWriter text = new StringWriter();
    new Table("TOPIC", "RECORDS", "NOTE")
        .row("a", 1, "x")
        .row("longer-name", 12_345, "")
        .print(new PrintWriter(text, true));
    assertEquals(
        """
        TOPIC        RECORDS  NOTE
        a                  1  x
        longer-name    12345
        """,
        text.toString());
  }
}
