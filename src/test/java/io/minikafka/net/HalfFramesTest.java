package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
        "127.0.0.1",
        0,
        2,
        8 << 20,
        1_000,
        60_000,
        10_000,
        10_000,
        8 << 20,
        TOTAL_BYTES,
        16 << 10,
        0);
  }

  @BeforeEach
  void createTopic() throws Exception {
    create("t", 1);
  }

  private static byte[] produce(int bytes) {
    return Requests.produce0(1, "t", 0, Wire.record(0, 1234, "k", new byte[bytes]));
  }

  /** Sends most of a frame. */
  private void begin() throws IOException {
    send(connect(), Arrays.copyOf(LARGE, 6 << 20));
  }

  /** From a thread of its own, since not all may be read. */
  private static void send(WireClient client, byte[] bytes) {
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                client.send(bytes);
              } catch (IOException e) {
                // Closed before it was read.
              }
            });
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
    begin();
    await("it is beyond the bound", () -> memory.usedBytes() >= 7 << 20);
    memory.release(-TOTAL_BYTES); // Nothing is left.
    begin();
    WireClient waiting = connect();
    send(waiting, produce(900_000));
    await("both wait", () -> memory.waiting() == 2);

    long afterMs = advanceUntil("it is closed", () -> !observed.refused.isEmpty());

    assertEquals(0, waiting.read().error());
    assertTrue(afterMs <= settings().frameTimeoutMs() / 2, afterMs + " ms");
    assertEquals(List.of("paused in a frame"), observed.refused);
    memory.release(TOTAL_BYTES);
  }

  @Test
  void framesThatStandStillKeepNoSmallOneWaiting() throws Exception {
    for (int i = 0; i < 8; i++) {
      begin();
    }
    await("all but one wait", () -> memory.waiting() == 7);

    assertEquals(0, connect().ask(produce(15_000)).error());

    assertEquals(List.of(), observed.refused);
  }

  @Test
  void framesThatStandStillKeepNobodyWaitingWhoIsKnownToSendWholeOnes() throws Exception {
    WireClient known = connect();
    assertEquals(0, known.ask(produce(900_000)).error());
    for (int i = 0; i < 8; i++) {
      begin();
    }
    await("all but one wait", () -> memory.waiting() == 7);

    for (int i = 0; i < 3; i++) {
      assertEquals(0, known.ask(produce(900_000)).error());
    }

    assertEquals(List.of(), observed.refused);
  }

  @Test
  void smallFramesThatStandStillKeepNoWholeOneWaiting() throws Exception {
    int most = TOTAL_BYTES / (17 << 10);
    byte[] half = Arrays.copyOf(produce(15_000), 1000);
    for (int i = 0; i < most + 50; i++) {
      connect().send(half);
    }
    await("some wait", memory::isContended);

    assertEquals(0, connect().ask(produce(500)).error());

    assertEquals(List.of(), observed.refused);
  }

  @Test
  void framesThatComeSlowlyLeaveHalfToOthersAlthoughTheirClientsAreKnown() throws Exception {
    List<WireClient> slow = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      WireClient client = connect();
      assertEquals(0, client.ask(produce(900_000)).error());
      slow.add(client);
    }
    for (WireClient client : slow) {
      client.send(Arrays.copyOf(LARGE, 400_000));
    }
    await("they hold it all", () -> memory.isContended());

    byte[] more = new byte[20_000];
    long afterMs =
        advanceUntil(
            "slow ones are closed, and nobody waits",
            () -> {
              slow.removeIf(client -> !sends(client, more));
              // It may also be so for a moment before all of what they sent was read.
              return observed.refused.contains("slow sender") && !memory.isContended();
            });

    assertTrue(afterMs <= settings().frameTimeoutMs(), afterMs + " ms");
    WireClient known = connect();
    CompletableFuture<List<Integer>> errors =
        CompletableFuture.supplyAsync(
            () -> List.of(errorOf(known, 15_000), errorOf(known, 200_000)));
    // Those that are left may stand still together meanwhile: time must go on.
    advanceUntil("it is answered", errors::isDone);
    assertEquals(List.of(0, 0), errors.get());
  }

  private static int errorOf(WireClient client, int bytes) {
    try {
      return client.ask(produce(bytes)).error();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean sends(WireClient client, byte[] bytes) {
    try {
      client.send(bytes);
      return true;
    } catch (IOException e) {
      return false; // It is closed.
    }
  }
}
