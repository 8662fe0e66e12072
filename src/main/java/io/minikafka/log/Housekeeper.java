package io.minikafka.log;

import io.minikafka.Counted;
import io.minikafka.Timers;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Looks at every log now and then: rolls what is too old, gives up what is too much or too old, has
 * compacted what is due. One checkpoint serves all logs of a round.
 *
 * <p><b>Life-cycle.</b> {@link #start} once, {@link #end} once. The rounds run on the worker, one
 * at a time.
 */
final class Housekeeper {
  private final LogContext context;
  private final Supplier<Collection<PartitionLog>> logs;
  private final AtomicBoolean soon = new AtomicBoolean();

  // Guarded by this.
  private boolean ended;
  private Timers.Timer timer = () -> {};

  Housekeeper(LogContext context, Supplier<Collection<PartitionLog>> logs) {
    this.context = context;
    this.logs = logs;
  }

  synchronized void start() {
    if (!ended) {
      long afterMs = context.settings().retentionCheckIntervalMs();
      timer =
          context
              .timers()
              .after(
                  afterMs * 1_000_000,
                  () ->
                      context
                          .worker()
                          .execute(
                              () -> {
                                round();
                                start();
                              }));
    }
  }

  /** A round after logs were opened: what was due while the broker was down. */
  void soon() {
    if (soon.compareAndSet(false, true)) {
      context
          .timers()
          .after(
              context.settings().checkpointIntervalMs() * 1_000_000,
              () ->
                  context
                      .worker()
                      .execute(
                          () -> {
                            soon.set(false);
                            round();
                          }));
    }
  }

  synchronized void end() {
    ended = true;
    timer.cancel();
  }

  private synchronized boolean hasEnded() {
    return ended;
  }

  private void round() {
    List<PartitionLog> due = new ArrayList<>();
    for (PartitionLog log : logs.get()) {
      if (hasEnded()) {
        return;
      }
      try {
        if (log.housekeep(context.wallClock().millis())) {
          due.add(log);
        }
        log.compactSoon();
      } catch (IOException e) {
        context
            .observer()
            .onUpkeepFailed(log.openLog().id(), "housekeeping", String.valueOf(e.getMessage()));
      }
    }
    if (due.isEmpty()) {
      return;
    }
    try {
      context.checkpoints().write();
      for (PartitionLog log : due) {
        log.applyTrim();
      }
    } catch (IOException e) {
      // It is tried again with the next look. Not of one partition: the checkpoint is of all.
      System.getLogger(Housekeeper.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "retention of {0} failed: {1}",
              Counted.of(due.size(), "partition"),
              e.getMessage());
    }
  }
}
