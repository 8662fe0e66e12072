package io.minikafka.partition;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.partition.AppendResult.Appended;
import io.minikafka.partition.AppendResult.Reason;
import io.minikafka.partition.AppendResult.Refused;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The appends of one partition that wait to be durable, in offset order. Any thread; callbacks run
 * outside the lock, one at a time, in offset order.
 */
final class Acknowledgements {
  private final PartitionId id;
  private final PartitionStore store;
  private final LongSupplier nanoTime;
  private final EngineObserver observer;
  private final Runnable makeVisible;

  // Guarded by itself.
  private final Deque<Waiting> waiting = new ArrayDeque<>();

  /** Guarded by {@link #waiting}: somebody is completing and will look again before it stops. */
  private boolean completing;

  /** Guarded by {@link #waiting}: why nothing will become durable any more. */
  private @Nullable String failed;

  private record Waiting(long upTo, Consumer<@Nullable String> done) {}

  /**
   * @param makeVisible raises the high watermark to what the store says by now
   */
  Acknowledgements(
      PartitionId id, PartitionStore store, Partition.Surroundings around, Runnable makeVisible) {
    this.id = id;
    this.store = store;
    this.nanoTime = around.nanoTime();
    this.observer = around.observer();
    this.makeVisible = makeVisible;
  }

  /** Answers an append at once: written is enough. */
  void written(StampedBatch batch, int epoch, long offeredNanos, Consumer<AppendResult> done) {
    AppendResult result = appended(batch, epoch, Durability.WRITTEN);
    Outside.run(id, () -> done.accept(result));
    observer.onAcknowledged(id, false, nanoTime.getAsLong() - offeredNanos);
  }

  /**
   * Answers an append when it is durable. Called in offset order; flush and complete come after.
   */
  void durable(StampedBatch batch, int epoch, long offeredNanos, Consumer<AppendResult> done) {
    add(
        batch.nextOffset(),
        failure -> {
          if (failure == null) {
            done.accept(appended(batch, epoch, Durability.FLUSHED));
            observer.onAcknowledged(id, true, nanoTime.getAsLong() - offeredNanos);
          } else {
            done.accept(new Refused(Reason.STORAGE_FAILED, failure));
          }
        });
  }

  /**
   * Runs {@code work} when all below {@code upTo} is durable, or when that can no longer happen.
   */
  void whenDurable(long upTo, Runnable work) {
    add(upTo, failure -> work.run());
    complete();
  }

  private void add(long upTo, Consumer<@Nullable String> done) {
    synchronized (waiting) {
      waiting.add(new Waiting(upTo, done));
    }
  }

  /** Answers whatever is durable by now. */
  void complete() {
    synchronized (waiting) {
      if (completing) {
        return;
      }
      completing = true;
    }
    // Below it all is known to be visible. The store publishes a new durable offset a moment before
    // it tells, so whoever looks here may be the first to see it.
    long visible = Long.MIN_VALUE;
    while (true) {
      Optional<Waiting> next = Optional.empty();
      String failure;
      synchronized (waiting) {
        Waiting first = waiting.peek();
        long durable = store.snapshot().durable();
        if (first == null || (first.upTo > durable && failed == null)) {
          completing = false;
          return;
        }
        failure = first.upTo > durable ? failed : null;
        if (failure == null && first.upTo > visible) {
          visible = durable;
        } else {
          next = Optional.of(waiting.remove());
        }
      }
      // Visible before acknowledged: who has its acknowledgement can read what it wrote.
      String outcome = failure;
      next.ifPresentOrElse(
          waiter -> Outside.run(id, () -> waiter.done.accept(outcome)), makeVisible);
    }
  }

  /** Refuses all that wait and all that will: nothing becomes durable any more. */
  void failAll(String reason) {
    synchronized (waiting) {
      failed = reason;
    }
    complete();
  }

  /**
   * The log can be written again after all, up from where it ends now. Of what was behind that and
   * has no answer yet nothing is left.
   */
  void goOn() {
    List<Waiting> gone;
    synchronized (waiting) {
      failed = null;
      long end = store.snapshot().end();
      gone = waiting.stream().filter(waiter -> waiter.upTo > end).toList();
      waiting.removeAll(gone);
    }
    gone.forEach(
        waiter -> Outside.run(id, () -> waiter.done.accept("the log was cut by a repair")));
    complete();
  }

  private AppendResult appended(StampedBatch batch, int epoch, Durability reached) {
    PartitionStore.Snapshot now = store.snapshot();
    return new Appended(
        batch.baseOffset(), now.durable(), now.start(), batch.appendTime(), epoch, reached);
  }
}
