package io.minikafka.record;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.golden.Tables;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The field tables of docs/FORMAT.md say what the constants of the code say. */
class FormatDocumentTest {
  private final String document;

  FormatDocumentTest() throws IOException {
    document = Files.readString(Path.of("docs/FORMAT.md"));
  }

  @Test
  void theFieldsOfAnEntry() {
    assertEquals(
        List.of(
            Entry.OFFSET + " offset",
            Entry.LENGTH + " length",
            Entry.CRC + " crc32c",
            Entry.TIMESTAMP + " timestamp",
            Entry.KWORD + " kword",
            Entry.BODY + " body"),
        fields("## Entries"));
  }

  @Test
  void theFieldsOfAnAttributedRecord() {
    assertEquals(
        List.of(
            Attributed.KEY_LENGTH + " keyLength",
            Attributed.HEADERS_LENGTH + " headersLength",
            Attributed.KEY + " body"),
        fields("## Attributed records"));
  }

  @Test
  void theFieldsOfAMarker() {
    assertEquals(
        List.of(
            Entry.OFFSET + " offset",
            Entry.LENGTH + " length",
            Entry.CRC + " crc32c",
            BatchMarker.MAX_TIMESTAMP + " maxTimestamp",
            Entry.KWORD + " kword",
            BatchMarker.MAGIC_AT + " magic",
            BatchMarker.VERSION_AT + " version",
            BatchMarker.PRODUCER_EPOCH + " producerEpoch",
            BatchMarker.BASE_SEQUENCE + " baseSequence",
            BatchMarker.PRODUCER_ID + " producerId",
            BatchMarker.ENTRIES_BYTES + " bytes",
            BatchMarker.SPAN + " span",
            BatchMarker.ENTRIES_HASH + " entriesHash",
            BatchMarker.LOG_EPOCH + " logEpoch",
            BatchMarker.BASE_OFFSET + " baseOffset",
            BatchMarker.APPEND_TIME + " appendTime",
            BatchMarker.DURABLE_OFFSET + " durableOffset",
            BatchMarker.PARTITION_HASH + " partitionHash"),
        fields("## Batch marker"));
  }

  /** Each field ends where the next begins. */
  @Test
  void theFieldsOfAMarkerLeaveNoHole() {
    int next = 0;
    for (List<String> row : Tables.behind(document, "## Batch marker")) {
      assertEquals(next, Integer.parseInt(row.get(0)), row::toString);
      next += Integer.parseInt(row.get(1).substring(1)) / 8;
    }
    assertEquals(BatchMarker.BYTES, next);
  }

  @Test
  void theLeastPayloadOfEachKind() {
    int at = document.indexOf("| kind |");
    List<List<String>> rows =
        Tables.behind(document.substring(at - 1), "").stream()
            .filter(row -> !row.get(0).equals("127"))
            .toList();
    List<Integer> kinds = List.of(Entry.PLAIN, 0, 1, 2, 3, 4, 5);
    assertEquals(
        kinds.stream()
            .map(kind -> (kind < 0 ? "–" : kind) + " " + Entry.leastPayloadBytes(kind))
            .collect(Collectors.joining("\n")),
        rows.stream()
            .map(row -> (row.get(0) + " " + row.get(3)).replaceAll(" to 126|, exactly", ""))
            .collect(Collectors.joining("\n")));
  }

  private List<String> fields(String heading) {
    return Tables.behind(document, heading).stream()
        .map(row -> row.get(0) + " " + row.get(2))
        .toList();
  }
}
