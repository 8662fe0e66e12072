package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.Cleanup;
import io.minikafka.partition.CleanupPolicy;
import io.minikafka.partition.DeletionOutlook;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.StoreSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is foretold about retention is what retention then does. */
class DeletionOutlookTest {
  private static final int SEGMENT = 4096;
  private static final long RETENTION_MS = 100_000;

  @TempDir Path data;
  LogBench bench;

  @BeforeEach
  void open() throws IOException {
    bench = new LogBench(data);
  }

  /** A second between two batches. */
  private void fill(PartitionStore store, int batches) throws IOException {
    for (int i = 0; i < batches; i++) {
      bench.millis += 1000;
      bench.append(store, 5, 100);
      store.flush();
    }
  }

  /** Lets housekeeping look a few times while the wall clock stands at that time. */
  private void lookAt(long wallMs) {
    bench.millis = wallMs;
    for (int i = 0; i < 3; i++) {
      bench.timers.advanceMs(31_000);
    }
  }

  @Test
  void sealedSegmentGoesAtTheVeryTimeThatWasForetold() throws IOException {
    PartitionStore store = bench.open(LogBench.retention(SEGMENT, -1, RETENTION_MS));
    fill(store, 30);
    long offset = 42;
    DeletionOutlook outlook = store.deletionOutlook(offset);
    assertEquals(OptionalLong.empty(), outlook.afterBytes());

    lookAt(outlook.atMs().orElseThrow() - 1);
    assertTrue(store.snapshot().start() <= offset, store.snapshot().toString());
    lookAt(outlook.atMs().orElseThrow());
    assertTrue(store.snapshot().start() > offset, store.snapshot().toString());
  }

  @Test
  void activeSegmentIsRolledByAgeBeforeItGoes() throws IOException {
    PartitionStore store = bench.open(LogBench.segmentMs(5 * RETENTION_MS, RETENTION_MS));
    fill(store, 3);
    DeletionOutlook outlook = store.deletionOutlook(0);
    assertEquals(
        OptionalLong.of(bench.millis - 2000 + 5 * RETENTION_MS),
        outlook.atMs(),
        "segment.ms after its first batch");

    lookAt(outlook.atMs().orElseThrow() - 1);
    assertEquals(0, store.snapshot().start());
    lookAt(outlook.atMs().orElseThrow());
    assertEquals(15, store.snapshot().start());
  }

  @Test
  void activeSegmentThatIsRolledSoonerGoesWhenItsNewestBatchHasExpired() throws IOException {
    PartitionStore store = bench.open(LogBench.segmentMs(10_000, RETENTION_MS));
    fill(store, 3);
    DeletionOutlook outlook = store.deletionOutlook(0);

    lookAt(outlook.atMs().orElseThrow() - 1);
    assertEquals(0, store.snapshot().start());
    lookAt(outlook.atMs().orElseThrow());
    assertEquals(15, store.snapshot().start());
  }

  @Test
  void activeSegmentThatIsNeverRolledByAgeIsNotEndedByTime() throws IOException {
    PartitionStore store = bench.open(LogBench.retention(SEGMENT, -1, RETENTION_MS));
    fill(store, 3);
    assertEquals(DeletionOutlook.NONE, store.deletionOutlook(0));
    lookAt(bench.millis + 9 * RETENTION_MS);
    assertEquals(0, store.snapshot().start());
  }

  @Test
  void bytesThatWereForetoldAreTheBytesItTakes() throws IOException {
    PartitionStore store = bench.open(LogBench.retention(SEGMENT, 20_000, -1));
    fill(store, 20);
    long offset = 42;
    DeletionOutlook outlook = store.deletionOutlook(offset);
    assertEquals(OptionalLong.empty(), outlook.atMs());
    long bytesLeft = outlook.afterBytes().orElseThrow();
    assertTrue(bytesLeft > 0);

    long batchBytes = bench.batch(store, store.snapshot().end(), 5, 100).bytes();
    for (long appended = batchBytes; store.snapshot().start() <= offset; appended += batchBytes) {
      fill(store, 1);
      assertEquals(appended >= bytesLeft, store.snapshot().start() > offset, "after " + appended);
    }
  }

  @Test
  void logThatIsOnlyCompactedOrNotBoundedDeletesNothing() throws IOException {
    StoreSettings bounded = LogBench.retention(SEGMENT, 20_000, RETENTION_MS);
    PartitionStore store =
        bench.open(bounded.withCleanup(new Cleanup(CleanupPolicy.COMPACT, 60_000, 0.5, 0)));
    fill(store, 20);
    assertEquals(DeletionOutlook.NONE, store.deletionOutlook(3));
    store.configure(LogBench.retention(SEGMENT, -1, -1));
    assertEquals(DeletionOutlook.NONE, store.deletionOutlook(3));
  }

  @Test
  void retentionWithoutEndDoesNotWrapAround() throws IOException {
    PartitionStore store = bench.open(LogBench.retention(SEGMENT, -1, Long.MAX_VALUE));
    fill(store, 20);
    assertEquals(OptionalLong.of(Long.MAX_VALUE), store.deletionOutlook(3).atMs());
  }
}
