package io.minikafka.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.app.Tally.Recovery;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class StartLineTest {
  @Test
  void anOrdinaryStartSaysWhereAndWhatAndThatNothingIsWrong() {
    assertEquals(
        "minikafka 1.2 serves: data port 9092, HTTP port 8080, data directory /d, flush policy"
            + " commit; recovered 1 topic with 3 partitions in 0.042 s, 0 bytes checked, no damage",
        line(new Recovery(1, 3, 0, 0, 0, 0, 0.0421)));
  }

  @Test
  void whatIsWrongIsCounted() {
    assertEquals(
        "minikafka 1.2 serves: data port 9092, HTTP port 8080, data directory /d, flush policy"
            + " commit; recovered 2 topics with 1 partition in 61.500 s, 123456 bytes checked, 1 byte"
            + " of torn tail cut, 2 damaged ranges, 1 partition offline",
        line(new Recovery(2, 1, 123456, 1, 2, 1, 61.5)));
  }

  private static String line(Recovery recovery) {
    return new StartLine("1.2", 9092, 8080, Path.of("/d"), "commit", recovery).toString();
  }
}
