package io.minikafka.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.EngineObserver;
import io.minikafka.partition.AppendResult.Appended;
import io.minikafka.partition.AppendResult.Reason;
import io.minikafka.partition.AppendResult.Refused;
import io.minikafka.record.CheckedBatch;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/**
 * Real threads against one partition: producers, a worker, a forcer, and somebody who changes
 * settings or closes. What must hold does not depend on who is first.
 */
class RacesTest {
  private static final int PRODUCERS = 4;
  private static final int BATCHES = 60;

  private final List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());

  /** One producer's batch and what came of it. */
  private static final class Sent {
    final int producer;
    final AtomicInteger answers = new AtomicInteger();
    volatile AppendResult result = new Refused(Reason.STORAGE_FAILED, "no answer");

    Sent(int producer) {
      this.producer = producer;
    }
  }

  @Test
  void orderDurabilityAndVisibilityHoldHoweverThreadsMeet() throws Exception {
    long first = Long.getLong("seed", 1);
    int rounds = System.getProperty("seed") == null ? 120 : 1;
    for (long seed = first; seed < first + rounds; seed++) {
      round(seed);
      if (!failures.isEmpty()) {
        AssertionError error = new AssertionError("seed " + seed + ": " + failures.getFirst());
        failures.forEach(error::addSuppressed);
        throw error;
      }
    }
  }

  /**
   * A batch stands in the queue a moment before it is counted. A writer that takes it then must not
   * take it for counted, or two writers are at work soon after.
   */
  @Test
  void thereIsNeverASecondWriter() throws Exception {
    int offers = 150_000;
    AtomicInteger inside = new AtomicInteger();
    AtomicLong written = new AtomicLong();
    MemoryStore store =
        new MemoryStore() {
          @Override
          public void append(List<StampedBatch> batches) {
            assertEquals(1, inside.incrementAndGet(), "writers");
            written.addAndGet(batches.size());
            inside.decrementAndGet();
          }
        };
    CountDownLatch answered = new CountDownLatch(3 * offers);
    try (ExecutorService worker = Executors.newSingleThreadExecutor();
        ExecutorService threads = Executors.newFixedThreadPool(3)) {
      Partition partition = partition(store, FlushPolicy.NONE, worker);
      for (int p = 0; p < 3; p++) {
        CheckedBatch batch = Bench.batch(1);
        threads.execute(
            () ->
                guarded(
                    () -> {
                      for (int i = 0; i < offers; i++) {
                        partition.append(batch, Durability.TOPIC, result -> answered.countDown());
                      }
                    }));
      }
      while (failures.isEmpty() && !answered.await(10, TimeUnit.MILLISECONDS)) {}
    }
    assertEquals(List.of(), failures);
    assertEquals(3L * offers, written.get());
  }

  private static Partition partition(MemoryStore store, FlushPolicy policy, Executor worker) {
    return new Partition(
        Bench.ID,
        store,
        Bench.settings(policy),
        new Partition.Surroundings(
            () -> Instant.EPOCH, System::nanoTime, worker, EngineObserver.NONE),
        risen -> {});
  }

  private void round(long seed) throws Exception {
    SplittableRandom random = new SplittableRandom(seed);
    FlushPolicy policy = FlushPolicy.values()[random.nextInt(3)];
    boolean closesEarly = random.nextInt(4) == 0;
    boolean changes = random.nextInt(4) == 0;
    MemoryStore store = new MemoryStore();
    // Tells of the future on purpose: appends move between caller and worker all the time.
    int odds = random.nextInt(1, 8);
    AtomicInteger asked = new AtomicInteger();
    store.mayBlock = bytes -> asked.incrementAndGet() % odds == 0;
    List<Sent> sent = new ArrayList<>();
    Queue<Sent> acknowledgedDurable = new ConcurrentLinkedQueue<>();
    CountDownLatch answered = new CountDownLatch(PRODUCERS * BATCHES);
    try (ExecutorService worker = Executors.newFixedThreadPool(2);
        ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS + 2)) {
      Partition partition = partition(store, policy, worker);
      CyclicBarrier start = new CyclicBarrier(PRODUCERS + 2);
      for (int p = 0; p < PRODUCERS; p++) {
        int producer = p;
        SplittableRandom own = random.split();
        List<Sent> mine = new ArrayList<>();
        List<CheckedBatch> batches = new ArrayList<>();
        for (int i = 0; i < BATCHES; i++) {
          mine.add(new Sent(producer));
          batches.add(Bench.batch(own.nextInt(1, 4)));
        }
        sent.addAll(mine);
        threads.execute(
            () ->
                guarded(
                    () -> {
                      start.await();
                      for (int i = 0; i < BATCHES; ) {
                        boolean mustDrain = false;
                        for (int n = own.nextInt(1, 5); n > 0 && i < BATCHES; n--, i++) {
                          Sent one = mine.get(i);
                          Durability wanted = Durability.values()[own.nextInt(3)];
                          mustDrain |=
                              partition.offer(
                                  batches.get(i),
                                  wanted,
                                  result -> {
                                    one.result = result;
                                    one.answers.incrementAndGet();
                                    guarded(
                                        () ->
                                            check(
                                                partition, store, wanted, policy, changes, result));
                                    if (result instanceof Appended done
                                        && done.reached() == Durability.FLUSHED) {
                                      acknowledgedDurable.add(one);
                                    }
                                    answered.countDown();
                                  });
                        }
                        if (mustDrain) {
                          partition.drain();
                        }
                      }
                    }));
      }
      CountDownLatch closed = new CountDownLatch(1);
      threads.execute(
          () ->
              guarded(
                  () -> {
                    start.await();
                    while (answered.getCount() > 0 && failures.isEmpty()) {
                      store.force();
                      Thread.onSpinWait();
                    }
                  }));
      threads.execute(
          () ->
              guarded(
                  () -> {
                    start.await();
                    if (changes) {
                      for (FlushPolicy next : FlushPolicy.values()) {
                        var _ = partition.configure(Bench.settings(next));
                      }
                    }
                    if (!closesEarly) {
                      answered.await(20, TimeUnit.SECONDS);
                    }
                    partition
                        .close(Reason.SHUTTING_DOWN, "stopping")
                        .whenComplete((nothing, failure) -> closed.countDown());
                  }));
      if (!answered.await(20, TimeUnit.SECONDS)) {
        failures.add(new AssertionError(answered.getCount() + " batches without an answer"));
        answered.countDown();
      }
      if (!closed.await(20, TimeUnit.SECONDS)) {
        failures.add(new AssertionError("not closed"));
      }
    }
    if (failures.isEmpty()) {
      everybodysOrderIsKept(store, sent, acknowledgedDurable, closesEarly);
    }
  }

  private static void check(
      Partition partition,
      MemoryStore store,
      Durability wanted,
      FlushPolicy policy,
      boolean changes,
      AppendResult result) {
    if (!(result instanceof Appended appended)) {
      return;
    }
    if (appended.reached() == Durability.FLUSHED) {
      assertTrue(store.snapshot().durable() > appended.baseOffset(), "acknowledged too early");
      assertTrue(partition.highWatermark() > appended.baseOffset(), "acknowledged unseen");
    } else if (policy != FlushPolicy.COMMIT && !changes) {
      assertTrue(partition.highWatermark() > appended.baseOffset(), "acknowledged unseen");
    }
    assertTrue(
        wanted != Durability.FLUSHED || appended.reached() == Durability.FLUSHED, "wanted more");
  }

  private static void everybodysOrderIsKept(
      MemoryStore store, List<Sent> sent, Queue<Sent> durable, boolean closesEarly) {
    long[] last = new long[PRODUCERS];
    boolean[] refused = new boolean[PRODUCERS];
    Arrays.fill(last, -1);
    for (Sent one : sent) {
      assertEquals(1, one.answers.get(), "answers");
      switch (one.result) {
        case Appended appended -> {
          assertTrue(appended.baseOffset() > last[one.producer], "out of order");
          assertTrue(!refused[one.producer], "a later batch in, an earlier one refused");
          last[one.producer] = appended.baseOffset();
        }
        case Refused why -> {
          assertTrue(closesEarly, why::toString);
          assertEquals(Reason.SHUTTING_DOWN, why.reason());
          refused[one.producer] = true;
        }
      }
    }
    assertEquals(store.snapshot().end(), store.snapshot().durable());
    long before = -1;
    for (Sent one : durable) {
      long base = ((Appended) one.result).baseOffset();
      assertTrue(base > before, "durable acknowledgements out of order");
      before = base;
    }
  }

  private interface Work {
    void run() throws Exception;
  }

  private void guarded(Work work) {
    try {
      work.run();
    } catch (Throwable e) {
      failures.add(e);
    }
  }
}
