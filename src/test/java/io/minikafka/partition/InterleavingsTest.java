package io.minikafka.partition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.AppendResult.Appended;
import io.minikafka.partition.AppendResult.Reason;
import io.minikafka.partition.AppendResult.Refused;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/**
 * One thread that does everything in any order: offers, drains late, lets the worker go on, forces
 * a part, publishes before it tells, runs out of room, changes settings, fails, closes. {@code
 * -Dseed=n} repeats one round.
 */
class InterleavingsTest {
  private static final int STEPS = 120;

  @Test
  void orderDurabilityAndVisibilityHoldInEveryOrderOfThings() {
    long first = Long.getLong("seed", 1);
    int rounds = System.getProperty("seed") == null ? 4000 : 1;
    for (long seed = first; seed < first + rounds; seed++) {
      try {
        new Round(seed).play();
      } catch (RuntimeException | AssertionError e) {
        throw new AssertionError("seed " + seed, e);
      }
    }
  }

  /** A batch that was offered, and what it was told. */
  private static final class Offered {
    final Durability wanted;
    final List<AppendResult> answers = new ArrayList<>();

    Offered(Durability wanted) {
      this.wanted = wanted;
    }

    AppendResult answer() {
      assertEquals(1, answers.size(), "answers");
      return answers.getFirst();
    }
  }

  private static final class Round {
    final SplittableRandom random;
    final Bench bench;
    final List<Offered> offered = new ArrayList<>();
    final List<String> problems = new ArrayList<>();
    final List<CompletableFuture<Void>> changes = new ArrayList<>();
    Optional<CompletableFuture<Void>> closing = Optional.empty();
    boolean mustDrain;
    boolean offline;
    boolean everNotCommit;
    long lastDurableAnswer = -1;

    Round(long seed) {
      random = new SplittableRandom(seed);
      bench = new Bench(policy());
      everNotCommit = bench.partition.settings().store().flushPolicy() != FlushPolicy.COMMIT;
      int odds = random.nextInt(1, 6);
      bench.store.mayBlock = bytes -> random.nextInt(odds + 1) == 0;
      bench.store.duringAppend = () -> bench.nanos += random.nextInt(20) == 0 ? 6_000_000 : 1000;
    }

    void play() {
      for (int step = 0; step < STEPS; step++) {
        step();
        assertTrue(bench.partition.highWatermark() <= bench.store.snapshot().end());
      }
      finish();
    }

    private void step() {
      switch (random.nextInt(20)) {
        case 0, 1, 2, 3, 4, 5 -> offer();
        case 6, 7 -> drain();
        case 8, 9, 10 -> bench.worker.runNext();
        case 11, 12 -> bench.store.forceTo(somewhere());
        case 13 -> bench.store.forceSilently(somewhere());
        case 14 -> bench.store.tell();
        case 15 -> bench.store.force();
        case 16 -> roomOrNot();
        case 17 -> change();
        case 18 -> bench.millis += random.nextInt(-5, 6);
        default -> rarely();
      }
    }

    private void offer() {
      Offered one = new Offered(Durability.values()[random.nextInt(3)]);
      offered.add(one);
      boolean again = random.nextInt(6) == 0;
      int bytes = random.nextInt(12) == 0 ? 300_000 : random.nextInt(1, 50);
      mustDrain |=
          bench.partition.offer(
              Bench.batch(random.nextInt(1, 4), bytes),
              one.wanted,
              result -> {
                one.answers.add(result);
                if (result instanceof Appended done) {
                  check(one, done);
                }
                if (again && !mustDrain) {
                  offer();
                }
              });
    }

    private void drain() {
      if (mustDrain) {
        mustDrain = false;
        bench.partition.drain();
      }
    }

    private long somewhere() {
      PartitionStore.Snapshot now = bench.store.snapshot();
      return random.nextLong(now.durable(), now.end() + 1);
    }

    private void roomOrNot() {
      if (!offline) {
        bench.store.trouble =
            random.nextInt(3) > 0
                ? Optional.empty()
                : Optional.of(
                    () -> {
                      throw new NoRoomException("full", new IOException("full"));
                    });
      }
    }

    private void change() {
      FlushPolicy policy = policy();
      everNotCommit |= policy != FlushPolicy.COMMIT;
      changes.add(bench.partition.configure(Bench.settings(policy)));
    }

    private void rarely() {
      if (random.nextInt(10) == 0) {
        offline = true;
        bench.store.goOffline("gone");
      } else if (random.nextInt(10) == 0 && closing.isEmpty()) {
        closing = Optional.of(bench.partition.close(Reason.DELETED, "deleted"));
      }
    }

    /**
     * What must be true at the moment of an answer. It runs in a callback, whose exceptions go no
     * further, so it keeps what it finds.
     */
    private void check(Offered one, Appended done) {
      if (done.reached() == Durability.FLUSHED) {
        expect(bench.store.snapshot().durable() > done.baseOffset(), "not durable");
        expect(bench.partition.highWatermark() > done.baseOffset(), "not visible");
        expect(done.baseOffset() > lastDurableAnswer, "out of order");
        lastDurableAnswer = done.baseOffset();
      } else {
        expect(one.wanted != Durability.FLUSHED, "less than asked");
        expect(one.wanted == Durability.WRITTEN || everNotCommit, "less than the policy");
      }
    }

    private void expect(boolean held, String problem) {
      if (!held) {
        problems.add(problem);
      }
    }

    private void finish() {
      for (int i = 0; i < 5; i++) {
        drain();
        bench.worker.runAll();
        if (!offline && !bench.store.closed) {
          bench.store.trouble = Optional.empty();
          bench.store.force();
        }
      }
      long base = -1;
      for (Offered one : offered) {
        switch (one.answer()) {
          case Appended done -> {
            assertTrue(done.baseOffset() > base, "not in the order offered");
            base = done.baseOffset();
          }
          case Refused refused -> expected(refused);
        }
      }
      assertEquals(List.of(), problems);
      changes.forEach(change -> assertTrue(change.isDone(), "a change of settings that hangs"));
      closing.ifPresent(close -> assertTrue(close.isDone(), "a close that hangs"));
    }

    private void expected(Refused refused) {
      boolean fits =
          switch (refused.reason()) {
            case DISK_FULL -> true;
            case STORAGE_FAILED -> offline;
            case DELETED -> closing.isPresent();
            case TOO_LARGE, KEYLESS, SHUTTING_DOWN -> false;
          };
      assertTrue(fits, refused::toString);
    }

    private FlushPolicy policy() {
      return FlushPolicy.values()[random.nextInt(3)];
    }
  }
}
