package io.minikafka.partition;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.partition.AppendResult.Reason;
import io.minikafka.partition.AppendResult.Refused;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.CheckedBatch;
import io.minikafka.record.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The batches of one partition on their way into the store: first come, first written, one writer
 * at a time and no lock. Whoever offers to an idle queue becomes its writer and stays it until the
 * queue is empty or is handed to the worker, which happens when a write may block, when the writer
 * has done its share ({@link #BURST_BATCHES} or {@link #BURST_BYTES}), or while writes are slow.
 */
final class AppendQueue {
  static final int BURST_BATCHES = 8;
  static final int BURST_BYTES = 1 << 20;

  /** A batch this large goes to the worker when others wait behind it. */
  static final int LARGE_BATCH_BYTES = 256 << 10;

  /** A write that takes longer moves the queue to the worker ... */
  static final long SLOW_WRITE_NANOS = 5_000_000;

  /** ... until so many in a row were faster. */
  static final int FAST_WRITES = 8;

  private final PartitionId id;
  private final PartitionStore store;
  private final long partitionHash;
  private final Partition.Surroundings around;
  private final EngineObserver observer;
  private final Supplier<PartitionSettings> settings;
  private final Acknowledgements acknowledgements;
  private final Runnable onWritten;

  private final Queue<Item> items = new ConcurrentLinkedQueue<>();

  /** Items offered and not yet dealt with; who raises it from 0 is the writer. */
  private final AtomicInteger pending = new AtomicInteger();

  // Touched only by the writer of the moment.
  private final List<Batch> burst = new ArrayList<>(BURST_BATCHES);
  private final List<StampedBatch> stamped = new ArrayList<>(BURST_BATCHES);
  private int slowWrites;
  private int stepItems;

  private sealed interface Item {}

  private record Batch(
      CheckedBatch batch, Durability wanted, Consumer<AppendResult> done, long offeredNanos)
      implements Item {}

  /** Work between two batches. */
  private record Barrier(Runnable work, boolean onWorker) implements Item {}

  AppendQueue(
      PartitionId id,
      PartitionStore store,
      long partitionHash,
      Partition.Surroundings around,
      Supplier<PartitionSettings> settings,
      Acknowledgements acknowledgements,
      Runnable onWritten) {
    this.id = id;
    this.store = store;
    this.partitionHash = partitionHash;
    this.around = around;
    this.observer = around.observer();
    this.settings = settings;
    this.acknowledgements = acknowledgements;
    this.onWritten = onWritten;
  }

  /**
   * @return whether the caller is the writer now and must drain
   */
  boolean offer(CheckedBatch batch, Durability wanted, Consumer<AppendResult> done) {
    return enqueue(new Batch(batch, wanted, done, around.nanoTime().getAsLong()));
  }

  /** Runs short work when all offered before has been written and nothing later. */
  void barrier(Runnable work) {
    if (enqueue(new Barrier(work, false))) {
      drain();
    }
  }

  /** Like {@link #barrier} for work that may block. */
  void barrierOnWorker(Runnable work) {
    if (enqueue(new Barrier(work, true))) {
      drain();
    }
  }

  private boolean enqueue(Item item) {
    items.add(item);
    return pending.getAndIncrement() == 0;
  }

  /** By the writer only, on a thread that must not block. */
  void drain() {
    int items = 0;
    long bytes = 0;
    while (items < BURST_BATCHES && bytes < BURST_BYTES && !mustMove()) {
      bytes += step(true);
      items += stepItems;
      if (pending.addAndGet(-stepItems) == 0) {
        return;
      }
    }
    around.worker().execute(this::drainOnWorker);
  }

  private void drainOnWorker() {
    do {
      step(false);
    } while (pending.addAndGet(-stepItems) != 0);
  }

  private boolean mustMove() {
    return switch (items.element()) {
      case Barrier barrier -> barrier.onWorker;
      case Batch next ->
          slowWrites > 0
              || store.appendMayBlock(next.batch.bytes())
              || (next.batch.bytes() > LARGE_BATCH_BYTES && pending.get() > 1);
    };
  }

  /**
   * Deals with one barrier or one burst of batches; sets {@link #stepItems}.
   *
   * @return bytes written or refused
   */
  private long step(boolean mustNotBlock) {
    stepItems = 1;
    switch (items.remove()) {
      case Barrier barrier -> {
        barrier.work.run();
        return 0;
      }
      case Batch first -> {
        burst.add(first);
        long bytes = first.batch.bytes();
        while (burst.size() < BURST_BATCHES
            && items.peek() instanceof Batch next
            && bytes + next.batch.bytes() <= BURST_BYTES
            && !(mustNotBlock && store.appendMayBlock((int) bytes + next.batch.bytes()))) {
          items.remove();
          burst.add(next);
          bytes += next.batch.bytes();
        }
        stepItems = burst.size();
        try {
          write(bytes);
        } finally {
          burst.clear();
          stamped.clear();
        }
        return bytes;
      }
    }
  }

  private void write(long bytes) {
    PartitionStore.Snapshot before = store.snapshot();
    long began = around.nanoTime().getAsLong();
    try {
      stamp(before);
      store.append(stamped);
    } catch (NoRoomException e) {
      observer.onWriteFailed(id, true, String.valueOf(e.getMessage()));
      refuseAll(new Refused(Reason.DISK_FULL, "no room on the broker's disk; nothing was written"));
      return;
    } catch (IOException | RuntimeException e) {
      observer.onWriteFailed(id, false, String.valueOf(e));
      refuseAll(new Refused(Reason.STORAGE_FAILED, "the append failed: " + e.getMessage()));
      return;
    }
    long took = around.nanoTime().getAsLong() - began;
    slowWrites = took > SLOW_WRITE_NANOS ? FAST_WRITES : Math.max(0, slowWrites - 1);
    long records = stamped.getLast().nextOffset() - before.end();
    observer.onWrite(id, stamped.size(), records, bytes, took);
    // Visible before acknowledged: who has its acknowledgement can read what it wrote.
    onWritten.run();
    acknowledge(before.epoch());
  }

  /** Gives each batch its offsets, in place, and its marker the broker's fields. */
  private void stamp(PartitionStore.Snapshot before) {
    long now = Math.max(around.wallClock().millis(), before.lastAppendTime());
    long base = before.end();
    for (Batch next : burst) {
      CheckedBatch batch = next.batch;
      if (base > Long.MAX_VALUE - batch.span()) {
        throw new IllegalStateException("the partition has used up its 2^63-1 offsets");
      }
      ByteBuffer out = batch.buffer();
      long offset = base;
      for (int at = batch.entriesAt(); at < batch.limit(); at += Entry.bytes(out, at)) {
        out.putLong(at + Entry.OFFSET, offset++);
      }
      BatchMarker.stamp(
          out, batch.markerAt(), base, before.epoch(), now, before.durable(), partitionHash);
      stamped.add(
          new StampedBatch(
              out, batch.markerAt(), batch.bytes(), base, batch.span(), batch.maxTimestamp(), now));
      base = offset;
    }
  }

  private void acknowledge(int epoch) {
    boolean commit = settings.get().store().flushPolicy() == FlushPolicy.COMMIT;
    boolean flush = commit;
    for (int i = 0; i < stamped.size(); i++) {
      Batch offered = burst.get(i);
      boolean waits =
          switch (offered.wanted) {
            case TOPIC -> commit;
            case WRITTEN -> false;
            case FLUSHED -> true;
          };
      if (waits) {
        flush = true;
        acknowledgements.durable(stamped.get(i), epoch, offered.offeredNanos, offered.done);
      } else {
        acknowledgements.written(stamped.get(i), epoch, offered.offeredNanos, offered.done);
      }
    }
    if (flush) {
      store.flush();
      // A force that was already under way may have covered these before they were waiting.
      acknowledgements.complete();
    }
  }

  private void refuseAll(Refused refused) {
    burst.forEach(batch -> batch.done.accept(refused));
  }
}
