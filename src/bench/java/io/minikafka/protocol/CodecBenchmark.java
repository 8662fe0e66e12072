package io.minikafka.protocol;

import io.minikafka.codec.BufferSink;
import io.minikafka.codec.Bytes;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Messages of the data port to bytes and back, batches and entries left where they lie. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CodecBenchmark {
  private static final UUID TOPIC = new UUID(1, 2);

  private final Produce.Request produce =
      new Produce.Request(TOPIC, 3, 0, 0, Bytes.of(new byte[128]));
  private final Fetch.Request fetch =
      new Fetch.Request(500, 1, 1 << 20, 19, List.of(new Fetch.Partition(TOPIC, 3, 7, 1, 1 << 20)));
  private final ByteBuffer produceBytes = BufferSink.encode(Produce.V1.request(), produce);
  private final ByteBuffer fetchBytes = BufferSink.encode(Fetch.V1.request(), fetch);
  private final BufferSink sink = new BufferSink(1 << 10);

  @Benchmark
  public int writeProduce() {
    sink.clear();
    Produce.V1.request().write(produce, sink);
    return sink.length();
  }

  @Benchmark
  public Produce.Request readProduce() {
    return Produce.V1.request().read(produceBytes.rewind());
  }

  @Benchmark
  public int writeFetch() {
    sink.clear();
    Fetch.V1.request().write(fetch, sink);
    return sink.length();
  }

  @Benchmark
  public Fetch.Request readFetch() {
    return Fetch.V1.request().read(fetchBytes.rewind());
  }
}
