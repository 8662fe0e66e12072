package io.minikafka.partition;

import io.minikafka.Pressure;
import io.minikafka.codec.Bytes;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * A store in memory that is as durable as the test says. Insists on its side of the contract: one
 * appender at a time, offsets without a gap, nothing after {@link #close}.
 */
public class MemoryStore implements PartitionStore {
  /** A batch as it was handed over, with a copy of its bytes. */
  public record Kept(StampedBatch batch, ByteBuffer bytes) {}

  /** Stands for what an append may run into. */
  @FunctionalInterface
  public interface Trouble {
    void strike() throws IOException;
  }

  private final AtomicBoolean appending = new AtomicBoolean();
  private volatile Snapshot snapshot;
  private volatile @Nullable Listener listener;

  public final List<Kept> kept = Collections.synchronizedList(new ArrayList<>());

  /** How many batches each append brought. */
  final List<Integer> bursts = Collections.synchronizedList(new ArrayList<>());

  final List<StoreSettings> configured = Collections.synchronizedList(new ArrayList<>());
  public final AtomicInteger flushes = new AtomicInteger();

  /** Set by the test. */
  public volatile IntPredicate mayBlock = bytes -> false;

  public volatile Optional<Trouble> trouble = Optional.empty();
  volatile Optional<IOException> closeFailure = Optional.empty();
  volatile Runnable duringAppend = () -> {};
  public volatile boolean forceOnFlush;
  volatile boolean closed;

  public MemoryStore() {
    this(new Snapshot(1, 0, 0, 0, Long.MIN_VALUE, ""));
  }

  public MemoryStore(Snapshot opened) {
    snapshot = opened;
  }

  @Override
  public Snapshot snapshot() {
    return snapshot;
  }

  @Override
  public boolean appendMayBlock(int bytes) {
    return mayBlock.test(bytes);
  }

  @Override
  public void append(List<StampedBatch> batches) throws IOException {
    if (!appending.compareAndSet(false, true)) {
      throw new AssertionError("two appenders at once");
    }
    try {
      duringAppend.run();
      if (closed) {
        throw new IOException("closed");
      }
      if (trouble.isPresent()) {
        trouble.get().strike();
      }
      long end = snapshot.end();
      long time = snapshot.lastAppendTime();
      List<Kept> copies = new ArrayList<>();
      for (StampedBatch batch : batches) {
        if (batch.baseOffset() != end || batch.appendTime() < time) {
          throw new AssertionError("%s does not follow offset %d".formatted(batch, end));
        }
        end = batch.nextOffset();
        time = batch.appendTime();
        ByteBuffer copy = ByteBuffer.allocate(batch.bytes()).order(ByteOrder.LITTLE_ENDIAN);
        copies.add(
            new Kept(
                batch, copy.put(batch.buffer().slice(batch.markerAt(), batch.bytes())).flip()));
      }
      kept.addAll(copies);
      bursts.add(batches.size());
      publish(end, time);
    } finally {
      appending.set(false);
    }
  }

  private synchronized void publish(long end, long time) {
    Snapshot was = snapshot;
    snapshot = new Snapshot(was.epoch(), was.start(), was.durable(), end, time, was.offline());
  }

  @Override
  public void flush() {
    flushes.incrementAndGet();
    if (forceOnFlush) {
      force();
    }
  }

  /** Makes everything durable that is there, and tells. */
  public void force() {
    forceSilently(snapshot.end());
    tell();
  }

  /** Makes durable what lies below {@code offset}, and tells. */
  void forceTo(long offset) {
    forceSilently(offset);
    tell();
  }

  /** The moment between publishing a durable offset and telling of it. */
  synchronized void forceSilently(long offset) {
    Snapshot was = snapshot;
    snapshot =
        new Snapshot(
            was.epoch(),
            was.start(),
            Math.max(was.durable(), offset),
            was.end(),
            was.lastAppendTime(),
            was.offline());
  }

  void tell() {
    Listener told = listener;
    if (told != null) {
      told.onDurable(snapshot.durable());
    }
  }

  public void goOffline(String reason) {
    synchronized (this) {
      Snapshot was = snapshot;
      snapshot =
          new Snapshot(
              was.epoch(), was.start(), was.durable(), was.end(), was.lastAppendTime(), reason);
    }
    trouble =
        Optional.of(
            () -> {
              throw new StoreOfflineException(reason);
            });
    Listener told = listener;
    if (told != null) {
      told.onOffline(reason);
    }
  }

  @Override
  public ReadResult read(long offset, int maxBytes, boolean atLeastOne, long limitOffset) {
    Snapshot now = snapshot;
    if (offset < now.start() || offset > limitOffset) {
      return new ReadResult.OutOfRange(now.start(), limitOffset);
    }
    for (Kept one : kept) {
      if (one.batch.nextOffset() > offset && one.batch.nextOffset() <= limitOffset) {
        return new ReadResult.Entries(Bytes.of(one.bytes.duplicate()), one.batch.nextOffset());
      }
    }
    return new ReadResult.Entries(Bytes.EMPTY, offset);
  }

  @Override
  public boolean readMayBlock(long offset, int maxBytes) {
    return false;
  }

  @Override
  public TimeLookup offsetForTime(long timestamp, long limitOffset) {
    return kept.stream()
        .map(Kept::batch)
        .filter(batch -> batch.nextOffset() <= limitOffset && batch.maxTimestamp() >= timestamp)
        .findFirst()
        .map(batch -> new TimeLookup(batch.baseOffset(), batch.maxTimestamp()))
        .orElse(TimeLookup.NONE);
  }

  @Override
  public TimeLookup latestTimestamp(long limitOffset) {
    return offsetForTime(
        kept.stream()
            .filter(one -> one.batch.nextOffset() <= limitOffset)
            .mapToLong(one -> one.batch.maxTimestamp())
            .max()
            .orElse(Long.MAX_VALUE),
        limitOffset);
  }

  @Override
  public void trimTo(long offset) {
    synchronized (this) {
      Snapshot was = snapshot;
      snapshot =
          new Snapshot(
              was.epoch(),
              Math.max(was.start(), offset),
              was.durable(),
              was.end(),
              was.lastAppendTime(),
              was.offline());
    }
    Listener told = listener;
    if (told != null) {
      told.onStart(snapshot.start());
    }
  }

  /** Takes any offset for damaged; a repair of any kind cuts there. */
  @Override
  public RepairResult repair(RepairAction action, long offset, boolean validateOnly) {
    long before;
    synchronized (this) {
      Snapshot was = snapshot;
      before = was.end();
      snapshot =
          new Snapshot(
              was.epoch() + 1,
              was.start(),
              Math.min(was.durable(), offset),
              offset,
              was.lastAppendTime(),
              "");
      kept.removeIf(one -> one.batch.nextOffset() > offset);
    }
    Listener told = listener;
    if (told != null) {
      told.onRepaired(offset);
    }
    DamagedRange range = new DamagedRange(offset, before, 0, 0, 0, "cut", 0);
    return new RepairResult.Done(
        new Repair(action, range, offset, before, offset, 0, List.of(), List.of(), List.of()));
  }

  @Override
  public Pressure pressure() {
    return Pressure.NONE;
  }

  @Override
  public void configure(StoreSettings settings) {
    if (closed) {
      throw new IllegalStateException("closed");
    }
    configured.add(settings);
  }

  @Override
  public void listen(Listener listener) {
    this.listener = listener;
  }

  @Override
  public void close() throws IOException {
    if (closed) {
      throw new IllegalStateException("closed twice");
    }
    closed = true;
    if (closeFailure.isPresent()) {
      throw closeFailure.get();
    }
    force();
  }
}
