package io.minikafka.client;

import io.minikafka.Timers;
import io.minikafka.TopicPartition;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The polling thread's side of a group: takes up and lets go of partitions, at the moments when the
 * application has no records in its hands, and tells the listener; commits by itself.
 *
 * <p>Letting go has an order [I32]: the partitions are read no more; what was returned is
 * committed; the listener may commit, too; when all commits are settled the member says that it has
 * let go. So the next owner begins where this one stopped.
 *
 * <p>The using thread's alone.
 */
final class Subscription implements Gate, CommittedSource {
  /** How long {@link #end} waits for the goodbye. */
  private static final int GOODBYE_MS = 3_000;

  // Constant after construction.
  private final GroupSettings settings;
  private final Timers timers;
  private final Assignment assignment;
  private final Doorbell doorbell;
  private final Link link;
  private final Ownership ownership;
  private final SubscribedTopics topics;
  private final Membership membership;
  private final Commits commits;

  // The using thread's alone.
  private RebalanceListener listener;
  private long autoCommittedNanos;
  private @Nullable MinikafkaException autoCommitFailure;

  Subscription(
      ClientSettings client,
      GroupSettings settings,
      SubscribedTopics.Wanted wanted,
      RebalanceListener listener,
      ClientRuntime runtime,
      Assignment assignment,
      Doorbell doorbell) {
    this.settings = settings;
    this.timers = runtime.timers();
    this.assignment = assignment;
    this.doorbell = doorbell;
    this.listener = listener;
    this.link = new Link(client, runtime);
    Doorbell bell = new Doorbell();
    this.ownership = new Ownership(timers, settings.sessionMs(), doorbell, bell);
    this.topics = new SubscribedTopics(timers, settings.topicRefreshMs(), wanted, bell);
    CommitQueue queue = new CommitQueue(settings.group(), timers, ownership, doorbell, bell);
    this.commits = new Commits(assignment, ownership, queue, doorbell);
    this.membership =
        new Membership(settings, client, timers, link, ownership, queue, topics, bell);
    this.autoCommittedNanos = timers.nanoTime();
    membership.start();
  }

  GroupSettings settings() {
    return settings;
  }

  Commits commits() {
    return commits;
  }

  /** Other topics, another listener; what both have stays. */
  void resubscribe(SubscribedTopics.Wanted wanted, RebalanceListener next) {
    listener = next;
    topics.want(wanted);
  }

  GroupMember member() {
    return new GroupMember(
        settings.group(),
        membership.member(),
        settings.instance(),
        ownership.generation(),
        ownership.isLasting());
  }

  @Override
  public String group() {
    return settings.group();
  }

  @Override
  public CompletableFuture<Map<TopicPartition, CommittedOffset>> committed(
      Collection<AssignedPartition> partitions) {
    Map<TopicPartition, UUID> ids = new LinkedHashMap<>();
    partitions.forEach(
        state ->
            ids.put(state.partition(), state.topic().map(TopicInfo::id).orElse(TopicInfo.NO_ID)));
    return committed(ids);
  }

  /**
   * @param partitions with their topics' ids
   */
  CompletableFuture<Map<TopicPartition, CommittedOffset>> committed(
      Map<TopicPartition, UUID> partitions) {
    return CommittedLookup.ask(link, settings.group(), partitions);
  }

  /** A poll begins: all that earlier ones returned is done with. */
  void pollBegan() {
    membership.pollBegan();
    long sinceNanos = timers.nanoTime() - autoCommittedNanos;
    boolean due = sinceNanos >= settings.autoCommitIntervalMs() * 1_000_000L;
    if (settings.autoCommit() && due && commits.isQuiet() && ownership.mayRead()) {
      autoCommit(assignment.states());
    }
  }

  void pollEnded() {
    membership.pollEnded();
  }

  /** Nothing is committed by itself but positions at the beginning of a poll, or at the end. */
  private void autoCommit(Collection<AssignedPartition> states) {
    Map<TopicPartition, CommittedOffset> offsets = Commits.uncommitted(states);
    autoCommittedNanos = timers.nanoTime();
    if (!offsets.isEmpty()) {
      commits.async(offsets, new AutoCommitted());
    }
  }

  /** What is lost the listener hears of; what cannot be stored otherwise comes out of poll. */
  private final class AutoCommitted implements CommitCallback {
    @Override
    public void committed(Map<TopicPartition, CommittedOffset> offsets) {}

    @Override
    public void failed(Map<TopicPartition, CommittedOffset> offsets, MinikafkaException why) {
      boolean lost = why instanceof CommitRefusedException refusal && refusal.isLost();
      if (!lost) {
        autoCommitFailure = why;
      }
    }
  }

  @Override
  public boolean turn() {
    commits.tell();
    Ownership.Changes changes = ownership.changes();
    if (!changes.lost().isEmpty()) {
      drop(changes.lost());
    }
    if (!changes.revoked().isEmpty()) {
      revoke(changes.revoked(), true);
    }
    if (!changes.added().isEmpty()) {
      takeUp(changes.added());
    }
    ownership.throwFailure();
    throwAutoCommitFailure();
    if (ownership.isRejoinWanted()) {
      prepareRejoin();
    }
    return ownership.mayRead();
  }

  @Override
  public boolean isOpen() {
    return ownership.mayRead();
  }

  private void drop(List<Seat> seats) {
    Set<TopicPartition> partitions = partitions(seats);
    assignment.remove(partitions);
    ownership.letGo(seats);
    listener.onLost(partitions);
  }

  private void revoke(List<Seat> seats, boolean wakes) {
    Set<TopicPartition> partitions = partitions(seats);
    assignment.stop(partitions);
    if (settings.autoCommit()) {
      autoCommit(partitions.stream().map(assignment::state).toList());
    }
    commits.settle(wakes);
    try {
      listener.onRevoked(partitions);
    } finally {
      commits.settle(false);
      assignment.remove(partitions);
      ownership.letGo(seats);
    }
  }

  private void takeUp(List<Seat> seats) {
    List<AssignedPartition> states = new ArrayList<>();
    seats.forEach(seat -> states.add(new AssignedPartition(seat, this)));
    ownership.takeUp(seats);
    assignment.add(states);
    listener.onAssigned(partitions(seats));
  }

  /** In version 0 joining again lets go of whatever is to go, before it is known what that is. */
  private void prepareRejoin() {
    if (settings.autoCommit()) {
      autoCommit(assignment.states());
    }
    commits.settle(true);
    ownership.allowRejoin();
  }

  private void throwAutoCommitFailure() {
    MinikafkaException why = autoCommitFailure;
    if (why != null) {
      autoCommitFailure = null;
      throw why;
    }
  }

  /**
   * Commits what was returned, if it is to commit by itself, lets go of everything, and leaves the
   * group.
   *
   * @param keepSeat whether a static member's partitions are to wait for it
   */
  void end(boolean keepSeat) {
    try {
      List<Seat> seats = List.copyOf(ownership.held().values());
      if (seats.isEmpty()) {
        return;
      }
      if (ownership.mayRead()) {
        revoke(seats, false);
      } else {
        drop(seats);
      }
    } finally {
      assignment.remove(assignment.partitions());
      membership.stop(keepSeat && settings.isStatic(), GOODBYE_MS);
    }
    throwAutoCommitFailure();
  }

  private static Set<TopicPartition> partitions(List<Seat> seats) {
    Set<TopicPartition> partitions = new LinkedHashSet<>();
    seats.forEach(seat -> partitions.add(seat.partition()));
    return partitions;
  }
}
