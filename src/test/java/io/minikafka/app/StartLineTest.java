package io.minikafka.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.app.Tally.Recovery;
import io.minikafka.coordinator.Status;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

class StartLineTest {
  @Test
  void anOrdinaryStartSaysWhereAndWhatAndThatNothingIsWrong() {
    assertEquals(
        "minikafka 1.2 serves: data port 9092, HTTP port 8080, data directory /d, flush policy"
            + " commit; recovered 1 topic with 3 partitions in 0.042 s, 0 bytes checked, no damage;"
            + " 2 groups from 17 records in 0.003 s",
        line(
            new Recovery(1, 3, 0, 0, 0, 0, 0.0421),
            new Status.Serving(new Status.Loaded(2, 17, 1000, 3_000_000, List.of()))));
  }

  @Test
  void whatIsWrongIsCounted() {
    assertEquals(
        "minikafka 1.2 serves: data port 9092, HTTP port 8080, data directory /d, flush policy"
            + " commit; recovered 2 topics with 1 partition in 61.500 s, 123456 bytes checked, 1 byte"
            + " of torn tail cut, 2 damaged ranges, 1 partition offline; groups are not served: no room",
        line(new Recovery(2, 1, 123456, 1, 2, 1, 61.5), new Status.Unavailable("no room")));
  }

  private static String line(Recovery recovery, Status groups) {
    return new StartLine("1.2", 9092, 8080, Path.of("/d"), "commit", recovery, groups).toString();
  }
}
