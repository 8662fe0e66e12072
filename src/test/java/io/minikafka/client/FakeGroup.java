package io.minikafka.client;

import io.minikafka.TopicPartition;
import io.minikafka.protocol.OffsetFetch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/**
 * A group without a plan: it fences as a broker does, but who gets what is the test's to say (a
 * member that joins gets what nobody has). Sessions do not end by themselves. {@link
 * FakeCoordinator} answers its members.
 */
final class FakeGroup {
  final FakeServer server;

  // Guarded by this.
  final Map<String, Member> members = new LinkedHashMap<>();
  final Set<String> fenced = new HashSet<>();
  final Map<TopicPartition, OffsetFetch.Answer> committed = new LinkedHashMap<>();
  final List<String> events = new ArrayList<>();
  long generation;
  long lastGrant = 100;
  boolean generous = true;
  boolean silent;

  static final class Member {
    final String id;
    final String instance;
    List<String> topics = List.of();
    final Map<TopicPartition, Long> list = new LinkedHashMap<>();

    /** Also what it was told to let go and has not. */
    final Set<TopicPartition> has = new LinkedHashSet<>();

    long assignment;
    long heartbeats;
    boolean mustRejoin;

    Member(String id, String instance) {
      this.id = id;
      this.instance = instance;
    }
  }

  FakeGroup(FakeServer server) {
    this.server = server;
  }

  // What tests do and see.

  /** From now on who joins gets nothing. */
  synchronized FakeGroup mean() {
    generous = false;
    return this;
  }

  /** Heartbeats are taken and not answered until {@link #speak}. */
  synchronized void fallSilent() {
    silent = true;
  }

  synchronized void speak() {
    silent = false;
    notifyAll();
  }

  /** Answers the heartbeat that waits, with nothing new. */
  synchronized void release(String member) {
    member(member).heartbeats++;
    notifyAll();
  }

  synchronized void commit(TopicPartition partition, long offset) {
    UUID id = server.key(partition.topic(), partition.partition()).topicId();
    committed.put(
        partition,
        new OffsetFetch.Answer(id, partition.partition(), true, offset, FakeLog.EPOCH, 1, ""));
  }

  /** −1 if there is none. */
  synchronized long committed(TopicPartition partition) {
    OffsetFetch.Answer answer = committed.get(partition);
    return answer == null ? -1 : answer.offset();
  }

  synchronized String metadata(TopicPartition partition) {
    OffsetFetch.Answer answer = committed.get(partition);
    return answer == null ? "" : answer.metadata();
  }

  /** The ids of the members, in the order they came. */
  synchronized List<String> members() {
    return List.copyOf(members.keySet());
  }

  synchronized List<String> topics(String member) {
    return member(member).topics;
  }

  synchronized Set<TopicPartition> has(String member) {
    return Set.copyOf(member(member).has);
  }

  synchronized long heartbeats(String member) {
    return member(member).heartbeats;
  }

  /** What happened, as far as it concerns who owns what: join, leave, let go, commit, refused. */
  synchronized List<String> events() {
    return List.copyOf(events);
  }

  synchronized void give(String member, TopicPartition... partitions) {
    Member to = member(member);
    for (TopicPartition partition : partitions) {
      to.list.put(partition, ++lastGrant);
      to.has.add(partition);
    }
    changed(to);
  }

  synchronized void take(String member, TopicPartition... partitions) {
    Member from = member(member);
    from.list.keySet().removeAll(List.of(partitions));
    changed(from);
  }

  /** Sessions that are over, members that were put out. */
  synchronized void expel(String member) {
    members.remove(member);
    generation++;
    notifyAll();
  }

  /** Another process has joined as the same instance. */
  synchronized void fence(String member) {
    fenced.add(member);
    expel(member);
  }

  private void changed(Member member) {
    member.assignment++;
    member.mustRejoin = true;
    generation++;
    notifyAll();
  }

  private Member member(String id) {
    Member member = members.get(id);
    if (member == null) {
      throw new AssertionError("no member " + id + " among " + members.keySet());
    }
    return member;
  }

  /** Waits until something is so. */
  synchronized void await(BooleanSupplier condition) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + 20_000_000_000L;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadlineNanos) {
        throw new AssertionError("waited in vain; events: " + events);
      }
      wait(50);
    }
  }

  void awaitEvent(String event) throws InterruptedException {
    await(() -> events.contains(event));
  }

  /** Waits for that many members, and returns the last one. */
  String awaitMember(int count) throws InterruptedException {
    await(() -> members.size() >= count);
    return members().get(count - 1);
  }

  void happened(String event) {
    events.add(event);
    notifyAll();
  }
}
