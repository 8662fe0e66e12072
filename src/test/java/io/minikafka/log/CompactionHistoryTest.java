package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.golden.HexText;
import io.minikafka.log.CompactionHistory.Run;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CompactionHistoryTest {
  private static final long HOUR_MS = 3_600_000;
  private static final long DAY_MS = 24 * HOUR_MS;

  @Test
  void itsBytesAreTheGoldenOnes() throws IOException {
    CompactionHistory history =
        new CompactionHistory(List.of(new Run(1000, 1_700_000_000_000L, 1_700_000_000_000L, 2)));
    byte[] golden = HexText.golden("compaction-history");

    assertEquals(ByteBuffer.wrap(golden), CompactionFile.encode(history));
    assertEquals(Optional.of(history), decoded(golden));
  }

  @Test
  void oneThatCannotBeBelievedSaysNothing() throws IOException {
    byte[] golden = HexText.golden("compaction-history");
    for (int i = 0; i < golden.length; i++) {
      byte[] flipped = golden.clone();
      flipped[i] ^= 4;
      assertEquals(Optional.empty(), decoded(flipped), "byte " + i);
    }
    for (int length = 0; length < golden.length; length++) {
      assertEquals(Optional.empty(), decoded(java.util.Arrays.copyOf(golden, length)));
    }
  }

  private static Optional<CompactionHistory> decoded(byte[] bytes) {
    return CompactionFile.decode(ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN));
  }

  @Test
  void aTombstoneGoesWhenItsTimeSinceItWasSeenFirstIsOver() {
    CompactionHistory history =
        CompactionHistory.NONE
            .after(10, 0, DAY_MS, new long[] {1})
            .after(20, 2 * HOUR_MS, DAY_MS, new long[] {1, 1});

    assertFalse(history.mayGo(9, DAY_MS - 1, DAY_MS));
    assertTrue(history.mayGo(9, DAY_MS, DAY_MS));
    assertFalse(history.mayGo(10, DAY_MS, DAY_MS));
    assertTrue(history.mayGo(10, DAY_MS + 2 * HOUR_MS, DAY_MS));
    assertFalse(history.mayGo(20, Long.MAX_VALUE, DAY_MS), "nobody saw it");
    assertTrue(history.hasDue(DAY_MS, DAY_MS));
    assertFalse(history.hasDue(DAY_MS - 1, DAY_MS));
  }

  /** However often a log is compacted, its tombstones grow old. */
  @Test
  void itStaysSmallAndNoTombstoneWaitsMuchLonger() {
    CompactionHistory history = CompactionHistory.NONE;
    long minuteMs = 60_000;
    for (int minute = 1; minute <= 5000; minute++) {
      long nowMs = minute * minuteMs;
      history = history.after(minute, nowMs, DAY_MS, new long[history.runs().size() + 1]);
      long seenLongAgo = minute - (DAY_MS + DAY_MS / 16) / minuteMs;
      assertTrue(seenLongAgo < 0 || history.mayGo(seenLongAgo, nowMs, DAY_MS), "at " + minute);
      long seenLater = Math.max(0, minute - DAY_MS / minuteMs + 1);
      assertFalse(history.mayGo(seenLater, nowMs, DAY_MS), "at " + minute);
    }
    assertTrue(history.runs().size() <= 40, () -> "runs");
    assertEquals(5000, history.cleanTo());
  }

  @Test
  void itHasABoundWhateverIsAsked() {
    CompactionHistory history = CompactionHistory.NONE;
    for (int i = 1; i < 500; i++) {
      long retentionMs = i % 2 == 0 ? Long.MAX_VALUE : 1;
      history = history.after(i, i * DAY_MS, retentionMs, new long[history.runs().size() + 1]);
      assertTrue(history.runs().size() <= CompactionHistory.MOST_RUNS);
    }
  }
}
