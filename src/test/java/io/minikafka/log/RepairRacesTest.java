package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.RepairAction;
import io.minikafka.partition.RepairResult;
import io.minikafka.partition.StoreSettings;
import io.minikafka.record.CorruptEntryException;
import io.minikafka.record.RecordReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real threads: appends, reads, trims, and two who verify and repair what another harms. */
class RepairRacesTest {
  private static final int REPAIRS = 25;

  @TempDir Path data;

  private final AtomicBoolean over = new AtomicBoolean();
  private final AtomicInteger repairs = new AtomicInteger();

  @Test
  void everybodyGoesOnWhileDamageIsMadeFoundAndGivenUp() throws Exception {
    LogBench bench = new LogBench(data.resolve("for-batches"));
    ExecutorService forcers = Executors.newFixedThreadPool(4);
    ExecutorService worker = Executors.newFixedThreadPool(2);
    ExecutorService people = Executors.newCachedThreadPool();
    WatchedDisk disk = new WatchedDisk();
    List<String> fatal = new ArrayList<>();
    LogDirectory directory = open(disk, worker, forcers, fatal);
    StoreSettings settings =
        new StoreSettings(8192, Long.MAX_VALUE, 512, -1, -1, FlushPolicy.COMMIT, 1000);
    PartitionStore store = directory.open(LogBench.ID, settings);
    List<Future<?>> all = new ArrayList<>();
    all.add(people.submit(until(() -> append(bench, store))));
    all.add(people.submit(until(() -> trim(store))));
    all.add(people.submit(until(() -> read(store, new Random(1)))));
    all.add(people.submit(until(() -> read(store, new Random(2)))));
    all.add(people.submit(until(() -> harm(store, new Random(3)))));
    all.add(people.submit(until(() -> verifyAndRepair(store))));
    all.add(people.submit(until(() -> verifyAndRepair(store))));
    for (Future<?> each : all) {
      each.get();
    }
    RepairRig.verified(store);
    while (!store.damage().isEmpty()) {
      store.repair(RepairAction.SKIP, store.damage().getFirst().from(), false);
    }
    assertEquals("", store.snapshot().offline());
    long end = store.snapshot().end();
    store.close();
    directory.close();
    assertTrue(directory.hasEndedClean());
    LogDirectory again = open(disk, worker, forcers, fatal);
    PartitionStore reopened = again.open(LogBench.ID, settings);
    assertEquals(end, reopened.snapshot().end());
    assertEquals(List.of(), reopened.damage());
    assertTrue(
        RepairRig.verified(reopened).stream()
            .allMatch(io.minikafka.partition.LogCheck.Finding.Skipped.class::isInstance));
    reopened.close();
    again.close();
    assertEquals(List.of(), fatal);
    assertEquals(0, disk.openFiles.get());
    bench.close();
    for (ExecutorService each : List.of(people, worker, forcers)) {
      each.shutdownNow();
    }
  }

  private LogDirectory open(
      WatchedDisk disk, ExecutorService worker, ExecutorService forcers, List<String> fatal)
      throws IOException {
    return LogDirectory.open(
        data.resolve("data"),
        LogBench.directorySettings(),
        new LogDirectory.Surroundings(
            disk,
            InstantSource.system(),
            new HandTimers(),
            worker,
            forcers,
            EngineObserver.NONE,
            fatal::add));
  }

  private interface Deed {
    void act() throws IOException;
  }

  private Callable<Boolean> until(Deed deed) {
    return () -> {
      try {
        while (!over.get()) {
          deed.act();
        }
        return true;
      } finally {
        over.set(true);
      }
    };
  }

  /** As fast as repairs are done: else there would be more to be verified each time. */
  private void append(LogBench bench, PartitionStore store) throws IOException {
    if (store.snapshot().end() < 500 + 100L * repairs.get()) {
      bench.append(store, 3, 150);
      store.flush();
    } else {
      Thread.onSpinWait();
    }
  }

  /** Takes the oldest away, also those that are harmed or under repair. */
  private static void trim(PartitionStore store) throws IOException {
    PartitionStore.Snapshot now = store.snapshot();
    if (now.durable() - now.start() > 600) {
      store.trimTo(now.durable() - 400);
    } else {
      Thread.onSpinWait();
    }
  }

  private static void read(PartitionStore store, Random random) throws IOException {
    PartitionStore.Snapshot now = store.snapshot();
    if (now.end() == now.start()) {
      return;
    }
    long at = random.nextLong(now.start(), now.end());
    if (store.read(at, 2000, true, now.end()) instanceof ReadResult.Entries entries) {
      assertTrue(entries.nextOffset() > at || entries.blob().length() == 0);
      ByteBuffer in = ByteBuffer.allocate(entries.blob().length()).order(ByteOrder.LITTLE_ENDIAN);
      entries.blob().copyTo(in);
      entries.blob().release();
      RecordReader reader = new RecordReader(in.flip(), at);
      try {
        while (reader.next() != null) {}
      } catch (CorruptEntryException e) {
        // Harmed, and not yet found.
        assertTrue(e.getMessage() != null);
      }
    }
  }

  /** One at a time: what is harmed is to be found first. */
  private void harm(PartitionStore store, Random random) throws IOException {
    var segments = store.segments(0, 1000);
    if (segments.size() < 4 || !store.damage().isEmpty()) {
      Thread.onSpinWait();
      return;
    }
    var segment = segments.get(random.nextInt(1, segments.size() - 1));
    Path file =
        LogFiles.log(LogFiles.partition(data.resolve("data"), LogBench.ID), segment.baseOffset());
    try (FileChannel out =
        FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      long position = random.nextLong(out.size());
      ByteBuffer value = ByteBuffer.allocate(1);
      out.read(value, position);
      value.put(0, (byte) (value.get(0) ^ 8));
      out.write(value.rewind(), position);
    } catch (NoSuchFileException e) {
      // Retention was faster.
      Thread.onSpinWait();
    }
  }

  private void verifyAndRepair(PartitionStore store) throws IOException {
    try (var check = store.check()) {
      while (!check.isDone()) {
        check.step(1 << 20);
      }
    }
    for (var range : store.damage()) {
      if (store.repair(RepairAction.SKIP, range.from(), false) instanceof RepairResult.Done) {
        if (repairs.incrementAndGet() >= REPAIRS) {
          over.set(true);
        }
      }
    }
  }
}
