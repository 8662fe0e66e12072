package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.partition.AppendTimeLookup;
import io.minikafka.partition.AppendTimeLookup.Found;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.StoreSettings;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a record was appended. */
class AppendTimeTest {
  private static final AppendTimeLookup NONE = new AppendTimeLookup.None();
  private static final AppendTimeLookup UNKNOWN = new AppendTimeLookup.Unknown();

  @TempDir Path data;

  @Test
  void everyLookupIsTheModels() throws IOException {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println("AppendTimeTest -Dseed=" + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 4; round++) {
      int segmentBytes = List.of(1024, 10_000, 1 << 20).get(random.nextInt(3));
      LogBench bench = new LogBench(data.resolve("round-" + round));
      StoreSettings settings = LogBench.segments(segmentBytes);
      PartitionStore store = bench.open(settings);
      List<Long> times = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        // Also back: append times must not follow.
        bench.millis += random.nextInt(9) - 2;
        int records = 1 + random.nextInt(20);
        bench.append(store, records, random.nextInt(60));
        for (int r = 0; r < records; r++) {
          times.add(store.snapshot().lastAppendTime());
        }
        if (random.nextInt(30) == 0) {
          bench.restart(store);
          store = bench.open(settings);
        }
        if (random.nextInt(20) == 0) {
          store.flush();
          store.trimTo(random.nextLong(store.snapshot().start(), times.size() + 1));
        }
        check(store, times, random.nextInt(times.size() + 1), times.size());
        check(store, times, random.nextInt(times.size() + 1), random.nextInt(times.size() + 1));
      }
      store.close();
      bench.close();
    }
  }

  private static void check(PartitionStore store, List<Long> times, long offset, long limit)
      throws IOException {
    long first = Math.max(offset, store.snapshot().start());
    AppendTimeLookup expected = first < limit ? new Found(first, times.get((int) first)) : NONE;
    assertEquals(
        expected, store.appendTime(offset, limit), "offset %d, limit %d".formatted(offset, limit));
  }

  @Test
  void ofACompactedLogTheFirstRecordThatIsLeftCounts() throws IOException {
    KeyedLog log = new KeyedLog(data);
    for (int i = 0; i < 40; i++) {
      log.bench.millis += 1000;
      log.append("same=" + "v".repeat(100) + i, "other " + i + "=" + "w".repeat(20));
    }
    long firstMs = log.bench.millis - 39_000;
    assertEquals(new Found(10, firstMs + 5000), log.store.appendTime(10, 80));

    log.store.flush();
    log.compact();

    assertEquals(new Found(11, firstMs + 5000), log.store.appendTime(10, 80));
    assertEquals(NONE, log.store.appendTime(10, 11));
    assertEquals(NONE, log.store.appendTime(80, 80));
  }

  @Test
  void whatIsDamagedHasNoAppendTimeAndHidesNothingBehindIt() throws IOException {
    LogBench bench = new LogBench(data);
    PartitionStore store = bench.open(LogBench.segments(2000));
    for (int i = 0; i < 4; i++) {
      bench.millis = 1000 * i;
      bench.append(store, 10, 100);
    }
    bench.restart(store);
    try (RandomAccessFile file = new RandomAccessFile(bench.logFile(10).toFile(), "rw")) {
      file.setLength(300);
    }
    PartitionStore damaged = bench.open(LogBench.segments(2000));

    assertEquals(new Found(9, 0), damaged.appendTime(9, 40));
    assertEquals(UNKNOWN, damaged.appendTime(10, 40));
    assertEquals(UNKNOWN, damaged.appendTime(15, 40));
    assertEquals(new Found(20, 2000), damaged.appendTime(20, 40));
  }

  @Test
  void aMissingFirstSegmentIsNotPassedOver() throws IOException {
    LogBench bench = new LogBench(data);
    PartitionStore store = bench.open(LogBench.segments(2000));
    for (int i = 0; i < 4; i++) {
      bench.append(store, 10, 100);
    }
    bench.restart(store);
    Files.delete(bench.logFile(0));
    PartitionStore gap = bench.open(LogBench.segments(2000));

    assertEquals(UNKNOWN, gap.appendTime(0, 40));
    assertEquals(UNKNOWN, gap.appendTime(0, 5));
    assertEquals(new Found(10, bench.millis), gap.appendTime(10, 40));
  }
}
