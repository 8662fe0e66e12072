package io.minikafka.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.Pressure;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.Partition;
import io.minikafka.protocol.Fetch;
import io.minikafka.topic.Topic;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * No wake-up is lost. The clock stands still, so a fetch that misses the record it waits for waits
 * for ever. Replay one with {@code -Dseed=N}.
 */
class ParkedFetchesRaceTest {
  private static final int ROUNDS = 15;
  private static final int PARTITIONS = 3;
  private static final int PRODUCERS = 3;
  private static final int CONSUMERS = 4;
  private static final int BATCHES = 150;

  @TempDir Path directory;

  /** A consumer's connection: one thread, and one fetch after the other over all partitions. */
  private static final class Consumer implements Session.Peer {
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final Random random;
    private final Topic topic;
    private final Session session;
    private final CountDownLatch finished;
    private final long[] offsets = new long[PARTITIONS];
    private final long[] last;

    Consumer(TestBroker broker, Topic topic, long[] last, CountDownLatch finished, long seed) {
      this.topic = topic;
      this.last = last;
      this.finished = finished;
      this.random = new Random(seed);
      this.session = broker.dispatcher.open(TestBroker.caller(1), this);
    }

    @Override
    public void execute(Runnable work) {
      thread.execute(work);
    }

    @Override
    public void slowDown(Pressure pressure) {}

    @Override
    public boolean congested() {
      return false;
    }

    void fetch() {
      List<Fetch.Partition> wanted = new ArrayList<>();
      for (int i = 0; i < PARTITIONS; i++) {
        wanted.add(new Fetch.Partition(topic.id(), i, offsets[i], 0, 1 << 20));
      }
      int minBytes = random.nextBoolean() ? 1 : 100;
      session.request(
          Fetch.V1,
          new Fetch.Request(60_000, minBytes, 1 << 20, 0x13, wanted),
          reply -> execute(() -> take(reply)));
    }

    private void take(Reply<Fetch.Response> reply) {
      if (!(reply instanceof Reply.Answer<Fetch.Response>(Fetch.Response response))) {
        throw new AssertionError(reply);
      }
      boolean all = true;
      for (Fetch.Answer answer : response.answers()) {
        offsets[answer.partition()] += Entries.records(answer.entries()).size();
        all &= offsets[answer.partition()] == last[answer.partition()];
      }
      if (all) {
        finished.countDown();
      } else {
        fetch();
      }
    }
  }

  @Test
  void everyRecordReachesEveryoneWhoWaits() throws Exception {
    Long only = Long.getLong("seed");
    long base = only == null ? System.nanoTime() : only;
    for (int round = 0; round < (only == null ? ROUNDS : 1); round++) {
      for (FlushPolicy policy : List.of(FlushPolicy.NONE, FlushPolicy.COMMIT)) {
        run(policy, base + round);
      }
    }
  }

  private void run(FlushPolicy policy, long seed) throws Exception {
    ExecutorService worker = Executors.newFixedThreadPool(2);
    Path place = java.nio.file.Files.createTempDirectory(directory, "round");
    HandTimers timers = new HandTimers();
    BrokerLimits limits = new BrokerLimits(1 << 20, 1 << 20, 60_000, 100, 1_000);
    TestBroker broker =
        new TestBroker(place, policy, limits, timers, worker, new HeapPool(), EngineObserver.NONE);
    Topic topic = broker.create("t", PARTITIONS);
    long[] last = new long[PARTITIONS];
    for (int i = 0; i < PRODUCERS * BATCHES; i++) {
      last[i % PARTITIONS]++;
    }
    CountDownLatch finished = new CountDownLatch(CONSUMERS);
    List<Consumer> consumers = new ArrayList<>();
    for (int i = 0; i < CONSUMERS; i++) {
      Consumer consumer = new Consumer(broker, topic, last, finished, seed + i);
      consumers.add(consumer);
      consumer.execute(consumer::fetch);
    }
    List<Thread> producers = new ArrayList<>();
    for (int i = 0; i < PRODUCERS; i++) {
      int number = i;
      producers.add(Thread.ofPlatform().start(() -> produce(topic, number, seed)));
    }
    for (Thread producer : producers) {
      producer.join();
    }
    assertTrue(
        finished.await(20, TimeUnit.SECONDS),
        "a wake-up was lost under " + policy + "; replay with -Dseed=" + seed);
    assertEquals(0, broker.parkedFetches.count());
    assertEquals(0, timers.waiting());
    assertEquals(0, broker.stores.leases.get());
    for (Consumer consumer : consumers) {
      consumer.thread.shutdown();
    }
    broker.close();
    worker.shutdown();
  }

  private static void produce(Topic topic, int number, long seed) {
    Random random = new Random(seed * 31 + number);
    for (int i = 0; i < BATCHES; i++) {
      Partition partition = topic.partitions().get((number * BATCHES + i) % PARTITIONS);
      Entries.append(partition, Entries.batch("v"));
      for (int spin = random.nextInt(2_000); spin > 0; spin--) {
        Thread.onSpinWait();
      }
    }
  }
}
