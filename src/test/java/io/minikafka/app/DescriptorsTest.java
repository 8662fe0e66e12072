package io.minikafka.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class DescriptorsTest {
  @Test
  void connectionsNeverTakeTheDescriptorsThatEverythingElseNeeds() {
    assertEquals(275, new Descriptors(1_100, 10_000, 25, 256, 512).connections());
    assertEquals(10_000, new Descriptors(1_048_576, 10_000, 25, 256, 512).connections());
    assertEquals(1, new Descriptors(2, 10_000, 25, 256, 512).connections());
    assertEquals(10_000, new Descriptors(20_000, 10_000, 90, 256, 512).connections());
  }

  @Test
  void connectionsOfTheHttpPortDoNotEither() {
    assertEquals(75, new Descriptors(1_200, 10_000, 25, 256, 512).httpConnections());
    assertEquals(256, new Descriptors(1_048_576, 10_000, 25, 256, 512).httpConnections());
    assertEquals(4, new Descriptors(2, 10_000, 25, 256, 512).httpConnections());
    assertEquals(256 + 300 + 75, new Descriptors(1_200, 10_000, 25, 256, 512).notForLogs());
  }

  @Test
  void limitThatLeavesNoneForAPartitionIsRefusedWithWhatIsNeeded() {
    assertEquals(
        Optional.of(
            "the process may have 100 files open (ulimit -n), a broker needs 1117: 256 for the"
                + " program, 25 % of all for connections"
                + " (minikafka.net.connection-descriptors-percent), a sixteenth for those of the"
                + " HTTP port, 512 for sealed segments (minikafka.storage.open-sealed-segments), and"
                + " one for each partition; raise the limit, say to 65536 (ulimit -n, or LimitNOFILE="
                + " of a service)"),
        new Descriptors(100, 10_000, 25, 256, 512).error());
  }

  @Test
  void whatIsSaidToBeNeededIsEnoughAndOneLessIsNot() {
    for (int sealed : new int[] {8, 9, 10, 11, 512, 100_000}) {
      for (int connections : new int[] {1, 10, 10_000}) {
        for (int percent : new int[] {1, 25, 90}) {
          int http = 4 + connections / 40;
          String error =
              new Descriptors(1, connections, percent, http, sealed).error().orElseThrow();
          long needed = Long.parseLong(error.replaceAll(".*needs (\\d+):.*", "$1"));
          assertEquals(
              Optional.empty(),
              new Descriptors(needed, connections, percent, http, sealed).error());
          assertTrue(
              new Descriptors(needed - 1, connections, percent, http, sealed).error().isPresent());
        }
      }
    }
  }
}
