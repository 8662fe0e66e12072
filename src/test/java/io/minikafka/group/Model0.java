package io.minikafka.group;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A version 0 member: one request at a time, partitions by name, positions kept for what stays in
 * its list. It has no lease.
 */
final class Model0 extends ModelMember {
  final long sessionMs;
  List<String> topics;
  String id = "";
  int generation;
  boolean mustJoin = true;
  final Set<TopicPartition> list = new LinkedHashSet<>();

  /** What it reads at a position that was overruled; only a list without it makes it read anew. */
  final Set<TopicPartition> mustDrop = new HashSet<>();

  private long waitingFor = -1;

  Model0(GroupWorld world, List<String> topics) {
    super(world);
    this.topics = topics;
    this.sessionMs = 600 + 100 * world.random.nextInt(10);
  }

  @Override
  String id() {
    return id;
  }

  @Override
  boolean holds(PartitionId partition) {
    return false;
  }

  /** The partitions were set, or their topic is gone: positions of before do not count. */
  void overruled(Set<TopicPartition> partitions) {
    partitions.stream().filter(list::contains).forEach(mustDrop::add);
  }

  @Override
  void act(boolean calm) {
    if (waitingFor >= 0) {
      if (world.chance(calm ? 100 : 20)) {
        reconnect();
      }
      return;
    }
    if (mustJoin) {
      join();
      return;
    }
    int dice = calm ? 0 : world.random.nextInt(40);
    if (dice == 1) {
      world.send(
          wire, new GroupEvent.Leave(ticket(), wire.connection, GroupWorld.GROUP, id, false));
      drop();
      alive = world.chance(2);
    } else if (dice == 2) {
      topics = world.someTopics();
      join();
    } else if (dice > 2 && dice < 12) {
      commit();
    } else {
      world.send(
          wire,
          new GroupEvent.Heartbeat0(ticket(), wire.connection, GroupWorld.GROUP, id, generation));
    }
  }

  private void join() {
    world.send(
        wire,
        GroupEvent.Join.version0(
            ticket(), wire.connection, GroupWorld.GROUP, id, sessionMs, topics));
  }

  void commit() {
    if (list.isEmpty()) {
      return;
    }
    TopicPartition partition = world.pick(list);
    world.send(
        wire,
        new GroupEvent.Commit0(
            ticket(),
            wire.connection,
            GroupWorld.GROUP,
            id,
            generation,
            partition.topic(),
            partition.partition(),
            world.random.nextInt(1000),
            world.ends));
  }

  private void drop() {
    list.clear();
    mustDrop.clear();
    id = "";
    mustJoin = true;
  }

  private long ticket() {
    waitingFor = world.newTicket();
    return waitingFor;
  }

  @Override
  void receive(Answer answer) {
    if (answer.ticket() != waitingFor) {
      return;
    }
    waitingFor = -1;
    switch (answer.result()) {
      case GroupResult.Joined joined -> {
        id = joined.member();
        generation = (int) joined.generation();
        mustJoin = false;
        list.clear();
        for (GrantedPartition granted : joined.partitions()) {
          list.add(new TopicPartition(granted.topic(), granted.partition().partition()));
        }
        mustDrop.retainAll(list);
      }
      case GroupResult.Refused refused -> {
        switch (refused.error()) {
          case UNKNOWN_MEMBER, FENCED_INSTANCE -> drop();
          case REBALANCE_IN_PROGRESS, ILLEGAL_GENERATION, NOT_OWNER, UNKNOWN_TOPIC ->
              mustJoin = true;
          case OFFSET_OUT_OF_RANGE,
              INVALID_REQUEST,
              LIMIT_REACHED,
              UNKNOWN_GROUP,
              GROUP_IN_USE,
              STATE_MOVED ->
              throw new AssertionError(refused.toString());
        }
      }
      case GroupResult.Current current -> {}
      case GroupResult.Committed committed -> {}
      case GroupResult.Done done -> {}
      case GroupResult.Offsets offsets -> {}
      case GroupResult.OffsetsSet set -> {}
      case GroupResult.Undone undone -> {}
    }
  }

  @Override
  void reconnected() {
    waitingFor = -1;
    // It may go on as if it had never asked to join again.
    mustJoin &= id.isEmpty() || world.chance(2);
  }

  @Override
  Optional<String> unrest() {
    return id.isEmpty() || mustJoin ? Optional.of("v0 " + id + " is to join") : Optional.empty();
  }
}
