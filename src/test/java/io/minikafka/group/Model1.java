package io.minikafka.group;

import io.minikafka.PartitionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A version 1 member that keeps its lease: it holds nothing once its session, counted from when it
 * sent its last answered heartbeat, is over.
 */
final class Model1 extends ModelMember {
  final String instance;
  final int sessionMs;
  final int rebalanceMs;
  List<String> topics;
  String id = "";

  /** Number of the last answer applied. */
  long applied;

  long leaseEndMs;
  boolean in;

  /** What the last answer named, with grants. */
  final Map<PartitionId, Long> list = new LinkedHashMap<>();

  /** What it must let go and still holds. */
  final Set<PartitionId> lettingGo = new LinkedHashSet<>();

  private final Map<Long, Sent> sent = new HashMap<>();

  private record Sent(String id, long atMs) {}

  Model1(GroupWorld world, String instance, List<String> topics) {
    super(world);
    this.instance = instance;
    this.topics = topics;
    this.sessionMs = 600 + 100 * world.random.nextInt(10);
    this.rebalanceMs = 300 + 100 * world.random.nextInt(8);
  }

  @Override
  String id() {
    return id;
  }

  @Override
  boolean holds(PartitionId partition) {
    return alive
        && in
        && world.nowMs < leaseEndMs
        && (list.containsKey(partition) || lettingGo.contains(partition));
  }

  private void drop() {
    list.clear();
    lettingGo.clear();
    in = false;
    id = "";
    applied = 0;
  }

  @Override
  void act(boolean calm) {
    if (in && world.nowMs >= leaseEndMs) {
      drop();
    }
    if (!in) {
      if (id.isEmpty() || world.chance(calm ? 3 : 10)) {
        join();
      }
      return;
    }
    int dice = calm ? 0 : world.random.nextInt(40);
    if (dice == 1) {
      leave();
    } else if (dice == 2) {
      topics = world.someTopics();
      join();
    } else if (dice == 3 && !list.isEmpty()) {
      list.remove(world.pick(list.keySet())); // of its own accord
    } else if (dice < 12 && dice > 3) {
      commit();
    } else {
      if (calm || world.chance(2)) {
        lettingGo.clear();
      }
      beat();
    }
  }

  void join() {
    if (id.isEmpty()) {
      id = world.newId();
    }
    long ticket = ticket();
    world.send(
        wire,
        new GroupEvent.Join(
            ticket,
            wire.connection,
            1,
            GroupWorld.GROUP,
            id,
            instance,
            sessionMs,
            rebalanceMs,
            world.assignor(),
            topics));
  }

  private void beat() {
    List<PartitionId> owned = new ArrayList<>(list.keySet());
    owned.addAll(lettingGo);
    world.send(
        wire,
        new GroupEvent.Heartbeat(
            ticket(),
            wire.connection,
            GroupWorld.GROUP,
            id,
            applied,
            world.random.nextInt(600),
            owned));
  }

  /** With what it holds under its last known grants, also after its lease if it has not looked. */
  void commit() {
    if (list.isEmpty()) {
      return;
    }
    List<GroupEvent.CommitPart> parts = new ArrayList<>();
    for (PartitionId partition : list.keySet()) {
      if (parts.isEmpty() || world.chance(3)) {
        parts.add(
            new GroupEvent.CommitPart(
                partition, list.get(partition), world.random.nextInt(1000), 1, ""));
      }
    }
    world.send(
        wire,
        new GroupEvent.Commit(ticket(), wire.connection, GroupWorld.GROUP, id, parts, world.ends));
  }

  private void leave() {
    world.send(
        wire,
        new GroupEvent.Leave(ticket(), wire.connection, GroupWorld.GROUP, id, world.chance(2)));
    drop();
    if (world.chance(2)) {
      alive = false;
    }
  }

  private long ticket() {
    long ticket = world.newTicket();
    sent.put(ticket, new Sent(id, world.nowMs));
    return ticket;
  }

  @Override
  void receive(Answer answer) {
    Sent request = sent.remove(answer.ticket());
    if (request == null || !request.id.equals(id)) {
      return; // of an earlier life
    }
    switch (answer.result()) {
      case GroupResult.Joined joined -> {
        in = true;
        apply(joined.assignment(), joined.partitions(), request.atMs);
      }
      case GroupResult.Current current -> {
        if (in) {
          apply(current.assignment(), current.partitions(), request.atMs);
        }
      }
      case GroupResult.Refused refused -> {
        if (refused.error() == GroupError.FENCED_INSTANCE) {
          drop();
          alive = false;
        } else if (refused.error() == GroupError.UNKNOWN_MEMBER) {
          drop();
        }
      }
      case GroupResult.Committed committed -> {}
      case GroupResult.Done done -> {}
      case GroupResult.Offsets offsets -> {}
      case GroupResult.OffsetsSet set -> {}
      case GroupResult.Undone undone -> {}
    }
  }

  private void apply(long number, List<GrantedPartition> named, long sentAtMs) {
    if (number > applied) {
      applied = number;
      Set<PartitionId> gone = new LinkedHashSet<>(list.keySet());
      list.clear();
      for (GrantedPartition granted : named) {
        list.put(granted.partition(), granted.grant());
        gone.remove(granted.partition());
        lettingGo.remove(granted.partition());
      }
      if (world.nowMs < leaseEndMs) {
        lettingGo.addAll(gone);
      } else {
        lettingGo.clear();
      }
    }
    leaseEndMs = Math.max(leaseEndMs, sentAtMs + sessionMs);
  }

  @Override
  void reconnected() {
    sent.clear();
  }

  @Override
  Optional<String> unrest() {
    if (!in) {
      return Optional.of(id + " is not in");
    }
    return lettingGo.isEmpty() ? Optional.empty() : Optional.of(id + " has not let go");
  }
}
