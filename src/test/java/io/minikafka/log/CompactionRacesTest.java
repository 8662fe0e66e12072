package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.PartitionId;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import io.minikafka.record.RecordReader;
import io.minikafka.record.RecordView;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real threads: an appender, forcers, compaction, DeleteRecords and readers on one log at once. */
class CompactionRacesTest {
  private static final int BATCHES = 1500;

  @TempDir Path data;

  @Test
  void everybodyAtOnceSeesOnlyWhatWasWrittenAndNothingIsLeftOpen() throws Exception {
    KeyedLog log = new KeyedLog(data.resolve("for-batches"), KeyedLog.compacting(4096));
    ExecutorService forcers = Executors.newFixedThreadPool(2);
    ExecutorService worker = Executors.newFixedThreadPool(2);
    WatchedDisk disk = new WatchedDisk();
    List<String> troubles = Collections.synchronizedList(new ArrayList<>());
    AtomicInteger compactions = new AtomicInteger();
    EngineObserver observer =
        new EngineObserver() {
          @Override
          public void onCompacted(PartitionId id, long before, long after, long gone, long nanos) {
            compactions.incrementAndGet();
          }

          @Override
          public void onCompactionFailed(PartitionId id, boolean full, String reason) {
            troubles.add(reason);
          }
        };
    LogDirectory directory =
        LogDirectory.open(
            data.resolve("data"),
            LogBench.directorySettings(),
            new LogDirectory.Surroundings(
                disk,
                InstantSource.system(),
                new HandTimers(),
                worker,
                forcers,
                observer,
                troubles::add));
    PartitionStore own = log.store;
    log.store = directory.open(LogBench.ID, KeyedLog.compacting(4096));
    AtomicBoolean stop = new AtomicBoolean();
    AtomicReference<Throwable> failed = new AtomicReference<>();
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      readers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      while (!stop.get()) {
                        readAll(log.store);
                      }
                    } catch (Throwable e) {
                      failed.compareAndSet(null, e);
                    }
                  }));
    }

    int batches = 0;
    // On a slow machine the first compaction may begin late.
    for (int i = 0; i < BATCHES || (compactions.get() < 3 && i < 100 * BATCHES); i++) {
      batches++;
      log.append("k" + i % 7 + "=" + i, "k" + i % 11, "k" + i % 13 + "=" + "v".repeat(i % 90));
      log.store.flush();
      if (i % 500 == 499) {
        log.store.trimTo(log.store.snapshot().durable() / 2);
      }
    }

    while (log.store.snapshot().durable() < batches * 3L && troubles.isEmpty()) {
      Thread.onSpinWait();
    }
    stop.set(true);
    for (Thread reader : readers) {
      reader.join();
    }
    assertNull(failed.get());
    assertEquals(List.of(), troubles);
    assertTrue(compactions.get() >= 3, compactions + " compactions");
    log.store.close();
    worker.shutdown();
    forcers.shutdown();
    assertTrue(worker.awaitTermination(60, TimeUnit.SECONDS));
    assertEquals(0, directory.directoryStats().pinnedSlices());
    directory.close();
    assertEquals(0, disk.openFiles.get());
    own.close();
    log.bench.close();
  }

  /** Numbers in keys and values agree with the offset; the order of offsets holds. */
  private static void readAll(PartitionStore store) throws IOException {
    PartitionStore.Snapshot now = store.snapshot();
    long end = now.durable();
    for (long next = now.start(); next < end; ) {
      switch (store.read(next, 3000, true, end)) {
        case ReadResult.Entries entries -> {
          long after = entries.nextOffset();
          if (after == next) {
            // A gap that was made meanwhile reaches beyond what was durable when we looked.
            long later = store.snapshot().durable();
            assertTrue(later > end, "no way to get on");
            end = later;
          }
          RecordReader reader = new RecordReader(LogBench.bytes(entries), next, true);
          for (RecordView view = reader.next(); view != null; view = reader.next()) {
            long batch = view.offset() / 3;
            int modulus = new int[] {7, 11, 13}[(int) (view.offset() % 3)];
            assertEquals("k" + batch % modulus, KeyedLog.key(KeyedLog.text(view)));
          }
          next = after;
        }
        case ReadResult.OutOfRange range -> next = Math.max(next, range.start());
        case ReadResult.Damaged damaged -> throw new AssertionError(damaged.toString());
        case ReadResult.Offline offline -> throw new AssertionError(offline.reason());
      }
    }
  }
}
