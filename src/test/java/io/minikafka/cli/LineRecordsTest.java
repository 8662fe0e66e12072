package io.minikafka.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.minikafka.record.Header;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class LineRecordsTest {
  private static final int MOST = 16_777_204;

  private static LineRecords records(@Nullable String separator, List<Header> headers) {
    return new LineRecords("t", null, null, separator, null, headers);
  }

  /** Of that many bytes, with a separator in the middle. */
  private static byte[] line(int bytes) {
    byte[] line = new byte[bytes];
    Arrays.fill(line, (byte) 'x');
    line[bytes / 2] = ':';
    line[bytes / 2 + 1] = ':';
    return line;
  }

  @Test
  void longestLineThatMayBeReadMakesTheLargestRecord() throws IOException {
    LineRecords plain = records(null, List.of());
    assertEquals(MOST, plain.maxLineBytes());
    assertEquals(MOST, plain.of(line(MOST), 1).value().orElseThrow().length);

    LineRecords keyed = records("::", List.of());
    assertEquals(MOST + 2, keyed.maxLineBytes());
    assertEquals(MOST / 2 - 1, keyed.of(line(MOST + 2), 1).value().orElseThrow().length);
  }

  @Test
  void recordThatIsTooLargeByItsKeyOrHeadersIsNamedByItsLine() {
    String key = "k";
    LineRecords keyed = new LineRecords("t", null, key, null, null, List.of());
    LineRecords headed =
        records(null, List.of(Header.of("a", "b".getBytes(StandardCharsets.UTF_8))));

    assertEquals(
        "line 7 makes a record of 16777217 bytes, with its key, its headers and what the format"
            + " adds; the most is 16777216 (16 MiB)",
        assertThrows(IOException.class, () -> keyed.of(line(MOST), 7)).getMessage());
    assertEquals(
        "line 8 makes a record of 16777238 bytes, with its key, its headers and what the format"
            + " adds; the most is 16777216 (16 MiB)",
        assertThrows(IOException.class, () -> headed.of(line(MOST), 8)).getMessage());
  }
}
