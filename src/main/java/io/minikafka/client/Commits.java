package io.minikafka.client;

import io.minikafka.TopicPartition;
import io.minikafka.client.CommitQueue.Commit;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The polling thread's side of commits: what they say, waiting for them, telling their callbacks,
 * and committing by itself. The using thread's alone.
 */
final class Commits {
  private final Assignment assignment;
  private final Ownership ownership;
  private final CommitQueue queue;
  private final Doorbell doorbell;

  /** Those that somebody is to be told of, in order. */
  private final ArrayDeque<Told> told = new ArrayDeque<>();

  Commits(Assignment assignment, Ownership ownership, CommitQueue queue, Doorbell doorbell) {
    this.assignment = assignment;
    this.ownership = ownership;
    this.queue = queue;
    this.doorbell = doorbell;
  }

  private record Told(
      Commit commit, Map<TopicPartition, CommittedOffset> offsets, CommitCallback callback) {}

  /** All that was returned. */
  Map<TopicPartition, CommittedOffset> positions() {
    Map<TopicPartition, CommittedOffset> offsets = new LinkedHashMap<>();
    for (AssignedPartition state : assignment.states()) {
      if (state.isResolved()) {
        offsets.put(state.partition(), state.toCommit());
      }
    }
    return offsets;
  }

  /** What was returned of these and is not committed. */
  static Map<TopicPartition, CommittedOffset> uncommitted(Collection<AssignedPartition> states) {
    Map<TopicPartition, CommittedOffset> offsets = new LinkedHashMap<>();
    for (AssignedPartition state : states) {
      if (state.isUncommitted()) {
        offsets.put(state.partition(), state.toCommit());
      }
    }
    return offsets;
  }

  /**
   * Commits and waits until it is stored.
   *
   * @throws CommitRefusedException if nothing was stored
   * @throws WakeupException if woken; it may yet be stored
   */
  void sync(Map<TopicPartition, CommittedOffset> offsets) {
    Commit commit = add(offsets);
    await(() -> queue.isSettled(commit), true);
    tell();
    Optional<MinikafkaException> failure = queue.failure(commit);
    if (failure.isPresent()) {
      forget(offsets);
      failure.get().addSuppressed(new Failures.CallerTrace());
      throw failure.get();
    }
  }

  /** The callback is told in one of the next calls. */
  void async(Map<TopicPartition, CommittedOffset> offsets, CommitCallback callback) {
    await(() -> !queue.isFull(), true);
    Commit commit = add(offsets);
    told.add(new Told(commit, offsets, callback));
  }

  private Commit add(Map<TopicPartition, CommittedOffset> offsets) {
    Map<TopicPartition, Seat> held = ownership.held();
    Map<Seat, CommittedOffset> seats = new LinkedHashMap<>();
    offsets.forEach(
        (partition, offset) -> {
          Seat seat = held.get(partition);
          if (seat == null) {
            throw queue.notOwned(partition);
          }
          seats.put(seat, offset);
        });
    offsets.forEach((partition, offset) -> assignment.state(partition).committed(offset.offset()));
    return queue.add(seats);
  }

  /** The next commit of positions is to say these again. */
  private void forget(Map<TopicPartition, CommittedOffset> offsets) {
    for (AssignedPartition state : assignment.states()) {
      if (offsets.containsKey(state.partition())) {
        state.commitFailed();
      }
    }
  }

  /** Tells the callbacks of what has been settled, in the order of the commits. */
  void tell() {
    for (Told first = told.peek();
        first != null && queue.isSettled(first.commit());
        first = told.peek()) {
      told.remove();
      Optional<MinikafkaException> failure = queue.failure(first.commit());
      if (failure.isPresent()) {
        forget(first.offsets());
        first.callback().failed(first.offsets(), failure.get());
      } else {
        first.callback().committed(first.offsets());
      }
    }
  }

  /**
   * Waits until all commits are settled.
   *
   * @param wakes whether a wake-up ends it
   */
  void settle(boolean wakes) {
    await(queue::isQuiet, wakes);
    tell();
  }

  boolean isQuiet() {
    return queue.isQuiet();
  }

  private interface Condition {
    boolean holds();
  }

  /** Ends by itself: at the end of the session everything is settled. */
  private void await(Condition condition, boolean wakes) {
    while (true) {
      queue.refuseLost();
      if (condition.holds()) {
        return;
      }
      if (wakes) {
        doorbell.throwIfWoken();
      }
      doorbell.await(Long.MAX_VALUE);
    }
  }
}
