package io.minikafka.broker;

import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.codec.Bytes;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.Partition;
import io.minikafka.protocol.Fetch;
import io.minikafka.topic.Topic;
import java.io.IOException;
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
 * A fetch that finds nothing and is parked, the record it waits for, and its answer; everything on
 * one thread, over the tests' store, beside fetches that wait for something else.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class WakeBenchmark {
  private static final int KINDS_READ = 0x13;
  private static final int FETCH_BYTES = 1 << 20;
  private static final int MAX_WAIT_MS = 60_000;
  private static final int MAX_PARKED = 10_000;

  /** Fetches that wait in another partition. */
  @Param({"0", "1000"})
  public int others;

  private @Nullable Stage stage;

  /** A broker with a topic of two partitions, and a connection. */
  private record Stage(
      Path directory, TestBroker broker, Topic topic, Session session, HandPeer peer) {

    void fetch(int partition, long offset, int[] answered) {
      Fetch.Partition part = new Fetch.Partition(topic.id(), partition, offset, 0, FETCH_BYTES);
      session.request(
          Fetch.V1,
          new Fetch.Request(MAX_WAIT_MS, 1, FETCH_BYTES, KINDS_READ, List.of(part)),
          reply -> {
            if (reply instanceof Reply.Answer<Fetch.Response>(Fetch.Response response)) {
              response.answers().forEach(answer -> answer.entries().release());
              answered[0]++;
            }
          });
    }
  }

  @Setup(Level.Iteration)
  public void open() throws Exception {
    Path directory = Files.createTempDirectory(Path.of(""), "bench-wake-");
    BrokerLimits limits =
        new BrokerLimits(FETCH_BYTES, FETCH_BYTES, MAX_WAIT_MS, MAX_PARKED, 1_000);
    TestBroker broker =
        new TestBroker(
            directory,
            FlushPolicy.NONE,
            limits,
            new HandTimers(),
            Runnable::run,
            new HeapPool(),
            EngineObserver.NONE);
    Topic topic = broker.create("t", 2);
    HandPeer peer = new HandPeer();
    Session session = broker.dispatcher.open(TestBroker.caller(1), peer);
    Stage made = new Stage(directory, broker, topic, session, peer);
    for (int i = 0; i < others; i++) {
      made.fetch(1, 0, new int[1]);
    }
    peer.run();
    stage = made;
  }

  private Stage stage() {
    if (stage == null) {
      throw new IllegalStateException("not set up");
    }
    return stage;
  }

  @Benchmark
  public int wake() {
    Stage now = stage();
    Partition partition = now.topic.partitions().getFirst();
    int[] answered = new int[1];
    now.fetch(0, partition.snapshot().end(), answered);
    now.peer.run();
    Bytes batch = Entries.batch("x");
    Entries.append(partition, batch);
    now.peer.run();
    if (answered[0] != 1) {
      throw new IllegalStateException("the fetch was not answered");
    }
    return answered[0];
  }

  @TearDown(Level.Iteration)
  public void close() throws Exception {
    Stage last = stage();
    last.session.close();
    last.broker.close();
    delete(last.directory);
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
