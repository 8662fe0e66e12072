package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.ReadResult.Entries;
import io.minikafka.partition.StampedBatch;
import io.minikafka.partition.StoreSettings;
import io.minikafka.record.RecordReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real threads: one appender, forcers, a worker with retention, and readers, all at once. */
class LogRacesTest {
  private static final int BATCHES = 3000;

  @TempDir Path data;

  @Test
  void everybodyAtOnceSeesOnlyWholeRecordsInOrderAndNothingIsLeftOpen() throws Exception {
    LogBench bench = new LogBench(data.resolve("for-batches"));
    ExecutorService forcers = Executors.newFixedThreadPool(4);
    ExecutorService worker = Executors.newFixedThreadPool(2);
    WatchedDisk disk = new WatchedDisk();
    HandTimers timers = new HandTimers();
    List<String> fatal = new ArrayList<>();
    LogDirectory directory =
        LogDirectory.open(
            data.resolve("data"),
            LogBench.directorySettings(),
            new LogDirectory.Surroundings(
                disk,
                InstantSource.system(),
                timers,
                worker,
                forcers,
                EngineObserver.NONE,
                fatal::add));
    PartitionStore store =
        directory.open(
            LogBench.ID,
            new StoreSettings(8192, Long.MAX_VALUE, 512, 100_000, -1, FlushPolicy.COMMIT, 1000));
    AtomicLong lastDurable = new AtomicLong();
    AtomicBoolean fell = new AtomicBoolean();
    CountDownLatch allDurable = new CountDownLatch(1);
    CountDownLatch retained = new CountDownLatch(1);
    store.listen(
        new PartitionStore.Listener() {
          @Override
          public void onDurable(long durable) {
            fell.compareAndSet(false, lastDurable.getAndSet(durable) > durable);
            if (durable == BATCHES * 3L) {
              allDurable.countDown();
            }
          }

          @Override
          public void onStart(long start) {
            retained.countDown();
          }

          @Override
          public void onOffline(String reason) {
            fatal.add(reason);
          }
        });
    AtomicBoolean stop = new AtomicBoolean();
    AtomicReference<Throwable> failed = new AtomicReference<>();
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      readers.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    try {
                      follow(store, stop);
                    } catch (Throwable e) {
                      failed.compareAndSet(null, e);
                    }
                  }));
    }

    for (int i = 0; i < BATCHES; i++) {
      StampedBatch batch = bench.batch(store, store.snapshot().end(), 3, 100);
      store.append(List.of(batch));
      store.flush();
    }

    assertTrue(allDurable.await(60, TimeUnit.SECONDS));
    // Where forces came late no roll found anything to remove; then it is the clock that does.
    for (int i = 0; !retained.await(1, TimeUnit.SECONDS); i++) {
      assertTrue(i < 60, "retention goes its own way, on the worker");
      timers.advanceMs(LogBench.directorySettings().retentionCheckIntervalMs());
    }
    stop.set(true);
    for (Thread reader : readers) {
      reader.join();
    }
    assertNull(failed.get());
    assertEquals(List.of(), fatal);
    assertFalse(fell.get());
    assertTrue(store.snapshot().start() > 0);
    assertEquals(0, directory.directoryStats().pinnedSlices());
    assertEquals(0, directory.directoryStats().unflushedBytes());
    store.close();
    worker.shutdown();
    forcers.shutdown();
    assertTrue(worker.awaitTermination(60, TimeUnit.SECONDS));
    directory.close();
    bench.close();
    assertEquals(0, disk.openFiles.get());
  }

  /** Reads along; where retention was faster it goes on at the new start. */
  private static void follow(PartitionStore store, AtomicBoolean stop) throws IOException {
    long next = 0;
    while (!stop.get() || next < store.snapshot().durable()) {
      switch (store.read(next, 4000, true, store.snapshot().durable())) {
        case Entries entries -> {
          RecordReader reader = new RecordReader(LogBench.bytes(entries), next);
          while (reader.next() != null) {
            next++;
          }
          assertEquals(entries.nextOffset(), next);
        }
        case ReadResult.OutOfRange range -> next = Math.max(next, range.start());
        case ReadResult.Damaged damaged -> throw new AssertionError(damaged.toString());
        case ReadResult.Offline offline -> throw new AssertionError(offline.reason());
      }
    }
  }
}
