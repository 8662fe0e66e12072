package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that ask for much and take none of it, beside others who do their work. */
class SlowReadersTest extends DataPortHarness {
  private static final int TOTAL_BYTES = 4 << 20;
  private static final int READERS = 120;
  private static final byte[] RECORD = Wire.record(0, 1234, "k", new byte[100_000]);

  @Override
  protected NetSettings settings() {
    return new NetSettings(
        "127.0.0.1",
        0,
        2,
        2 << 20,
        200,
        600_000,
        10_000,
        30_000,
        1 << 20,
        TOTAL_BYTES,
        16 << 10,
        64 << 10);
  }

  @BeforeEach
  void fill() throws Exception {
    create("t", 1);
    create("others", 1);
    WireClient client = connect();
    for (int i = 0; i < 20; i++) {
      assertEquals(0, client.ask(Requests.produce0(i, "t", 0, RECORD)).error());
    }
  }

  private List<WireClient> slow(int readers, int fetches) throws Exception {
    List<WireClient> slow = new ArrayList<>();
    byte[][] asked = new byte[fetches][];
    for (int i = 0; i < fetches; i++) {
      asked[i] = Requests.fetch0(i, 0, "t", 0, 0, 1 << 20);
    }
    for (int i = 0; i < readers; i++) {
      slow.add(connect(4096).send(asked));
    }
    return slow;
  }

  @Test
  void slowReadersKeepNobodyWaitingWhoProduces() throws Exception {
    List<WireClient> slow = slow(20, 50);
    await("answers that nobody takes", memory::hasManyAnswers);

    byte[] large = Wire.record(0, 1234, "k", new byte[1_000_000]);
    assertEquals(0, connect().ask(Requests.produce0(1, "others", 0, large)).error());

    assertTrue(memory.usedBytes() <= TOTAL_BYTES, memory.usedBytes() + " bytes");
    for (WireClient client : slow) {
      for (int i = 0; i < 50; i++) {
        assertEquals(i, client.read().correlationId());
      }
    }
    assertEquals(List.of(), observed.refused);
  }

  @Test
  void slowReadersWhoHoldWhatOthersWaitForAreClosed() throws Exception {
    slow(READERS, 3);
    WireClient waiting = connect();
    await("somebody waits", () -> memory.usedBytes() > 3 * TOTAL_BYTES / 2 && memory.isContended());
    waiting.send(Requests.produce0(7, "others", 0, RECORD));

    long afterMs = advanceUntil("nobody waits", () -> !memory.isContended());

    assertEquals(7, waiting.read().correlationId());
    assertTrue(afterMs <= settings().sendTimeoutMs() / 5, afterMs + " ms");
    assertEquals(Set.of("slow reader"), Set.copyOf(observed.refused));
  }
}
