package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.PartitionId;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.StampedBatch;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class RollTest {
  @TempDir Path data;
  LogBench bench;

  @BeforeEach
  void open() throws IOException {
    bench = new LogBench(data);
  }

  @Test
  void aSegmentIsRolledBeforeItGrowsBeyondItsSize() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(4096));

    for (int i = 0; i < 50; i++) {
      bench.append(store, 3, 100);
    }

    for (long base : bench.bases()) {
      assertTrue(Files.size(bench.logFile(base)) <= 4096);
    }
    assertEquals(150, LogBench.readAll(store, 0, 1000).size());
  }

  @Test
  void aBatchIsNeverSplitAndALargeOneFillsASegmentOfItsOwn() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(1024));

    bench.append(store, "small");
    bench.append(store, 10, 1000);
    bench.append(store, "small");

    assertEquals(List.of(0L, 1L, 11L), bench.bases());
  }

  @Test
  void oneBurstMayFillSeveralSegments() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(1024));
    bench.append(store, "first");
    List<StampedBatch> burst = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      burst.add(bench.batch(store, 1 + i * 4L, 4, 100));
    }

    store.append(burst);

    assertEquals(33, store.snapshot().end());
    assertTrue(bench.bases().size() >= 5);
    assertEquals(33, LogBench.readAll(store, 0, 700).size());
  }

  @Test
  void aBurstOfSmallBatchesIsOneWrite() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "first");
    List<StampedBatch> burst = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      burst.add(bench.batch(store, 1 + i, 1, 100));
    }
    int before = bench.disk.writes.get();

    store.append(burst);

    assertEquals(before + 1, bench.disk.writes.get());
    assertEquals(9, LogBench.readAll(store, 0, 700).size());
  }

  @Test
  void anAgedSegmentIsRolledByTheNextAppend() throws IOException {
    PartitionStore store = bench.open(LogBench.segmentMs(5000, -1));
    bench.append(store, "a");
    bench.millis += 4999;
    bench.append(store, "b");
    bench.millis += 1;

    bench.append(store, "c");

    assertEquals(List.of(0L, 2L), bench.bases());
  }

  @Test
  void anIdleAgedSegmentIsRolledByTheHousekeeper() throws IOException {
    PartitionStore store = bench.open(LogBench.segmentMs(5000, -1));
    bench.append(store, "a");

    bench.advanceMs(30_000);

    assertEquals(List.of(0L, 1L), bench.bases());
    assertEquals(0, Files.size(bench.logFile(1)));
    bench.advanceMs(120_000);
    assertEquals(List.of(0L, 1L), bench.bases(), "an empty segment is not rolled");
    bench.append(store, "b");
    assertEquals(List.of("a", "b"), LogBench.readAll(store, 0, 100));
  }

  @Test
  void anIdleRollSurvivesACleanRestart() throws IOException {
    PartitionStore store = bench.open(LogBench.segmentMs(5000, -1));
    bench.append(store, "a");
    bench.advanceMs(30_000);
    bench.restart(store);

    PartitionStore again = bench.open(LogBench.segmentMs(5000, -1));

    assertEquals(1, again.snapshot().end());
    assertEquals("", again.snapshot().offline());
    bench.append(again, "b");
    assertEquals(List.of("a", "b"), LogBench.readAll(again, 0, 100));
  }

  @Test
  void offsetsOfASegmentFitIn31Bits() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");

    store.append(List.of(gap(store, 1, Integer.MAX_VALUE - 1)));
    bench.append(store, "b");

    assertEquals(List.of(0L, (long) Integer.MAX_VALUE), bench.bases());
  }

  /** A batch of one entry that takes so many offsets. */
  private static StampedBatch gap(PartitionStore store, long base, int span) {
    ByteBuffer out = ByteBuffer.allocate(128).order(ByteOrder.LITTLE_ENDIAN);
    int at = BatchMarker.BYTES;
    out.putLong(at, base).putInt(at + Entry.LENGTH, 16);
    out.putInt(at + Entry.KWORD, Entry.kwordOf(Entry.KIND_GAP, 0)).putInt(at + Entry.BODY, span);
    Entry.stampChecksum(out, at);
    BatchMarker.produced(0, 32, span, 0).write(out, 0);
    PartitionId id = LogBench.ID;
    BatchMarker.stamp(out, 0, base, store.snapshot().epoch(), 1_000_000, 0, id.hashCode());
    return new StampedBatch(out, 0, 128, base, span, 0, 1_000_000);
  }

  @Test
  void theNextSegmentIsMadeAhead() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(4096));
    bench.append(store, 10, 100);
    assertFalse(Files.exists(LogFiles.spare(bench.partition())));
    bench.append(store, 10, 100);

    assertTrue(Files.exists(LogFiles.spare(bench.partition())));
    assertFalse(store.appendMayBlock(3000), "the roll is only a rename");
    bench.append(store, 20, 100);
    assertEquals(List.of(0L, 20L), bench.bases());
    assertTrue(bench.disk.events.contains("rename 00000000000000000020.log"));
  }

  @Test
  void withoutASpareARollMayBlock() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(4096));
    assertTrue(store.appendMayBlock(100), "directory and file are still to be made");
    bench.worker.hold();
    bench.append(store, 20, 100);

    assertFalse(store.appendMayBlock(100));
    assertTrue(store.appendMayBlock(3000));
    bench.append(store, 20, 100);
    bench.worker.release();
    assertEquals(40, LogBench.readAll(store, 0, 1000).size());
  }

  @Test
  @Timeout(30)
  void aPipeWithTheNameOfTheSpareSegmentIsLeftAndRollsGoOn()
      throws IOException, InterruptedException {
    PartitionStore store = bench.open(LogBench.segments(1024));
    bench.append(store, 2, 100);
    Path spare = LogFiles.spare(bench.partition());
    Files.deleteIfExists(spare);
    assertEquals(0, new ProcessBuilder("mkfifo", spare.toString()).start().waitFor());
    for (int i = 0; i < 8; i++) {
      bench.append(store, 2, 100);
    }
    assertTrue(bench.bases().size() > 2, bench.bases().toString());
    assertTrue(Files.exists(spare) && !Files.isRegularFile(spare));
    assertEquals(18, LogBench.readAll(store, 0, 1000).size());
  }
}
