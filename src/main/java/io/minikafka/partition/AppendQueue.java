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
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The batches of one partition on their way into the store: first come, first written, one writer
 * at a time and no lock. Whoever offers to an idle queue becomes its writer and stays it until the
 * queue is empty or is handed to the worker, which happens when a write may block, when the writer
 * has done its share ({@link #BURST_BATCHES} or {@link #BURST_BYTES}), or while writes are slow.
 *
 * <p>What a callback throws stops nothing ({@link Outside}). A bug of this package or of the store
 * ends the partition: everything queued and to come is refused, nothing is left waiting, and {@link
 * #broken} says why.
 */
final class AppendQueue {
  /** The share of a writer that must not block. */
  static final int BURST_BATCHES = 8;

  static final int BURST_BYTES = 1 << 20;

  /** What the worker does before it lets other partitions have their turn. */
  static final int WORKER_BATCHES = 8 * BURST_BATCHES;

  static final long WORKER_BYTES = 8L * BURST_BYTES;

  /** A batch this large goes to the worker when others wait behind it. */
  static final int LARGE_BATCH_BYTES = 256 << 10;

  /** A write that takes longer moves the queue to the worker ... */
  static final long SLOW_WRITE_NANOS = 5_000_000;

  /** ... until so many in a row were faster. */
  static final int FAST_WRITES = 8;

  private static final System.Logger LOG = System.getLogger(AppendQueue.class.getName());

  private final PartitionId id;
  private final PartitionStore store;
  private final long partitionHash;
  private final Partition.Surroundings around;
  private final EngineObserver observer;
  private final Supplier<PartitionSettings> settings;
  private final Acknowledgements acknowledgements;
  private final Runnable onWritten;

  private final Queue<Item> items = new ConcurrentLinkedQueue<>();

  /**
   * Items offered and not yet dealt with; who raises it from 0 is the writer. An item stands in the
   * queue before it is counted here, never the other way round: the writer may take as many as are
   * counted, and no more.
   */
  private final AtomicInteger pending = new AtomicInteger();

  // Touched only by the writer of the moment.
  private final List<Batch> burst = new ArrayList<>(BURST_BATCHES);
  private final List<StampedBatch> stamped = new ArrayList<>(BURST_BATCHES);

  /** Batches of the burst that were answered, or wait with the acknowledgements. */
  private int handedOn;

  private int slowWrites;

  /** Why batches are no longer written; empty while they are. */
  private Optional<Refused> ended = Optional.empty();

  /** Written by the writer of the moment, once: the bug that ended the partition; or empty. */
  private volatile String broken = "";

  private sealed interface Item {}

  private record Batch(
      CheckedBatch batch, Durability wanted, Consumer<AppendResult> done, long offeredNanos)
      implements Item {
    boolean isLarge() {
      return batch.bytes() > LARGE_BATCH_BYTES;
    }
  }

  /** Work between two batches. */
  private record Barrier(Runnable work, boolean mayBlock) implements Item {}

  /** The last thing that happens here; may block. */
  private record End(Refused later, Runnable work) implements Item {}

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
    barrier(new Barrier(work, false));
  }

  /** The same for work that may block; what is offered meanwhile waits for its end. */
  void blockingBarrier(Runnable work) {
    barrier(new Barrier(work, true));
  }

  private void barrier(Barrier barrier) {
    if (enqueue(barrier)) {
      drain();
    }
  }

  /** Why a bug keeps this from ever writing again; empty if none does. */
  String broken() {
    return broken;
  }

  /**
   * Runs work that may block when all offered before has been written; what comes later is refused.
   */
  void end(Refused later, Runnable work) {
    if (enqueue(new End(later, work))) {
      drain();
    }
  }

  private boolean enqueue(Item item) {
    items.add(item);
    return pending.getAndIncrement() == 0;
  }

  /** By the writer only, on a thread that must not block. */
  void drain() {
    if (!work(true, BURST_BATCHES, BURST_BYTES)) {
      handToWorker();
    }
  }

  private void drainOnWorker() {
    if (!work(false, WORKER_BATCHES, WORKER_BYTES)) {
      handToWorker();
    }
  }

  private void handToWorker() {
    try {
      around.worker().execute(this::drainOnWorker);
    } catch (RejectedExecutionException e) {
      // The worker has stopped and will not come back: better to block here than to answer never.
      while (!work(false, WORKER_BATCHES, WORKER_BYTES)) {}
    }
  }

  /**
   * Deals with what is queued, up to a share.
   *
   * @return whether the queue is empty and this thread no longer its writer
   */
  private boolean work(boolean mustNotBlock, int batches, long bytes) {
    while (batches > 0 && bytes > 0) {
      if (mustNotBlock && mayBlock()) {
        return false;
      }
      int taken = 1;
      switch (items.element()) {
        case Barrier barrier -> {
          items.remove();
          Outside.run(id, barrier.work);
        }
        case End end -> {
          items.remove();
          ended = ended.or(() -> Optional.of(end.later));
          Outside.run(id, end.work);
        }
        case Batch first -> {
          long sum = takeBurst(first, mustNotBlock, batches, bytes);
          taken = burst.size();
          bytes -= sum;
          writeBurst(sum, mustNotBlock);
        }
      }
      batches -= taken;
      if (pending.addAndGet(-taken) == 0) {
        return true;
      }
    }
    return false;
  }

  private boolean mayBlock() {
    return switch (items.element()) {
      case Barrier barrier -> barrier.mayBlock;
      case End end -> true;
      case Batch next ->
          ended.isEmpty()
              && (slowWrites > 0
                  || appendMayBlock(next.batch.bytes())
                  || (next.isLarge() && pending.get() > 1));
    };
  }

  private boolean appendMayBlock(int bytes) {
    try {
      return store.appendMayBlock(bytes);
    } catch (RuntimeException | Error bug) {
      endFor(bug);
      return false;
    }
  }

  /**
   * Moves batches from the head of the queue into the burst, at least the first.
   *
   * @return their bytes
   */
  private long takeBurst(Batch first, boolean mustNotBlock, int shareBatches, long shareBytes) {
    int mostBatches = Math.min(Math.min(shareBatches, BURST_BATCHES), pending.get());
    long mostBytes = Math.min(shareBytes, BURST_BYTES);
    items.remove();
    burst.add(first);
    long bytes = first.batch.bytes();
    while (burst.size() < mostBatches
        && items.peek() instanceof Batch next
        && bytes + next.batch.bytes() <= mostBytes
        && !(mustNotBlock
            && (next.isLarge() || appendMayBlock((int) bytes + next.batch.bytes())))) {
      items.remove();
      burst.add(next);
      bytes += next.batch.bytes();
    }
    return bytes;
  }

  private void writeBurst(long bytes, boolean mustNotBlock) {
    try {
      if (ended.isEmpty()) {
        write(bytes, mustNotBlock);
      }
    } catch (RuntimeException | Error bug) {
      endFor(bug);
    } finally {
      ended.ifPresent(this::refuseRest);
      burst.clear();
      stamped.clear();
      handedOn = 0;
    }
  }

  private void write(long bytes, boolean mustNotBlock) {
    PartitionStore.Snapshot before = store.snapshot();
    long began = around.nanoTime().getAsLong();
    try {
      stamp(before);
      store.append(stamped);
    } catch (NoRoomException e) {
      observer.onWriteFailed(id, true, String.valueOf(e.getMessage()));
      refuseRest(
          new Refused(
              Reason.DISK_FULL, "no room on the broker's disk; nothing of this batch was written"));
      return;
    } catch (IOException e) {
      observer.onWriteFailed(id, false, String.valueOf(e.getMessage()));
      refuseRest(new Refused(Reason.STORAGE_FAILED, "the append failed: " + e.getMessage()));
      return;
    }
    long took = around.nanoTime().getAsLong() - began;
    boolean slow = took > SLOW_WRITE_NANOS;
    slowWrites = slow ? FAST_WRITES : Math.max(0, slowWrites - 1);
    long records = stamped.getLast().nextOffset() - before.end();
    observer.onWrite(id, stamped.size(), records, bytes, took);
    if (slow && mustNotBlock) {
      observer.onWriteStalled(id, took);
    }
    // Visible before acknowledged: who has its acknowledgement can read what it wrote.
    onWritten.run();
    acknowledge(before.epoch());
  }

  /** Gives each batch its offsets, in place, and its marker the broker's fields. */
  private void stamp(PartitionStore.Snapshot before) throws IOException {
    long now = Math.max(around.wallClock().millis(), before.lastAppendTime());
    long base = before.end();
    for (Batch next : burst) {
      CheckedBatch batch = next.batch;
      if (base > Long.MAX_VALUE - batch.span()) {
        throw new IOException("the partition has used up its 2^63-1 offsets");
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
    int waiting = 0;
    for (StampedBatch batch : stamped) {
      Batch offered = burst.get(handedOn++);
      boolean waits =
          switch (offered.wanted) {
            case TOPIC -> commit;
            case WRITTEN -> false;
            case FLUSHED -> true;
          };
      if (waits) {
        waiting++;
        acknowledgements.durable(batch, epoch, offered.offeredNanos, offered.done);
      } else {
        acknowledgements.written(batch, epoch, offered.offeredNanos, offered.done);
      }
    }
    if (commit || waiting > 0) {
      store.flush(waiting);
      // A force that was already under way may have covered these before they were waiting.
      acknowledgements.complete();
    }
  }

  /** Refuses the batches of the burst that nobody has answered yet. */
  private void refuseRest(Refused refused) {
    while (handedOn < burst.size()) {
      Consumer<AppendResult> done = burst.get(handedOn++).done;
      Outside.run(id, () -> done.accept(refused));
    }
  }

  /** Stops writing for good: nobody knows any more what the store holds. */
  private void endFor(Throwable bug) {
    LOG.log(System.Logger.Level.ERROR, "partition " + id + " takes no more appends", bug);
    String reason = "an internal error ended the partition, see the broker's log";
    if (ended.isEmpty()) {
      ended = Optional.of(new Refused(Reason.STORAGE_FAILED, reason));
      broken = reason;
      Outside.run(id, () -> observer.onOffline(id, reason));
    }
    acknowledgements.failAll(reason);
  }
}
