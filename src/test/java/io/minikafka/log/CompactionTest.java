package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.partition.Cleanup;
import io.minikafka.partition.CleanupPolicy;
import io.minikafka.partition.TimeLookup;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompactionTest {
  @TempDir Path data;
  KeyedLog log;

  @BeforeEach
  void open() throws IOException {
    log = new KeyedLog(data);
  }

  @Test
  void theNewestRecordOfEachKeyIsLeftAndOffsetsStay() throws IOException {
    log.fill(5, 3).compact();

    assertEquals(log.newestBelow(log.activeBase()), log.read());
    assertTrue(log.read().size() < 10, () -> "left: " + log.written.size());
  }

  @Test
  void whatIsLeftIsTheSameAfterARestart() throws IOException {
    log.append("a=1", "b=1", "a=2").append("c=1").fill(4, 2).compact();
    TreeMap<Long, String> before = log.read();

    log.restart();

    assertEquals(before, log.read());
    log.bench.disk.delete(LogFiles.checkpoint(data));
    log.restart();
    assertEquals(before, log.read());
  }

  @Test
  void aWholeScanFindsNoDamageInACompactedLog() throws IOException {
    log.append("a=1", "b=1", "a=2").fill(3, 2).append("a=3", "c=1").compact();
    TreeMap<Long, String> before = log.read();
    log.bench.restart(log.store);
    log.bench.directory.close();
    log.bench.disk.delete(LogFiles.checkpoint(data));
    log.bench.disk.delete(LogFiles.previousCheckpoint(data));
    log.bench.directory = log.bench.openDirectory();

    log.store = log.bench.open(KeyedLog.compacting(KeyedLog.SEGMENT));

    assertEquals(before, log.read());
    assertEquals("", log.store.snapshot().offline());
  }

  @Test
  void aCleanStartNeitherScansACompactedLogNorFindsDamage() throws IOException {
    List<List<Long>> recoveries = new ArrayList<>();
    log.bench.observer =
        new EngineObserver() {
          @Override
          public void onRecovered(
              PartitionId partition, long end, long scanned, long cut, int damaged) {
            recoveries.add(List.of(scanned, (long) damaged));
          }
        };
    for (int keys = 1; keys < 8; keys++) {
      log.append("only-" + keys + "=1").fill(keys, 3).append("a=1", "b=1").fill(5, keys).compact();
      log.bench.restart(log.store);
      recoveries.clear();
      log.store = log.bench.open(KeyedLog.compacting(KeyedLog.SEGMENT));
      assertEquals(List.of(List.of(0L, 0L)), recoveries);
    }
  }

  @Test
  void aReadInAGapGivesTheNextSurvivor() throws IOException {
    log.append("a=1", "b=1", "c=1", "a=2", "d=1", "d=2").append("b=2").fill(3, 2).compact();
    TreeMap<Long, String> left = log.read();

    for (long from = 0; from < log.store.snapshot().end(); from++) {
      for (int maxBytes : new int[] {1, 100, 300, 2000}) {
        assertEquals(left.tailMap(from), KeyedLog.read(log.store, from, maxBytes), "from " + from);
      }
    }
  }

  /** Who reads in the hole that the last records of a segment left must be led on. */
  @Test
  void aReadBehindTheLastSurvivorOfASegmentGoesOn() throws IOException {
    log.append("a=1", "x=1", "x=2").seal().append("x=3").compact();

    TreeMap<Long, String> left = log.read();

    assertEquals("a=1", left.get(0L));
    assertNull(left.get(2L));
    assertEquals(left.tailMap(1L), KeyedLog.read(log.store, 1, 50));
    assertEquals(left.tailMap(2L), KeyedLog.read(log.store, 2, 50));
  }

  @Test
  void theActiveSegmentAndWhatIsNotDurableAreLeftAlone() throws IOException {
    log.fill(3, 1);
    log.bench.forcers.hold();
    log.fill(6, 1);
    log.bench.advanceMs(30_000);

    long durable = log.store.snapshot().durable();

    assertTrue(durable < log.activeBase());
    assertEquals(log.written.tailMap(durable), log.read().tailMap(durable));
    log.bench.forcers.release();
    log.store.flush();
    log.bench.advanceMs(30_000);
    assertEquals(log.newestBelow(log.activeBase()), log.read());
  }

  @Test
  void aTombstoneStaysForItsTimeAfterTheCompactionThatFirstSawIt() throws IOException {
    log.append("a=1").append("a").compact();
    assertEquals("a", log.read().get(1L));

    log.bench.advanceMs(KeyedLog.DELETE_RETENTION_MS - 30_000 - 1);
    log.seal();
    assertEquals("a", log.read().get(1L), "not a moment earlier");

    log.bench.advanceMs(30_000);
    assertNull(log.read().get(1L), "an idle log is compacted for it");
    assertNull(log.read().get(0L), "and what it deleted does not come back");
  }

  @Test
  void theTimeOfATombstoneIsRememberedOverARestart() throws IOException {
    log.append("a=1").append("a").compact();
    log.bench.advanceMs(KeyedLog.DELETE_RETENTION_MS / 2);

    log.restart();
    log.bench.advanceMs(KeyedLog.DELETE_RETENTION_MS / 2);

    assertNull(log.read().get(1L));
  }

  @Test
  void whoForgotWhatItSawKeepsTombstonesLonger() throws IOException {
    log.append("a=1").append("a").compact();
    log.bench.restart(log.store);
    log.bench.disk.delete(LogFiles.compaction(log.bench.partition()));
    log.store = log.bench.open(KeyedLog.compacting(KeyedLog.SEGMENT));

    log.bench.advanceMs(30_000);
    log.bench.advanceMs(KeyedLog.DELETE_RETENTION_MS - 1);
    assertEquals("a", log.read().get(1L));
    log.bench.advanceMs(30_000);

    assertNull(log.read().get(1L));
  }

  @Test
  void recordsWithoutAKeyAreKept() throws IOException {
    log.append("=1", "a=1").append("=2").append("a=2").compact();

    assertEquals("=1", log.read().get(0L));
    assertEquals("=2", log.read().get(2L));
    assertNull(log.read().get(1L));
  }

  @Test
  void smallSegmentsAreJoinedUpToTheSizeOfOne() throws IOException {
    log.fill(12, 2).compact();
    log.fill(3, 2).compact();

    assertTrue(log.bench.bases().size() <= 6, () -> "segments: " + log.written.size());
    assertEquals(log.newestBelow(log.activeBase()), log.read());
    for (long base : log.bench.bases()) {
      long bytes = log.bench.disk.size(log.bench.logFile(base));
      assertTrue(bytes <= 2 * KeyedLog.SEGMENT, bytes + " bytes");
    }
  }

  @Test
  void aLogWithMoreKeysThanMemoryIsCompactedInPasses() throws IOException {
    DirectorySettings small = smallMemory(10);
    log.bench.settings = small;
    log.restart();
    log.fill(12, 40).fill(20, 40);

    log.compact();

    assertEquals(log.newestBelow(log.activeBase()), log.read());
  }

  private static DirectorySettings smallMemory(int keys) {
    DirectorySettings d = LogBench.directorySettings();
    return new DirectorySettings(
        d.unflushedBytes(),
        d.forcers(),
        d.dirtyForceIntervalMs(),
        d.retentionCheckIntervalMs(),
        d.checkpointIntervalMs(),
        d.openSealedSegments(),
        d.indexCacheBytes(),
        d.hotBytes(),
        d.descriptorLimit(),
        d.reservedDescriptors(),
        d.quarantineBytes(),
        NewestOffsets.SLOT_BYTES * keys * 4L / 3,
        0);
  }

  @Test
  void youngRecordsAreLeftAlone() throws IOException {
    log.configure(cleanup(CleanupPolicy.COMPACT, 0, 300_000));
    log.fill(4, 1).seal();
    log.bench.advanceMs(100_000);
    assertEquals(log.written, log.read());

    log.bench.advanceMs(300_000);

    assertEquals(log.newestBelow(log.activeBase()), log.read());
  }

  @Test
  void littleDirtIsNotWorthACompaction() throws IOException {
    log.configure(cleanup(CleanupPolicy.COMPACT, 0, 0));
    log.append("a=1").fill(9, 100).compact();
    log.configure(cleanup(CleanupPolicy.COMPACT, 0.5, 0));
    int before = log.read().size();

    log.append("a=2").seal();
    log.bench.advanceMs(30_000);
    assertEquals("a=1", log.read().get(0L));
    log.fill(log.bench.bases().size() + 9, 100).compact();

    assertNull(log.read().get(0L));
    assertTrue(log.read().size() > before);
  }

  private static io.minikafka.partition.StoreSettings cleanup(
      CleanupPolicy policy, double dirtyRatio, long lagMs) {
    return LogBench.segments(KeyedLog.SEGMENT)
        .withCleanup(new Cleanup(policy, KeyedLog.DELETE_RETENTION_MS, dirtyRatio, lagMs));
  }

  @Test
  void retentionDoesNothingWhereOnlyCompactionIsAskedFor() throws IOException {
    io.minikafka.partition.StoreSettings both =
        LogBench.retention(KeyedLog.SEGMENT, 1, 1)
            .withCleanup(new Cleanup(CleanupPolicy.COMPACT, 1000, 0, 0));
    log.configure(both);
    log.fill(6, 100).compact();
    log.bench.advanceMs(100_000);
    assertEquals(0, log.store.snapshot().start());

    log.configure(both.withCleanup(new Cleanup(CleanupPolicy.COMPACT_DELETE, 1000, 0, 0)));
    log.bench.advanceMs(30_000);

    assertEquals(log.activeBase(), log.store.snapshot().start());
  }

  /** Of a segment that compaction emptied nobody knows the time; it must not stop retention. */
  @Test
  void anEmptiedSegmentDoesNotHoldUpRetentionByTime() throws IOException {
    log.append("a=1").seal().append("a=2", "seal=1").seal().compact();
    assertFalse(log.read().containsKey(0L));
    log.configure(
        LogBench.retention(KeyedLog.SEGMENT, -1, 40_000)
            .withCleanup(new Cleanup(CleanupPolicy.COMPACT_DELETE, 1000, 0, 0)));
    log.restart();

    log.bench.advanceMs(100_000);

    assertEquals(log.activeBase(), log.store.snapshot().start());
  }

  @Test
  void lookUpsByTimeFindSurvivorsOnly() throws IOException {
    log.append("a=1");
    log.bench.millis += 10;
    log.append("b=1", "a=2");
    log.bench.millis += 10;
    log.append("a=3").compact();
    long end = log.store.snapshot().end();

    assertEquals(new TimeLookup(1, 1_000_010), log.store.offsetForTime(0, end));
    assertEquals(new TimeLookup(1, 1_000_010), log.store.offsetForTime(1_000_001, end));
    assertEquals(new TimeLookup(3, 1_000_020), log.store.offsetForTime(1_000_011, end));
    log.restart();
    assertEquals(new TimeLookup(1, 1_000_010), log.store.offsetForTime(0, end));
  }

  @Test
  void deletedRecordsAreGivenUpByCompactionToo() throws IOException {
    log.append("a=1", "b=1", "c=1").seal();
    log.store.trimTo(2);

    log.compact();

    assertEquals(List.of(2L), List.copyOf(log.read().headMap(3L).keySet()));
    assertEquals(2, log.store.snapshot().start());
  }

  @Test
  void indexesOfACompactedLogAreBelievedAtTheNextStart() throws IOException {
    log.append("a=1", "b=1", "a=2").fill(4, 2).compact();
    TreeMap<Long, String> left = log.read();
    log.restart();
    log.bench.disk.events.clear();

    assertEquals(left, log.read());

    assertEquals(
        List.of(),
        log.bench.disk.events.stream().filter(e -> e.endsWith("index")).toList(),
        "no index was made anew");
  }

  @Test
  void whatCannotBeReadOfWhatWasSeenIsNamedAndDoneWithout() throws IOException {
    List<String> told = new ArrayList<>();
    log.append("a=1").append("a").compact();
    log.bench.observer =
        new EngineObserver() {
          @Override
          public void onStranger(String path, String what) {
            told.add(path + " " + what);
          }
        };
    log.bench.restart(log.store);
    Path file = LogFiles.compaction(log.bench.partition());
    Files.write(file, new byte[] {1, 2, 3});
    log.store = log.bench.open(KeyedLog.compacting(KeyedLog.SEGMENT));
    log.bench.advanceMs(30_000);
    log.bench.advanceMs(30_000);

    assertEquals(
        List.of(file + " cannot be read as what its name says; tombstones stay longer"), told);
    assertEquals("a", log.read().get(1L));
  }

  @Test
  void nothingIsWrittenWhereNothingIsOutdated() throws IOException {
    log.fill(4, 1000).seal();
    log.bench.advanceMs(30_000);
    Map<Long, Long> sizes = new TreeMap<>();
    for (long base : log.bench.bases()) {
      sizes.put(base, log.bench.disk.size(log.bench.logFile(base)));
    }
    log.bench.disk.events.clear();

    log.restart();
    log.bench.disk.delete(LogFiles.compaction(log.bench.partition()));
    log.bench.advanceMs(30_000);

    assertEquals(
        List.of(), log.bench.disk.events.stream().filter(e -> e.endsWith(".swap")).toList());
    assertTrue(sizes.size() > 3);
  }
}
