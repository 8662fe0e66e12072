package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.partition.ReadResult;
import io.minikafka.record.RecordReader;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.DiskFullException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compaction on a disk that fails, over damage, beside readers, retention and a close. */
class CompactionFaultTest {
  @TempDir Path data;
  KeyedLog log;
  final List<String> failures = new ArrayList<>();
  final List<String> compacted = new ArrayList<>();

  private final EngineObserver observer =
      new EngineObserver() {
        @Override
        public void onCompacted(PartitionId id, long before, long after, long removed, long nanos) {
          compacted.add("%d to %d, -%d".formatted(before, after, removed));
        }

        @Override
        public void onCompactionFailed(PartitionId id, boolean full, String reason) {
          failures.add((full ? "full: " : "failed: ") + reason);
        }
      };

  @BeforeEach
  void open() throws IOException {
    log = new KeyedLog(data);
    log.bench.observer = observer;
    log.restart();
  }

  private void failOn(String action, String nameEnd) {
    log.bench.disk.fault =
        (done, path) -> {
          if (done.equals(action) && path.toString().endsWith(nameEnd)) {
            throw new IOException(action + " " + path.getFileName() + ": Input/output error");
          }
        };
  }

  private void heal() {
    log.bench.disk.fault = (action, path) -> {};
  }

  @ParameterizedTest
  @ValueSource(strings = {"create .cleaned", "write .cleaned", "rename .swap"})
  void aFailureBeforeTheSwapLeavesTheLogAsItWas(String what) throws IOException {
    log.fill(4, 2);
    String[] words = what.split(" ");
    failOn(words[0], words[1]);

    log.compact();

    assertEquals(log.written, log.read());
    assertEquals("", log.store.snapshot().offline());
    assertFalse(failures.isEmpty());
    assertFalse(log.names().stream().anyMatch(SegmentSwap::isLeftover), () -> "" + failures);
    heal();
    log.bench.advanceMs(30_000);
    assertEquals(log.newestBelow(log.activeBase()), log.read());
  }

  @Test
  void aFailedForceOfACompactedSegmentIsFinalAsAnyOther() throws IOException {
    log.fill(4, 2);
    failOn("force", ".cleaned");

    log.compact();

    assertEquals(1, log.bench.fatal.size());
    assertEquals(log.written, log.read());
    heal();
    log.restart();
    log.bench.advanceMs(30_000);
    assertEquals(log.newestBelow(log.activeBase()), log.read());
  }

  /** From the second name on the new segment is the log; only a start can end what is left. */
  @ParameterizedTest
  @ValueSource(strings = {"delete .index", "rename 00000000000000000000.log"})
  void aSwapThatCannotBeFinishedIsFinishedByARestart(String what) throws IOException {
    log.fill(4, 2).append("x=1").seal();
    TreeMap<Long, String> after = log.newestBelow(log.activeBase());
    log.fill(4, 2);
    String[] words = what.split(" ");
    failOn(words[0], words[1]);

    log.compact();

    assertNotEquals("", log.store.snapshot().offline());
    TreeMap<Long, String> served = log.read();
    assertTrue(served.entrySet().containsAll(log.newestBelow(log.activeBase()).entrySet()));
    assertTrue(after.size() > 0);
    heal();
    log.restart();
    assertEquals("", log.store.snapshot().offline());
    log.bench.advanceMs(30_000);
    assertEquals(log.newestBelow(log.activeBase()), log.read());
  }

  @Test
  void withoutRoomCompactionGivesUpAndTriesAgainLater() throws IOException {
    log.fill(4, 2);
    log.bench.disk.fault =
        (action, path) -> {
          if (path.toString().endsWith(".cleaned") && action.equals("write")) {
            throw new DiskFullException("no room");
          }
        };

    log.compact();

    assertEquals("full: no room", failures.getFirst());
    assertEquals(log.written, log.read());
    assertFalse(log.names().stream().anyMatch(SegmentSwap::isLeftover));
    heal();
    log.bench.advanceMs(30_000);
    assertEquals(log.newestBelow(log.activeBase()), log.read());
    assertTrue(compacted.getLast().contains(" to "));
  }

  @Test
  void aDamagedSegmentIsLeftAsItIsAndItsNeighboursAreCompacted() throws IOException {
    log.fill(3, 2);
    long damaged = log.activeBase();
    log.fill(7, 2);
    flip(damaged, 200);
    byte[] before = Files.readAllBytes(log.bench.logFile(damaged));

    log.compact();

    assertEquals(List.of(), failures);
    assertTrue(java.util.Arrays.equals(before, Files.readAllBytes(log.bench.logFile(damaged))));
    assertInstanceOf(
        ReadResult.Damaged.class,
        log.store.read(damaged + 1, 1000, true, log.store.snapshot().end()));
    assertTrue(log.bench.bytesOnDisk() < 8 * KeyedLog.SEGMENT);
  }

