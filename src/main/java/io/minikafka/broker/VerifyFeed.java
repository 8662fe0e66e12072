package io.minikafka.broker;

import io.minikafka.Timers;
import io.minikafka.broker.LogTargets.Target;
import io.minikafka.partition.LogCheck;
import io.minikafka.partition.LogCheck.Finding;
import io.minikafka.partition.LogStats;
import io.minikafka.partition.PartitionStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * A verification of some partitions, one after the other: reads a little on the worker, lets others
 * have their turn, and keeps to a rate. Tells when something was found, when a partition is done,
 * and now and then how far it is.
 */
final class VerifyFeed implements Feed<VerifyReport> {
  /** Read in one go. */
  static final int STEP_BYTES = 1 << 20;

  private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final List<Target> targets;
  private final Executor worker;
  private final Timers timers;
  private final Pace pace;
  private final Runnable onClose;

  /** What the partitions held at the beginning. */
  private final long[] bytes;

  // Of the one who is working on an answer.
  private int at;
  private long checkedBefore;
  private long bytesToCome;
  private long toldNanos;

  // Guarded by this.
  private Optional<LogCheck> check = Optional.empty();
  private boolean closed;

  /**
   * @param bytesPerSecond 0 for no bound
   * @param onClose runs once
   */
  VerifyFeed(
      List<Target> targets, long bytesPerSecond, Executor worker, Timers timers, Runnable onClose) {
    this.targets = targets;
    this.worker = worker;
    this.timers = timers;
    this.pace = new Pace(timers::nanoTime, bytesPerSecond);
    this.onClose = onClose;
    this.toldNanos = timers.nanoTime();
    this.bytes = targets.stream().mapToLong(VerifyFeed::bytes).toArray();
    this.bytesToCome = LongStream.of(bytes).sum();
  }

  private static long bytes(Target target) {
    return target.partition().stats().map(LogStats::bytes).orElse(0L);
  }

  @Override
  public CompletableFuture<Result<Optional<VerifyReport>>> next() {
    CompletableFuture<Result<Optional<VerifyReport>>> answer = new CompletableFuture<>();
    goOn(answer, 0);
    return answer;
  }

  private void goOn(CompletableFuture<Result<Optional<VerifyReport>>> answer, long waitNanos) {
    Runnable work =
        () -> {
          try {
            step(answer);
          } catch (RuntimeException | Error e) {
            answer.completeExceptionally(e);
          }
        };
    if (waitNanos <= 0) {
      worker.execute(work);
    } else {
      timers.after(waitNanos, () -> worker.execute(work));
    }
  }

  private void step(CompletableFuture<Result<Optional<VerifyReport>>> answer) {
    Optional<LogCheck> opened = at < targets.size() ? current() : Optional.empty();
    if (opened.isEmpty()) {
      answer.complete(Result.done(Optional.empty()));
      return;
    }
    LogCheck reading = opened.get();
    Target target = targets.get(at);
    long before = reading.checkedBytes();
    List<Finding> found = new ArrayList<>();
    boolean ended;
    try {
      found.addAll(reading.step(STEP_BYTES));
      ended = reading.isDone();
    } catch (IOException e) {
      // Offline, or its topic was deleted meanwhile, which is no finding.
      ended = true;
    }
    if (ended) {
      offline(target).ifPresent(found::add);
    }
    long read = reading.checkedBytes() - before;
    long now = timers.nanoTime();
    if (ended || !found.isEmpty() || now - toldNanos >= TELL_NANOS) {
      toldNanos = now;
      VerifyReport report = report(target, reading, ended, found);
      if (ended) {
        end(reading);
      }
      long waitNanos = pace.after(read);
      tell(answer, report, waitNanos);
    } else {
      goOn(answer, pace.after(read));
    }
  }

  private static Optional<Finding> offline(Target target) {
    PartitionStore.Snapshot now = target.partition().snapshot();
    return now.isOffline() ? Optional.of(new Finding.Offline(now.offline())) : Optional.empty();
  }

  private void tell(
      CompletableFuture<Result<Optional<VerifyReport>>> answer, VerifyReport report, long nanos) {
    if (nanos <= 0) {
      answer.complete(Result.done(Optional.of(report)));
    } else {
      timers.after(nanos, () -> answer.complete(Result.done(Optional.of(report))));
    }
  }

  private VerifyReport report(Target target, LogCheck reading, boolean ended, List<Finding> found) {
    long others = bytesToCome - bytes[at];
    return new VerifyReport(
        target.topic().name(),
        target.number(),
        checkedBefore + reading.checkedBytes(),
        checkedBefore + (ended ? reading.checkedBytes() : reading.totalBytes()) + others,
        ended ? at + 1 : at,
        targets.size(),
        found);
  }

  private void end(LogCheck reading) {
    checkedBefore += reading.checkedBytes();
    bytesToCome -= bytes[at];
    at++;
    reading.close();
    synchronized (this) {
      check = Optional.empty();
    }
  }

  /** Empty if it was closed. */
  private synchronized Optional<LogCheck> current() {
    if (closed) {
      return Optional.empty();
    }
    if (check.isEmpty()) {
      check = Optional.of(targets.get(at).partition().check());
    }
    return check;
  }

  @Override
  public void close() {
    Optional<LogCheck> open;
    synchronized (this) {
      if (closed) {
        return;
      }
      closed = true;
      open = check;
    }
    open.ifPresent(LogCheck::close);
    onClose.run();
  }
}
