package io.minikafka.client;

import io.minikafka.Timers;
import io.minikafka.TopicPartition;
import io.minikafka.protocol.ErrorCode;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The commits of one member, in order: one request at a time, so that none overtakes another [I33],
 * also when it has to be sent again over another connection (which does no harm: it says the same).
 * What waits meanwhile goes together in the next.
 *
 * <p>The polling thread adds and waits, the heartbeat thread sends, the network's thread settles; a
 * commit is settled once, for good. A commit of what is not this member's any more is refused here.
 * Bounded: who adds waits while {@link #isFull}.
 */
final class CommitQueue {
  private static final int MAX_WAITING = 1_000;
  private static final long RETRY_NANOS = 100_000_000;

  // Constant after construction.
  private final String group;
  private final Timers timers;
  private final Ownership ownership;
  private final Doorbell user;
  private final Doorbell member;

  // Guarded by this.
  private final ArrayDeque<Commit> waiting = new ArrayDeque<>();
  private List<Commit> sent = List.of();

  /** How many of the first are to go alone: together one of them was refused. */
  private int alone;

  private long notBeforeNanos;
  private boolean doubtful;
  private boolean refused;

  CommitQueue(String group, Timers timers, Ownership ownership, Doorbell user, Doorbell member) {
    this.group = group;
    this.timers = timers;
    this.ownership = ownership;
    this.user = user;
    this.member = member;
    this.notBeforeNanos = timers.nanoTime();
  }

  /** One commit and what became of it. */
  static final class Commit {
    private final Map<Seat, CommittedOffset> offsets;

    // Guarded by the queue.
    private boolean tried;
    private boolean settled;
    private @Nullable MinikafkaException failure;

    private Commit(Map<Seat, CommittedOffset> offsets) {
      this.offsets = offsets;
    }
  }

  // What the polling thread does.

  /**
   * Adds a commit behind all others.
   *
   * @param offsets under the grants by which what they cover was read
   */
  synchronized Commit add(Map<Seat, CommittedOffset> offsets) {
    Commit commit = new Commit(Map.copyOf(offsets));
    if (offsets.isEmpty()) {
      commit.settled = true;
    } else {
      waiting.add(commit);
      member.ring();
    }
    return commit;
  }

  synchronized boolean isFull() {
    return waiting.size() + sent.size() >= MAX_WAITING;
  }

  /** Whether nothing waits or is under way. */
  synchronized boolean isQuiet() {
    return waiting.isEmpty() && sent.isEmpty();
  }

  synchronized boolean isSettled(Commit commit) {
    return commit.settled;
  }

  /** Why it failed; empty if it is stored, or not settled. */
  synchronized Optional<MinikafkaException> failure(Commit commit) {
    return Optional.ofNullable(commit.failure);
  }

  /** Settles what must not be sent any more, because of what was lost or of the time. */
  synchronized void refuseLost() {
    waiting.removeIf(commit -> commit.settled || refusedHere(commit));
    if (!ownership.isLasting()) {
      for (Commit commit : sent) {
        if (!commit.settled) {
          settle(commit, unanswered(commit));
        }
      }
      sent = List.of();
    }
  }

  private boolean refusedHere(Commit commit) {
    for (Seat seat : commit.offsets.keySet()) {
      if (!ownership.holds(seat)) {
        settle(commit, commit.tried ? unanswered(commit) : notOwned(seat.partition()));
        return true;
      }
    }
    return false;
  }

  /** Why a commit of this is not even sent. */
  CommitRefusedException notOwned(TopicPartition partition) {
    boolean lasting = ownership.isLasting();
    return new CommitRefusedException(
        lasting ? ErrorCode.NOT_OWNER : ErrorCode.UNKNOWN_MEMBER,
        "the commit of %s was not sent to group %s: %s"
            .formatted(
                partition,
                group,
                lasting
                    ? "the partition is not this member's"
                    : "the session of this member is over"));
  }

  private ConnectionException unanswered(Commit commit) {
    return new ConnectionException(
        "the commit of %s was sent to group %s, and not answered before the session was over: it may be stored"
            .formatted(commit.offsets.keySet().stream().map(Seat::partition).toList(), group),
        null);
  }

  private void settle(Commit commit, @Nullable MinikafkaException failure) {
    commit.settled = true;
    commit.failure = failure;
    user.ring();
  }

  // What the heartbeat thread does.

  /** Sends what waits if nothing is under way; an earlier connection's is not, it has failed. */
  void send(Connection connection, GroupDialect dialect, String id) {
    List<Commit> batch = new ArrayList<>();
    Map<Seat, CommittedOffset> offsets = new LinkedHashMap<>();
    synchronized (this) {
      refuseLost();
      if (!sent.isEmpty() || waiting.isEmpty() || pauseNanos() > 0) {
        return;
      }
      int most = alone > 0 ? 1 : waiting.size();
      alone = Math.max(0, alone - 1);
      while (batch.size() < most) {
        Commit next = waiting.remove();
        next.tried = true;
        batch.add(next);
        offsets.putAll(next.offsets);
      }
      sent = batch;
    }
    dialect
        .commit(group, id, ownership.generation(), offsets)
        .whenComplete(
            (done, thrown) ->
                answered(batch, thrown == null ? null : Failures.of(thrown), connection));
  }

  /** How long nothing is to be sent; 0 or less: not at all. */
  synchronized long pauseNanos() {
    return notBeforeNanos - timers.nanoTime();
  }

  private synchronized void answered(
      List<Commit> batch, @Nullable MinikafkaException why, Connection connection) {
    if (sent == batch) {
      sent = List.of();
    }
    switch (why) {
      case ConnectionException lost -> {
        // Given up by this side, it may still lie in a buffer on the way, and arrive at any time.
        doubtful |= connection.wasGivenUp();
        again(batch);
      }
      case ServerException refusal when isPassing(refusal.error()) -> {
        notBeforeNanos = timers.nanoTime() + RETRY_NANOS;
        again(batch);
      }
      case CommitRefusedException refusal when batch.size() > 1 -> {
        // Nothing was stored; which of them it was that cannot be, each finds out by itself.
        batch.forEach(commit -> commit.tried = false);
        alone = batch.size();
        again(batch);
      }
      case null, default -> {
        refused |= why instanceof CommitRefusedException refusal && refusal.isLost();
        for (Commit commit : batch) {
          if (!commit.settled) {
            settle(commit, why);
          }
        }
      }
    }
    member.ring();
    user.ring();
  }

  private void again(List<Commit> batch) {
    for (Commit commit : batch.reversed()) {
      if (!commit.settled) {
        waiting.addFirst(commit);
      }
    }
  }

  private static boolean isPassing(ErrorCode error) {
    return switch (error) {
      case NOT_LEADER, THROTTLED, SHUTTING_DOWN -> true;
      default -> false;
    };
  }

  /**
   * Whether, since it was last asked, a commit may have been left on the way: it could overwrite a
   * later one, unless this member's id and grants end.
   */
  synchronized boolean takeDoubt() {
    boolean doubt = doubtful;
    doubtful = false;
    return doubt;
  }

  /** Whether a commit was refused, since {@link #takeRefusal}, because of who owns what. */
  synchronized boolean hasRefusal() {
    return refused;
  }

  synchronized void takeRefusal() {
    refused = false;
  }
}
