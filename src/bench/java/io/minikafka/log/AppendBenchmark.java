package io.minikafka.log;

import io.minikafka.codec.Blob;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.StampedBatch;
import io.minikafka.partition.StoreSettings;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import io.minikafka.record.PartitionHash;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A batch of 100 B records into a log in the working directory, stamped in place, and its bytes
 * found again. Nothing is forced. The log is a new one in each iteration.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class AppendBenchmark {
  private static final int SEGMENT_BYTES = 64 << 20;
  private static final int FETCH_BYTES = 1 << 20;
  private static final int FILL_BATCHES = 64;

  @Param({"1", "1000"})
  public int records;

  private @Nullable Log log;

  /** A log and the batch that goes into it. */
  private record Log(Path directory, LogBench bench, PartitionStore store, StampedBatch batch) {}

  @Setup(Level.Iteration)
  public void open() throws IOException {
    Path directory = Files.createTempDirectory(Path.of(""), "bench-log-");
    LogBench bench = new LogBench(directory);
    StoreSettings defaults = LogBench.flush(FlushPolicy.NONE, 1_000);
    PartitionStore store =
        bench.open(
            new StoreSettings(
                SEGMENT_BYTES,
                defaults.segmentMs(),
                defaults.indexIntervalBytes(),
                defaults.retentionBytes(),
                defaults.retentionMs(),
                defaults.flushPolicy(),
                defaults.flushIntervalMs()));
    log = new Log(directory, bench, store, bench.batch(store, 0, records, 100));
    for (int i = 0; i < FILL_BATCHES; i++) {
      append();
    }
  }

  private Log log() {
    if (log == null) {
      throw new IllegalStateException("not set up");
    }
    return log;
  }

  @Benchmark
  public long append() throws IOException {
    PartitionStore store = log().store;
    PartitionStore.Snapshot now = store.snapshot();
    store.append(List.of(stamped(log().batch, now)));
    return now.end();
  }

  /** What a partition does to a batch before it is written. */
  private static StampedBatch stamped(StampedBatch batch, PartitionStore.Snapshot now) {
    ByteBuffer buffer = batch.buffer();
    long offset = now.end();
    int limit = batch.markerAt() + batch.bytes();
    for (int at = BatchMarker.BYTES; at < limit; at += Entry.bytes(buffer, at)) {
      buffer.putLong(at, offset++);
    }
    BatchMarker.stamp(
        buffer,
        0,
        now.end(),
        now.epoch(),
        batch.appendTime(),
        now.durable(),
        PartitionHash.of(LogBench.ID));
    return new StampedBatch(
        buffer,
        0,
        batch.bytes(),
        now.end(),
        batch.span(),
        batch.maxTimestamp(),
        batch.appendTime());
  }

  @Benchmark
  public int read() throws IOException {
    PartitionStore store = log().store;
    Blob blob =
        ((ReadResult.Entries) store.read(0, FETCH_BYTES, true, store.snapshot().end())).blob();
    int length = blob.length();
    blob.release();
    return length;
  }

  @TearDown(Level.Iteration)
  public void delete() throws IOException {
    log().store.close();
    log().bench.close();
    try (Stream<Path> files = Files.walk(log().directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