  /** What it hides may be in the segment that nobody could clean. */
  @Test
  void aTombstoneBehindADamagedSegmentStays() throws IOException {
    log.append("a=1", "b=1").append("c=1");
    log.seal();
    flip(0, (int) log.bench.disk.size(log.bench.logFile(0)) - 5);
    log.append("a").compact();
    long tombstone =
        log.written.descendingMap().entrySet().stream()
            .filter(entry -> entry.getValue().equals("a"))
            .findFirst()
            .orElseThrow()
            .getKey();

    log.bench.advanceMs(KeyedLog.DELETE_RETENTION_MS + 30_000);
    log.compact();

    assertEquals(
        "a", KeyedLog.read(log.store, tombstone, 500).get(tombstone), "it hides a=1 at offset 0");
    assertEquals("a=1", firstRecord(0));
  }

  private String firstRecord(long offset) throws IOException {
    ReadResult.Entries entries =
        (ReadResult.Entries) log.store.read(offset, 10, true, log.store.snapshot().end());
    return KeyedLog.text(
        java.util.Objects.requireNonNull(
            new RecordReader(LogBench.bytes(entries), offset, true).next()));
  }

  private void flip(long base, int position) throws IOException {
    try (DiskFile file = log.bench.disk.open(log.bench.logFile(base), Disk.Mode.WRITE)) {
      ByteBuffer one = ByteBuffer.allocate(1);
      file.read(one, position);
      one.put(0, (byte) (one.get(0) ^ 1)).flip();
      file.write(one, position);
    }
  }

  @Test
  void readErrorsLeaveTheLogAsItWas() throws IOException {
    log.bench.worker.hold();
    log.fill(4, 2).seal().restart();
    log.bench.worker.release();
    failOn("open", "00000000000000000000.log");

    log.bench.advanceMs(30_000);

    assertFalse(failures.isEmpty());
    heal();
    assertEquals(log.written, log.read());
    log.bench.advanceMs(30_000);
    assertEquals(log.newestBelow(log.activeBase()), log.read());
  }

  @Test
  void aSliceStillBeingSentSurvivesTheSwap() throws IOException {
    log.bench.worker.hold();
    log.append("key0=" + "v".repeat(9000));
    log.fill(4, 2);
    ReadResult.Entries slow = (ReadResult.Entries) log.store.read(0, 600, true, 8);
    log.seal();

    log.bench.worker.release();

    ByteBuffer late = ByteBuffer.allocate(slow.blob().length()).order(ByteOrder.LITTLE_ENDIAN);
    slow.blob().copyTo(late);
    RecordReader reader = new RecordReader(late.flip(), 0);
    for (long next = 0; next < slow.nextOffset(); next++) {
      assertEquals(
          log.written.get(next), KeyedLog.text(java.util.Objects.requireNonNull(reader.next())));
    }
    int open = log.bench.disk.openFiles.get();
    slow.blob().release();
    assertEquals(open - 1, log.bench.disk.openFiles.get());
    assertEquals(log.newestBelow(log.activeBase()), log.read());
  }

  /** Between any two steps. */
  @Test
  void whatRetentionRemovesMeanwhileIsGoneAndNoFailure() throws IOException {
    for (int steps = 0; steps < 12; steps++) {
      log.bench.worker.hold();
      log.fill(8, 2).seal();
      for (int i = 0; i < steps; i++) {
        log.bench.worker.runNext();
      }
      long start = log.bench.bases().get(2) + 1;

      log.store.trimTo(start);

      log.bench.worker.release();
      log.bench.advanceMs(30_000);
      assertEquals(List.of(), failures);
      assertEquals(start, log.store.snapshot().start());
      assertEquals(log.newestBelow(log.activeBase()).tailMap(start), log.read());
    }
  }

  /** Between any two steps. */
  @Test
  void aCloseEndsItAndNothingIsTouchedAfterwards() throws IOException {
    for (int steps = 0; steps < 16; steps++) {
      log.bench.worker.hold();
      log.fill(6, 2).seal();
      for (int i = 0; i < steps; i++) {
        log.bench.worker.runNext();
      }

      log.store.close();

      log.bench.disk.events.clear();
      log.bench.worker.release();
      assertEquals(List.of(), ofSwaps(log.bench.disk.events));
      log.bench.directory.close();
      log.bench.directory = log.bench.openDirectory();
      log.store = log.bench.open(KeyedLog.compacting(KeyedLog.SEGMENT));
      TreeMap<Long, String> read = log.read();
      assertTrue(read.entrySet().containsAll(log.newestBelow(log.activeBase()).entrySet()));
      assertTrue(log.written.entrySet().containsAll(read.entrySet()));
    }
  }

  private static List<String> ofSwaps(List<String> events) {
    return events.stream()
        .filter(e -> e.endsWith(".log") || e.endsWith(".swap") || e.endsWith(".cleaned"))
        .toList();
  }

  @Test
  void aTopicIsDeletedBetweenAnyTwoSteps() throws IOException {
    for (int steps = 0; steps < 16; steps++) {
      log.bench.worker.hold();
      log.fill(6, 2).seal();
      for (int i = 0; i < steps; i++) {
        log.bench.worker.runNext();
      }
      log.store.close();

      log.bench.directory.deleteTopic(LogBench.ID.topicId());

      log.bench.worker.release();
      assertFalse(log.bench.disk.exists(log.bench.partition()));
      log.written.clear();
      log.store = log.bench.open(KeyedLog.compacting(KeyedLog.SEGMENT));
    }
  }
}
