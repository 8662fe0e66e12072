package io.minikafka.topic;

import io.minikafka.EngineObserver;
import io.minikafka.TopicPartition;
import io.minikafka.log.DirectorySettings;
import io.minikafka.log.LogDirectory;
import io.minikafka.partition.AppendResult;
import io.minikafka.partition.Durability;
import io.minikafka.partition.Partition;
import io.minikafka.sim.PowerOff;
import io.minikafka.sim.SimClock;
import io.minikafka.sim.SimDisk;
import io.minikafka.sim.SimExecutor;
import io.minikafka.storage.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One life of a broker's topics, over the local store on a disk that forgets. Everything runs on
 * the test's thread, until nothing is left to do or the process was ended.
 */
final class SimBroker {
  static final Path DATA = Path.of("/data");

  /** Never the same again, over all lives. */
  private static final AtomicLong IDS = new AtomicLong();

  private final SimDisk disk;
  private final SimExecutor worker;
  private final SimExecutor forcer;
  private final SimClock clock = new SimClock();

  final LogDirectory logs;
  final Topics topics;

  private SimBroker(SimDisk power, Disk disk, long seed, long descriptorLimit) throws IOException {
    this.disk = power;
    this.worker = new SimExecutor(seed);
    this.forcer = new SimExecutor(seed + 1);
    this.logs =
        LogDirectory.open(
            DATA,
            new DirectorySettings(
                1 << 28,
                2,
                30_000,
                30_000,
                1_000,
                64,
                1 << 20,
                1 << 20,
                descriptorLimit,
                100,
                1 << 20,
                1 << 20,
                0),
            new LogDirectory.Surroundings(
                disk, clock, clock, worker, forcer, EngineObserver.NONE, reason -> {}));
    this.topics =
        new Topics(
            logs,
            Fixtures.DEFAULTS,
            new Partition.Surroundings(clock, clock, worker, EngineObserver.NONE),
            () -> new UUID(7, IDS.incrementAndGet()),
            new Topics.Start(3, false),
            TopicListener.NONE);
  }

  /**
   * Starts and waits for all that the start brings with it.
   *
   * @throws PowerOff if the process was ended meanwhile
   */
  static SimBroker start(SimDisk disk, long seed, long descriptorLimit) throws IOException {
    return start(disk, disk, seed, descriptorLimit);
  }

  /**
   * @param power the disk that may be turned off
   * @param disk that disk, or what stands before it
   */
  static SimBroker start(SimDisk power, Disk disk, long seed, long descriptorLimit)
      throws IOException {
    SimBroker broker = new SimBroker(power, disk, seed, descriptorLimit);
    broker.await(broker.topics.start());
    return broker;
  }

  /** Runs until nothing is left to do. */
  <T> T await(CompletableFuture<T> answer) {
    while (worker.runOne() || forcer.runOne()) {}
    if (disk.isOff()) {
      throw off();
    }
    return Fixtures.now(answer);
  }

  /** The process was ended, and somebody noticed or not. */
  private PowerOff off() {
    try {
      disk.exists(DATA);
    } catch (PowerOff e) {
      return e;
    }
    throw new AssertionError("it is not off");
  }

  AppendResult append(String topic, int partition) {
    Partition live = topics.partition(new TopicPartition(topic, partition)).orElseThrow();
    CompletableFuture<AppendResult> answer = new CompletableFuture<>();
    live.append(Fixtures.batch(1, 10), Durability.FLUSHED, answer::complete);
    return await(answer);
  }

  void stop() throws IOException {
    await(topics.close());
    logs.close();
  }
}
