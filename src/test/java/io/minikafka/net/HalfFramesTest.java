package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that begin frames and do not end them, where memory is short. */
class HalfFramesTest extends DataPortHarness {
  private static final int TOTAL_BYTES = 8 << 20;
  private static final byte[] LARGE =
      Wire.body().str("t").u32(0).u32(1).blob(new byte[7 << 20]).frame(3, 0, 7);

  @Override
  protected NetSettings settings() {
    return new NetSettings(
        "127.0.0.1", 0, 2, 8 << 20, 100, 60_000, 10_000, 10_000, 8 << 20, TOTAL_BYTES, 16 << 10, 0);
  }

  @BeforeEach
  void createTopic() throws Exception {
    create("t", 1);
  }

  private static byte[] produce(int bytes) {
    return Requests.produce0(1, "t", 0, Wire.record(0, 1234, "k", new byte[bytes]));
  }

  @Test
  void whatIsOnlyAnnouncedTakesNoRoomFromOthers() throws Exception {
    for (int i = 1; i <= 20; i++) {
      long begun = i;
      connect().send(Arrays.copyOf(LARGE, 1000));
      await("begun", () -> memory.usedBytes() >= begun * (16 << 10));
    }

    assertEquals(0, connect().ask(produce(900_000)).error());

    assertTrue(memory.usedBytes() < TOTAL_BYTES / 2, memory.usedBytes() + " bytes");
    assertEquals(List.of(), observed.refused);
  }

  @Test
  void whoPausesInAFrameWhileOthersWaitIsClosedLongBeforeItsTimeOut() throws Exception {
    for (int i = 1; i <= 2; i++) {
      long begun = i;
      connect().send(Arrays.copyOf(LARGE, 6 << 20));
      await("begun", () -> memory.usedBytes() >= begun * (6 << 20));
    }
    WireClient waiting = connect();
    waiting.send(produce(900_000));
    await("it waits", memory::isContended);

    long afterMs = advanceUntil("answered", () -> !memory.isContended());

    assertEquals(0, waiting.read().error());
    assertTrue(afterMs <= settings().frameTimeoutMs() / 2, afterMs + " ms");
    assertTrue(observed.refused.contains("paused in a frame"), observed.refused.toString());
  }
}
