package io.minikafka.log;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Finding an offset in the index of a full segment: 64 MiB, a pair every 4 KiB, 128 B records. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class IndexBenchmark {
  private static final int PAIRS = 16 << 10;
  private static final int INTERVAL_BYTES = 4 << 10;
  private static final int RECORDS_BETWEEN = INTERVAL_BYTES / 128;

  /** Odd, so that every offset is asked for, in no order that a cache would like. */
  private static final long STEP = 7_919L * RECORDS_BETWEEN + 13;

  private OffsetIndex index = new OffsetIndex(0);
  private long asked;

  @Setup
  public void fill() {
    index = new OffsetIndex(0);
    for (int i = 1; i < PAIRS; i++) {
      index.add((long) i * RECORDS_BETWEEN, i * INTERVAL_BYTES);
    }
  }

  @Benchmark
  public int lookUp() {
    asked = (asked + STEP) % ((long) PAIRS * RECORDS_BETWEEN);
    return index.positionOrZero(index.floorByOffset(asked));
  }
}
