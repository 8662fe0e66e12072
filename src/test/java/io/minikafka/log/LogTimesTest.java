package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.StoreSettings;
import io.minikafka.partition.TimeLookup;
import io.minikafka.record.BatchBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogTimesTest {
  @TempDir Path data;

  private static void append(LogBench bench, PartitionStore store, long... timestamps)
      throws IOException {
    BatchBuilder builder = new BatchBuilder(64);
    for (long timestamp : timestamps) {
      builder.append(timestamp, null, new byte[20], List.of());
    }
    store.append(List.of(bench.stamped(store, store.snapshot().end(), builder)));
  }

  @Test
  void theFirstRecordThatIsNotOlderIsFound() throws IOException {
    LogBench bench = new LogBench(data);
    PartitionStore store = bench.open();
    append(bench, store, 10, 30);
    append(bench, store, 20, 40);

    assertEquals(new TimeLookup(0, 10), store.offsetForTime(0, 4));
    assertEquals(new TimeLookup(1, 30), store.offsetForTime(20, 4));
    assertEquals(new TimeLookup(3, 40), store.offsetForTime(31, 4));
    assertEquals(TimeLookup.NONE, store.offsetForTime(41, 4));
    assertEquals(TimeLookup.NONE, store.offsetForTime(31, 2));
    assertEquals(new TimeLookup(3, 40), store.latestTimestamp(4));
    assertEquals(new TimeLookup(1, 30), store.latestTimestamp(2));
  }

  @Test
  void anEmptyLogHasNoRecords() throws IOException {
    PartitionStore store = new LogBench(data).open();

    assertEquals(TimeLookup.NONE, store.offsetForTime(0, 0));
    assertEquals(TimeLookup.NONE, store.latestTimestamp(0));
  }

  @Test
  void recordsBelowTheStartAreNotFound() throws IOException {
    LogBench bench = new LogBench(data);
    PartitionStore store = bench.open();
    append(bench, store, 90, 30, 40);
    append(bench, store, 20);
    store.flush();

    store.trimTo(1);

    assertEquals(new TimeLookup(2, 40), store.offsetForTime(35, 4));
    assertEquals(new TimeLookup(2, 40), store.latestTimestamp(4));
    assertEquals(TimeLookup.NONE, store.offsetForTime(80, 4));
  }

  @Test
  void everyLookupIsTheModels() throws IOException {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println("LogTimesTest -Dseed=" + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 4; round++) {
      int segmentBytes = List.of(1024, 10_000, 1 << 20).get(random.nextInt(3));
      LogBench bench = new LogBench(data.resolve("round-" + round));
      StoreSettings settings = LogBench.segments(segmentBytes);
      PartitionStore store = bench.open(settings);
      List<Long> model = new ArrayList<>();
      List<Long> boundaries = new ArrayList<>(List.of(0L));
      for (int i = 0; i < 100; i++) {
        long[] timestamps = new long[1 + random.nextInt(20)];
        for (int t = 0; t < timestamps.length; t++) {
          timestamps[t] = i * 5L + random.nextInt(60);
          model.add(timestamps[t]);
        }
        bench.millis += random.nextInt(3);
        append(bench, store, timestamps);
        boundaries.add((long) model.size());
        if (random.nextInt(30) == 0) {
          bench.restart(store);
          store = bench.open(settings);
        }
        if (random.nextInt(20) == 0) {
          store.flush();
          store.trimTo(random.nextLong(store.snapshot().start(), model.size() + 1));
        }
        long limit = boundaries.get(random.nextInt(boundaries.size()));
        limit = Math.max(limit, store.snapshot().start());
        check(store, model, random.nextInt(600), limit);
        check(store, model, random.nextInt(600), model.size());
      }
      store.close();
      bench.close();
    }
  }

  private static void check(PartitionStore store, List<Long> model, long timestamp, long limit)
      throws IOException {
    long start = store.snapshot().start();
    TimeLookup first = TimeLookup.NONE;
    TimeLookup latest = TimeLookup.NONE;
    for (long offset = start; offset < limit; offset++) {
      long at = model.get((int) offset);
      if (at >= timestamp && first.offset() < 0) {
        first = new TimeLookup(offset, at);
      }
      if (at > latest.timestamp()) {
        latest = new TimeLookup(offset, at);
      }
    }
    String what = "time %d, start %d, limit %d".formatted(timestamp, start, limit);
    assertEquals(first, store.offsetForTime(timestamp, limit), what);
    assertEquals(latest, store.latestTimestamp(limit), what);
  }
}
