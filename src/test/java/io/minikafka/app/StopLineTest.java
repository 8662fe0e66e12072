package io.minikafka.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class StopLineTest {
  @Test
  void itSaysWhetherTheNextStartHasToLook() {
    assertEquals(
        "minikafka 1.0 stopped cleanly", new StopLine("1.0", Path.of("/d"), true).toString());
    assertEquals(
        "minikafka 1.0 stopped; the end of /d is not marked clean, the next start checks its logs",
        new StopLine("1.0", Path.of("/d"), false).toString());
  }
}
