package io.minikafka.client;

import io.minikafka.Timers;
import io.minikafka.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The heartbeats of one member: when the next is due, those under way, and what their answers mean
 * for the lease. Under version 1 one waits at the server until there is news; what was let go is
 * said by another, sent past it. The heartbeat thread's alone.
 */
final class Beats {
  private static final int MAX_UNDER_WAY = 4;
  private static final int VERSION0_INTERVAL_MS = 3_000;
  private static final int LEAST_TIMEOUT_MS = 1_000;

  /** Until the next one, if one that could have waited was answered at once without news. */
  private static final int UNCALLED_FOR_MS = 500;

  // Constant after construction.
  private final GroupSettings settings;
  private final int requestTimeoutMs;
  private final Timers timers;
  private final Ownership ownership;
  private final Doorbell bell;

  // The heartbeat thread's alone.
  private final List<Sent> underWay = new ArrayList<>();
  private int maxWaitMs;
  private long nextNanos;

  Beats(
      GroupSettings settings,
      int requestTimeoutMs,
      Timers timers,
      Ownership ownership,
      Doorbell bell) {
    this.settings = settings;
    this.requestTimeoutMs = requestTimeoutMs;
    this.timers = timers;
    this.ownership = ownership;
    this.bell = bell;
  }

  private record Sent(
      Connection connection,
      GroupDialect dialect,
      CompletableFuture<Optional<GroupList>> answer,
      long sentNanos,
      int waitMs,
      long losses) {}

  /** Who looks at the lists that come; says whether one was news. */
  interface Reader {
    boolean listed(GroupList list, long losses);
  }

  /** Begins anew, at once. */
  void joined(int serverMaxWaitMs) {
    underWay.clear();
    maxWaitMs = Math.min(serverMaxWaitMs, settings.sessionMs() / 3);
    nextNanos = timers.nanoTime();
  }

  void clear() {
    underWay.clear();
  }

  /** Nothing is sent for so long. */
  void pauseUntil(long untilNanos) {
    nextNanos = untilNanos;
  }

  /** Nanoseconds until one is due; 0 or less: now. */
  long dueNanos() {
    return underWay.isEmpty() ? nextNanos - timers.nanoTime() : Long.MAX_VALUE;
  }

  /**
   * @param urgent not to wait for the one that waits at the server
   * @return whether one was sent
   */
  boolean send(Connection connection, GroupDialect dialect, String member, boolean urgent) {
    if (dueNanos() > 0 && (!urgent || underWay.size() >= MAX_UNDER_WAY)) {
      return false;
    }
    Ownership.Report now = ownership.report();
    // An answer that waits until the lease is over would come too late.
    long leaseLeftMs = Math.max(0, now.leaseLeftNanos() / 1_000_000);
    int waitMs = dialect.version() == 0 ? 0 : (int) Math.min(maxWaitMs, leaseLeftMs / 2);
    GroupDialect.Beat beat =
        new GroupDialect.Beat(
            settings.group(), member, now.generation(), now.assignment(), waitMs, now.owned());
    // Late enough for a server that is slow, early enough to reach another before the lease ends.
    int graceMs = Math.max(LEAST_TIMEOUT_MS, (settings.sessionMs() - waitMs) / 2);
    int timeoutMs = waitMs + Math.min(requestTimeoutMs, graceMs);
    long sentNanos = timers.nanoTime();
    CompletableFuture<Optional<GroupList>> answer = dialect.heartbeat(beat, timeoutMs);
    underWay.add(new Sent(connection, dialect, answer, sentNanos, waitMs, now.losses()));
    answer.whenComplete((list, thrown) -> bell.ring());
    return true;
  }

  /**
   * Takes the answers that have come.
   *
   * @throws MinikafkaException what the coordinator refused
   */
  void take(Reader reader) {
    for (Sent beat : List.copyOf(underWay)) {
      if (!beat.answer().isDone()) {
        continue;
      }
      underWay.remove(beat);
      if (beat.answer().isCompletedExceptionally()) {
        failed(beat, Failures.of(beat.answer().exceptionNow()));
        continue;
      }
      ownership.renew(beat.sentNanos());
      Optional<GroupList> list = beat.answer().resultNow();
      boolean news = list.isPresent() && reader.listed(list.get(), beat.losses());
      nextNanos = nextNanos(beat, news);
    }
  }

  private void failed(Sent beat, MinikafkaException why) {
    nextNanos = timers.nanoTime();
    switch (why) {
      // After an answer that made no sense nothing on the connection can be trusted.
      case ConnectionException lost -> beat.connection().close(lost);
      case ServerException refusal when beat.dialect().version() == 0 && asksToRejoin(refusal) -> {
        ownership.renew(beat.sentNanos());
        ownership.wantRejoin();
        nextNanos = nextNanos(beat, false);
      }
      default -> throw why;
    }
  }

  private static boolean asksToRejoin(ServerException refusal) {
    return refusal.error() == ErrorCode.REBALANCE_IN_PROGRESS
        || refusal.error() == ErrorCode.ILLEGAL_GENERATION;
  }

  private long nextNanos(Sent answered, boolean news) {
    if (answered.dialect().version() == 0) {
      int intervalMs = Math.min(VERSION0_INTERVAL_MS, settings.sessionMs() / 3);
      return answered.sentNanos() + intervalMs * 1_000_000L;
    }
    long now = timers.nanoTime();
    boolean waited = now - answered.sentNanos() >= answered.waitMs() * 500_000L;
    int pauseMs = Math.min(UNCALLED_FOR_MS, answered.waitMs());
    return news || waited ? now : answered.sentNanos() + pauseMs * 1_000_000L;
  }
}
