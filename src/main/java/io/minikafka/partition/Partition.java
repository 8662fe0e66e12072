package io.minikafka.partition;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.Pressure;
import io.minikafka.codec.Bytes;
import io.minikafka.partition.AppendResult.Reason;
import io.minikafka.partition.AppendResult.Refused;
import io.minikafka.record.CheckedBatch;
import io.minikafka.record.PartitionHash;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A partition that is open: takes batches in order, gives them offsets, and answers each when it is
 * as durable as was asked; serves reads below the high watermark.
 *
 * <p><b>Life-cycle.</b> Made over a recovered store; ended once by {@link #close}. After that every
 * append is refused and reads still answer until the store is closed.
 *
 * <p><b>Threads.</b> Any. Appends of one thread keep their order. {@link #offer} never blocks;
 * {@link #drain} writes into the page cache and hands over to the worker whatever may take longer.
 * Callbacks run on the thread that made the progress and must not block; what they throw is logged
 * and hurts nobody else.
 */
public final class Partition {
  private final PartitionId id;
  private final long hash;
  private final PartitionStore store;
  private final Executor worker;
  private final AppendQueue queue;
  private final Acknowledgements acknowledgements;
  private final HighWatermark highWatermark;

  private volatile PartitionSettings settings;

  /** Set once: why appends are refused from now on. */
  private final AtomicReference<@Nullable Refused> closed = new AtomicReference<>();

  private final CompletableFuture<Void> ended = new CompletableFuture<>();

  /**
   * What a partition needs from its surroundings.
   *
   * @param wallClock for append times
   * @param nanoTime monotonic, for durations
   * @param worker runs what may block
   */
  public record Surroundings(
      InstantSource wallClock, LongSupplier nanoTime, Executor worker, EngineObserver observer) {}

  /**
   * @param onVisible called with this partition when its high watermark rose
   */
  public Partition(
      PartitionId id,
      PartitionStore store,
      PartitionSettings settings,
      Surroundings around,
      Consumer<Partition> onVisible) {
    this.id = id;
    this.hash = PartitionHash.of(id);
    this.store = store;
    this.worker = around.worker();
    this.settings = settings;
    PartitionStore.Snapshot opened = store.snapshot();
    // Whatever survived until now is as good as forced: recovery forced it.
    this.highWatermark =
        new HighWatermark(opened.durable(), () -> Outside.run(id, () -> onVisible.accept(this)));
    this.acknowledgements = new Acknowledgements(id, store, around, this::advance);
    this.queue =
        new AppendQueue(id, store, hash, around, this::settings, acknowledgements, this::advance);
    store.configure(settings.store());
    store.listen(new Progress());
    // Of what happened before it was listening nobody tells.
    advance();
    if (store.snapshot().isOffline()) {
      acknowledgements.failAll(store.snapshot().offline());
    }
  }

  public PartitionId id() {
    return id;
  }

  /** What the markers of its batches carry; see {@link PartitionHash}. */
  public long hash() {
    return hash;
  }

  public PartitionSettings settings() {
    return settings;
  }

  /** The store's, and offline too if it takes no more appends because of a bug. */
  public PartitionStore.Snapshot snapshot() {
    PartitionStore.Snapshot now = store.snapshot();
    String broken = queue.broken();
    return broken.isEmpty() || now.isOffline() ? now : now.withOffline(broken);
  }

  /** All below it can be read; never falls, but by a repair that cuts the log. */
  public long highWatermark() {
    return highWatermark.get();
  }

  /** The store's bound on unflushed bytes. */
  public Pressure pressure() {
    return store.pressure();
  }

  /**
   * Queues a batch. The batch's buffer is this partition's until {@code done} was called, which
   * happens exactly once, possibly before this returns.
   *
   * @return true if the caller found the queue idle and must call {@link #drain}, at the latest
   *     when it has offered all it has at hand; until then nothing of this partition is written
   */
  public boolean offer(CheckedBatch batch, Durability wanted, Consumer<AppendResult> done) {
    Optional<Refused> refused = objection(batch);
    if (refused.isPresent()) {
      Outside.run(id, () -> done.accept(refused.get()));
      return false;
    }
    return queue.offer(batch, wanted, done);
  }

  /** Why a batch would be refused without being written; empty if it would be tried. */
  public Optional<Refused> objection(CheckedBatch batch) {
    Refused refused = closed.get();
    return Optional.ofNullable(refused == null ? refusal(batch, settings) : refused);
  }

  private static @Nullable Refused refusal(CheckedBatch batch, PartitionSettings settings) {
    if (batch.bytes() > settings.maxMessageBytes()) {
      return new Refused(
          Reason.TOO_LARGE,
          "batch of %d bytes; max.message.bytes is %d"
              .formatted(batch.bytes(), settings.maxMessageBytes()));
    }
    Cleanup cleanup = settings.store().cleanup();
    if (batch.firstKeyless() >= 0 && cleanup.compacts()) {
      return new Refused(
          Reason.KEYLESS,
          "record %d of the batch has no key; cleanup.policy is %s, which goes by keys"
              .formatted(batch.firstKeyless(), cleanup.policy().text()));
    }
    return null;
  }

  /** Writes what was offered; see {@link #offer}. */
  public void drain() {
    queue.drain();
  }

  /** {@link #offer} and {@link #drain} in one. */
  public void append(CheckedBatch batch, Durability wanted, Consumer<AppendResult> done) {
    if (offer(batch, wanted, done)) {
      drain();
    }
  }

  /**
   * Reads below the high watermark; see {@link PartitionStore#read}. An offset between the high
   * watermark and the log end gives an empty answer.
   */
  public ReadResult read(long offset, int maxBytes, boolean atLeastOne) throws IOException {
    long limit = highWatermark.get();
    return offset > limit ? above(limit, offset) : store.read(offset, maxBytes, atLeastOne, limit);
  }

  /** {@link #read} on an event loop; see {@link PartitionStore#readHere}. */
  public Optional<ReadResult> readHere(long offset, int maxBytes, boolean atLeastOne)
      throws IOException {
    long limit = highWatermark.get();
    return offset > limit
        ? Optional.of(above(limit, offset))
        : store.readHere(offset, maxBytes, atLeastOne, limit);
  }

  private ReadResult above(long limit, long offset) {
    PartitionStore.Snapshot now = store.snapshot();
    return offset <= now.end()
        ? new ReadResult.Entries(Bytes.EMPTY, offset)
        : new ReadResult.OutOfRange(now.start(), limit);
  }

  public boolean readMayBlock(long offset, int maxBytes) {
    return store.readMayBlock(offset, maxBytes);
  }

  public TimeLookup offsetForTime(long timestamp) throws IOException {
    return store.offsetForTime(timestamp, highWatermark.get());
  }

  public TimeLookup latestTimestamp() throws IOException {
    return store.latestTimestamp(highWatermark.get());
  }

  /** See {@link PartitionStore#appendTime}; below the high watermark. */
  public AppendTimeLookup appendTime(long offset) throws IOException {
    return store.appendTime(offset, highWatermark.get());
  }

  /** See {@link PartitionStore#deletionOutlook}. */
  public DeletionOutlook deletionOutlook(long offset) throws IOException {
    return store.deletionOutlook(offset);
  }

  /** See {@link PartitionStore#stats}. */
  public Optional<LogStats> stats() {
    return store.stats();
  }

  /** See {@link PartitionStore#damage}. */
  public List<DamagedRange> damage() {
    return store.damage();
  }

  /** See {@link PartitionStore#check}. */
  public LogCheck check() {
    return store.check();
  }

  /**
   * See {@link PartitionStore#repair}; runs on the worker. A cut takes its turn among the appends:
   * what was offered before is written first, and what comes later is appended at the new end. When
   * it is done, whoever waits for records here was woken, a high watermark that lay beyond the end
   * has come down to it, and whoever waited for the durability of what is gone was refused.
   *
   * @return completes exceptionally with an {@link IOException} if the environment fails
   */
  public CompletableFuture<RepairResult> repair(
      RepairAction action, long offset, boolean validateOnly) {
    CompletableFuture<RepairResult> done = new CompletableFuture<>();
    Runnable work =
        () -> {
          try {
            done.complete(explained(store.repair(action, offset, validateOnly)));
          } catch (IOException e) {
            done.completeExceptionally(e);
          } catch (RuntimeException | Error e) {
            done.completeExceptionally(e);
            throw e;
          }
        };
    if (action == RepairAction.CUT && !validateOnly) {
      queue.blockingBarrier(work);
    } else {
      worker.execute(() -> Outside.run(id, work));
    }
    return done;
  }

  /** The store does not know why it was closed. */
  private RepairResult explained(RepairResult result) {
    Refused why = closed.get();
    return why != null
            && why.reason() == Reason.SHUTTING_DOWN
            && result instanceof RepairResult.Refused(RepairResult.Reason reason, String message)
            && reason == RepairResult.Reason.CLOSED
        ? new RepairResult.Refused(RepairResult.Reason.SHUTTING_DOWN, why.message())
        : result;
  }

  /** See {@link PartitionStore#segments}. */
  public List<SegmentDescription> segments(long from, int most) throws IOException {
    return store.segments(from, most);
  }

  /**
   * Makes everything that was offered before this durable.
   *
   * @return completes when it is, or when that can no longer happen; {@link #snapshot} tells
   */
  public CompletableFuture<Void> flush() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    queue.barrier(
        () -> {
          acknowledgements.whenDurable(store.snapshot().end(), () -> done.complete(null));
          store.flush();
        });
    return done;
  }

  /** Moves the log start; may block. See {@link PartitionStore#trimTo}. */
  public void trimTo(long offset) throws IOException {
    store.trimTo(offset);
  }

  /**
   * Puts new settings in force, between two batches and in the order of the calls. A change to
   * {@code commit} forces what was written before it counts, so that nothing visible is less
   * durable than the policy says.
   *
   * @return completes when they are in force; after {@link #close} at once, without effect
   */
  public CompletableFuture<Void> configure(PartitionSettings changed) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    queue.barrier(
        () -> {
          try {
            apply(changed, done);
          } catch (RuntimeException | Error e) {
            done.completeExceptionally(e);
            throw e;
          }
        });
    return done;
  }

  private void apply(PartitionSettings changed, CompletableFuture<Void> done) {
    if (closed.get() != null) {
      done.complete(null);
      return;
    }
    store.configure(changed.store());
    settings = changed;
    advance();
    if (changed.store().flushPolicy() == FlushPolicy.COMMIT) {
      store.flush();
      acknowledgements.whenDurable(store.snapshot().end(), () -> done.complete(null));
    } else {
      done.complete(null);
    }
  }

  /**
   * Refuses appends from now on, finishes those that were offered, makes all durable and closes the
   * store. Closing again changes nothing.
   *
   * @param reason what later appends are told: {@link Reason#DELETED} or {@link
   *     Reason#SHUTTING_DOWN}
   * @return completes when the store is closed, exceptionally if closing failed
   */
  public CompletableFuture<Void> close(Reason reason, String message) {
    Refused refused = new Refused(reason, message);
    if (closed.compareAndSet(null, refused)) {
      queue.end(refused, this::closeStore);
    }
    return ended.copy();
  }

  private void closeStore() {
    Optional<Throwable> failure = Optional.empty();
    try {
      store.close();
    } catch (IOException | RuntimeException | Error e) {
      failure = Optional.of(e);
    }
    acknowledgements.failAll("the partition was closed before it was durable");
    failure.ifPresentOrElse(ended::completeExceptionally, () -> ended.complete(null));
  }

  /** The snapshot comes first: a batch of a later policy must not be in it. */
  private void advance() {
    long cuts = highWatermark.cuts();
    PartitionStore.Snapshot now = store.snapshot();
    boolean whenDurable = settings.store().flushPolicy() == FlushPolicy.COMMIT;
    highWatermark.raiseTo(whenDurable ? now.durable() : now.end(), cuts);
  }

  private final class Progress implements PartitionStore.Listener {
    @Override
    public void onDurable(long durable) {
      advance();
      acknowledgements.complete();
    }

    @Override
    public void onStart(long start) {
      // A log start above the watermark can only come from a cut by an operator.
      highWatermark.raiseTo(start, highWatermark.cuts());
    }

    @Override
    public void onOffline(String reason) {
      acknowledgements.failAll(reason);
    }

    @Override
    public void onRepaired(long end) {
      highWatermark.cutTo(end);
      acknowledgements.goOn();
      // What took it offline meanwhile may have told before.
      String offline = snapshot().offline();
      if (!offline.isEmpty()) {
        acknowledgements.failAll(offline);
      }
      advance();
    }
  }
}
