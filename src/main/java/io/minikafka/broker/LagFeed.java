package io.minikafka.broker;

import io.minikafka.Timers;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Tells the lag of groups again and again, for one reader: at once, then an interval after each
 * look began. Who asks later than that is told at once, and of what it missed nothing.
 *
 * <p>A look at many groups comes in several reports, of at most {@link #PARTITIONS_OF_A_REPORT}
 * partitions each: what is held for a reader, and what a message grows to, is bounded by that and
 * by the partitions of one group.
 *
 * <p>Any thread, see {@link Feed}. Holds one timer while its reader waits, and none after {@link
 * #close}.
 */
final class LagFeed implements Feed<LagReport> {
  static final int PARTITIONS_OF_A_REPORT = 5_000;

  private final Look look;
  private final Timers timers;
  private final InstantSource wallClock;
  private final long intervalNanos;

  // Guarded by this.
  private final Queue<LagReport> reports = new ArrayDeque<>();
  private Optional<String> goOnAfter = Optional.empty();
  private long dueNanos;
  private boolean closed;
  private Timers.@Nullable Timer timer;
  private CompletableFuture<?> underWay = CompletableFuture.completedFuture("");

  /** Looks at some of the groups behind a name; empty for the first ones. */
  interface Look {
    CompletableFuture<Result<GroupPage>> after(String name);
  }

  LagFeed(Look look, Timers timers, InstantSource wallClock, long intervalNanos) {
    this.look = look;
    this.timers = timers;
    this.wallClock = wallClock;
    this.intervalNanos = intervalNanos;
    this.dueNanos = timers.nanoTime();
  }

  @Override
  public CompletableFuture<Result<Optional<LagReport>>> next() {
    CompletableFuture<Result<Optional<LagReport>>> answer = new CompletableFuture<>();
    synchronized (this) {
      if (closed) {
        return CompletableFuture.completedFuture(Result.done(Optional.empty()));
      }
      LagReport ready = reports.poll();
      if (ready != null) {
        return CompletableFuture.completedFuture(Result.done(Optional.of(ready)));
      }
      underWay = answer;
      long waitNanos = goOnAfter.isPresent() ? 0 : dueNanos - timers.nanoTime();
      if (waitNanos > 0) {
        timer = timers.after(waitNanos, () -> look(answer));
        return answer;
      }
    }
    look(answer);
    return answer;
  }

  private void look(CompletableFuture<Result<Optional<LagReport>>> answer) {
    String after;
    synchronized (this) {
      timer = null;
      if (closed) {
        return;
      }
      if (goOnAfter.isEmpty()) {
        dueNanos = timers.nanoTime() + intervalNanos;
      }
      after = goOnAfter.orElse("");
    }
    Instant at = wallClock.instant();
    CompletableFuture<Result<GroupPage>> looking = look.after(after);
    looking.whenComplete(
        (page, failure) -> {
          if (failure != null) {
            answer.completeExceptionally(failure);
          } else {
            answer.complete(
                switch (page) {
                  case Result.Refused<GroupPage>(Refusal refusal) -> Result.refused(refusal);
                  case Result.Done<GroupPage>(GroupPage some) -> Result.done(first(at, some));
                });
          }
        });
    answer.whenComplete(
        (report, failure) -> {
          if (answer.isCancelled()) {
            looking.cancel(false);
          }
        });
  }

  private synchronized Optional<LagReport> first(Instant at, GroupPage page) {
    goOnAfter = page.next().isEmpty() ? Optional.empty() : Optional.of(page.next());
    List<List<GroupLag>> parts = split(page.groups());
    for (int i = 0; i < parts.size(); i++) {
      boolean more = i < parts.size() - 1 || goOnAfter.isPresent();
      reports.add(new LagReport(at, parts.get(i), more));
    }
    return Optional.ofNullable(reports.poll());
  }

  /** At least one part, so that a look at nothing is told too. */
  private static List<List<GroupLag>> split(List<GroupLag> groups) {
    List<List<GroupLag>> parts = new ArrayList<>();
    List<GroupLag> part = new ArrayList<>();
    int room = PARTITIONS_OF_A_REPORT;
    for (GroupLag group : groups) {
      List<PartitionLag> left = group.partitions();
      do {
        if (room == 0) {
          parts.add(part);
          part = new ArrayList<>();
          room = PARTITIONS_OF_A_REPORT;
        }
        int taken = Math.min(room, left.size());
        part.add(group.part(left.subList(0, taken)));
        left = left.subList(taken, left.size());
        // A group without partitions takes room too.
        room = Math.max(0, room - Math.max(1, taken));
      } while (!left.isEmpty());
    }
    parts.add(part);
    return parts;
  }

  @Override
  public void close() {
    CompletableFuture<?> ended;
    synchronized (this) {
      closed = true;
      reports.clear();
      if (timer != null) {
        timer.cancel();
        timer = null;
      }
      ended = underWay;
    }
    ended.cancel(false);
  }
}
