package io.minikafka.broker;

import io.minikafka.HeldOffsets;
import io.minikafka.Timers;
import io.minikafka.broker.LogTargets.Target;
import io.minikafka.codec.Blob;
import io.minikafka.partition.DamagedRange;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import io.minikafka.record.RecordView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * The records of one partition, one after the other, for somebody who looks at them: read on the
 * worker in small pieces, checked, and given at a bounded rate. Ends at the end of what is visible,
 * or waits there; ends before damage, and names it.
 */
final class TailFeed implements Feed<TailItem> {
  private static final int READ_BYTES = 256 << 10;

  /** Between two looks for what came. */
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

  private final Target target;
  private final Tail tail;
  private final Executor worker;
  private final Timers timers;
  private final Pace pace;
  private final BooleanSupplier isThere;
  private final Runnable onClose;

  // Of the one who is working on an answer.
  private final Deque<TailItem> items = new ArrayDeque<>();
  private Optional<Refusal> trouble = Optional.empty();
  private long left;
  private long next = -1;
  private OptionalLong appendTime = OptionalLong.empty();

  private volatile boolean closed;

  /**
   * @param isThere whether the topic is
   * @param onClose runs once
   */
  TailFeed(
      Target target,
      Tail tail,
      Executor worker,
      Timers timers,
      BooleanSupplier isThere,
      Runnable onClose) {
    this.target = target;
    this.tail = tail;
    this.left = tail.maxRecords();
    this.worker = worker;
    this.timers = timers;
    this.pace = new Pace(timers::nanoTime, tail.recordsPerSecond());
    this.isThere = isThere;
    this.onClose = onClose;
  }

  @Override
  public CompletableFuture<Result<Optional<TailItem>>> next() {
    CompletableFuture<Result<Optional<TailItem>>> answer = new CompletableFuture<>();
    if (items.isEmpty() || left <= 0) {
      goOn(answer);
    } else {
      give(answer);
    }
    return answer;
  }

  private void give(CompletableFuture<Result<Optional<TailItem>>> answer) {
    TailItem item = items.remove();
    left -= item instanceof TailItem.Record ? 1 : 0;
    long waitNanos = pace.after(1);
    if (waitNanos <= 0) {
      answer.complete(Result.done(Optional.of(item)));
    } else {
      timers.after(waitNanos, () -> answer.complete(Result.done(Optional.of(item))));
    }
  }

  private void goOn(CompletableFuture<Result<Optional<TailItem>>> answer) {
    worker.execute(
        () -> {
          try {
            look(answer);
          } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
          }
        });
  }

  private void look(CompletableFuture<Result<Optional<TailItem>>> answer) {
    if (closed || left <= 0) {
      answer.complete(Result.done(Optional.empty()));
      return;
    }
    if (trouble.isEmpty()) {
      read();
    }
    if (!items.isEmpty()) {
      give(answer);
    } else if (trouble.isPresent()) {
      answer.complete(Result.refused(trouble.get()));
    } else if (next < target.partition().highWatermark()) {
      goOn(answer);
    } else if (tail.follow()) {
      timers.after(LOOK_NANOS, () -> goOn(answer));
    } else {
      answer.complete(Result.done(Optional.empty()));
    }
  }

  private void read() {
    if (!isThere.getAsBoolean()) {
      trouble = refuse(ErrorCode.UNKNOWN_TOPIC, "topic '%s' is gone".formatted(name()));
      return;
    }
    try {
      if (next < 0) {
        next = begin();
      }
      switch (target.partition().read(next, READ_BYTES, true)) {
        case ReadResult.Entries entries -> {
          ByteBuffer copy = copy(entries.blob());
          walk(copy, entries.nextOffset());
        }
        case ReadResult.Damaged damaged -> trouble = damage(damaged);
        case ReadResult.OutOfRange range ->
            trouble =
                refuse(
                    ErrorCode.OFFSET_OUT_OF_RANGE,
                    "offset %d is outside of %s, which has %s"
                        .formatted(
                            next, target.text(), HeldOffsets.inWords(range.start(), range.end())));
        case ReadResult.Offline offline ->
            trouble =
                refuse(
                    ErrorCode.STORAGE_FAILED,
                    "%s cannot be read: %s".formatted(target.text(), offline.reason()));
      }
    } catch (IOException e) {
      trouble =
          refuse(
              ErrorCode.STORAGE_FAILED,
              "reading %s failed: %s".formatted(target.text(), e.getMessage()));
    }
  }

  private long begin() throws IOException {
    Partition partition = target.partition();
    PartitionStore.Snapshot now = partition.snapshot();
    long highWatermark = Math.max(now.start(), partition.highWatermark());
    return switch (tail.start()) {
      case TailStart.At at -> at.offset();
      case TailStart.Newest newest -> Math.max(now.start(), highWatermark - newest.offsets());
      case TailStart.Since since -> {
        long found = partition.offsetForTime(since.timestamp()).offset();
        yield found < 0 ? highWatermark : found;
      }
    };
  }

  private static ByteBuffer copy(Blob blob) throws IOException {
    try {
      ByteBuffer copy = ByteBuffer.allocate(blob.length()).order(ByteOrder.LITTLE_ENDIAN);
      blob.copyTo(copy);
      return copy.flip();
    } finally {
      blob.release();
    }
  }

  private void walk(ByteBuffer in, long behind) {
    for (int at = 0; at < in.limit(); at += Entry.bytes(in, at)) {
      if (Entry.problem(in, at, in.limit()) != Entry.Problem.NONE || !Entry.checksumHolds(in, at)) {
        trouble =
            refuse(
                ErrorCode.DAMAGED_RANGE,
                "the record at offset %d of %s is not as it was written; verify says more"
                    .formatted(next, target.text()));
        return;
      }
      long from = Entry.offset(in, at);
      int kword = Entry.kword(in, at);
      switch (Entry.kind(kword)) {
        case Entry.KIND_MARKER ->
            appendTime = OptionalLong.of(BatchMarker.read(in, at).appendTime());
        case Entry.KIND_GAP -> {
          long to = from + Entry.span(in, at);
          boolean lost = (Entry.flags(kword) & Entry.FLAG_LOST) != 0;
          items.add(new TailItem.Gap(Math.max(next, from), to, lost));
          next = to;
        }
        case Entry.PLAIN, Entry.KIND_ATTRIBUTED -> {
          if (from >= next) {
            items.add(item(new RecordView(in, at)));
            next = from + 1;
          }
        }
        default -> next = from + Entry.span(in, at);
      }
    }
    next = behind;
  }

  private TailItem item(RecordView view) {
    return new TailItem.Record(
        view.offset(), view.timestamp(), appendTime, view.key(), view.value(), view.headers());
  }

  private Optional<Refusal> damage(ReadResult.Damaged damaged) {
    String cause =
        target.partition().damage().stream()
            .filter(range -> range.from() == damaged.from())
            .map(DamagedRange::what)
            .findFirst()
            .orElse("damaged");
    return refuse(
        ErrorCode.DAMAGED_RANGE,
        "offsets %d to %d of %s are damaged (%s); what is behind begins at offset %d"
            .formatted(damaged.from(), damaged.to() - 1, target.text(), cause, damaged.to()));
  }

  private static Optional<Refusal> refuse(ErrorCode code, String message) {
    return Optional.of(Refusal.of(code, message));
  }

  private String name() {
    return target.topic().name();
  }

  @Override
  public void close() {
    boolean first;
    synchronized (this) {
      first = !closed;
      closed = true;
    }
    if (first) {
      onClose.run();
    }
  }
}
