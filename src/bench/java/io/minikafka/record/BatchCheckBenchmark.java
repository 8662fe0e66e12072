package io.minikafka.record;

import io.minikafka.codec.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * The one pass over a produced batch: lengths, checksums, marker. And the reader's, on the way
 * back.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class BatchCheckBenchmark {
  @Param({"1", "1000"})
  public int records;

  @Param({"100", "1000"})
  public int recordBytes;

  private Bytes batch = Bytes.EMPTY;

  @Setup
  public void encode() {
    byte[] value = new byte[recordBytes];
    new Random(1).nextBytes(value);
    BatchBuilder builder = new BatchBuilder(1 << 10);
    for (int i = 0; i < records; i++) {
      builder.append(1_000, null, value, List.of());
    }
    ByteBuffer encoded = builder.version1();
    ByteBuffer direct =
        ByteBuffer.allocateDirect(encoded.remaining()).order(ByteOrder.LITTLE_ENDIAN);
    direct.put(encoded).flip();
    for (int at = BatchMarker.BYTES, i = 0; at < direct.limit(); at += Entry.bytes(direct, at)) {
      direct.putLong(at, i++);
    }
    batch = Bytes.of(direct);
  }

  @Benchmark
  public BatchCheck check() {
    return BatchCheck.version1(batch);
  }

  @Benchmark
  public int read() {
    RecordReader reader = new RecordReader(batch.buffer(), 0);
    int bytes = 0;
    for (RecordView record = reader.next(); record != null; record = reader.next()) {
      bytes += record.bytes();
    }
    return bytes;
  }
}
