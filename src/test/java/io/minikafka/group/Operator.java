package io.minikafka.group;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import io.minikafka.group.GroupEvent.OffsetChange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * Who sets, puts back and deletes offsets in a random life, with and without force, and knows what
 * must come of it.
 */
final class Operator {
  private final GroupWorld world;
  private final SimBroker broker;
  private final WorldTopics topics;
  private final Function<GroupEvent, List<Answer>> events;
  private final Consumer<Set<TopicPartition>> overrule;

  /**
   * @param overrule tells the members of version 0 whose positions count no more
   */
  Operator(
      GroupWorld world,
      SimBroker broker,
      WorldTopics topics,
      Function<GroupEvent, List<Answer>> events,
      Consumer<Set<TopicPartition>> overrule) {
    this.world = world;
    this.broker = broker;
    this.topics = topics;
    this.events = events;
    this.overrule = overrule;
  }

  void act() {
    int dice = world.random.nextInt(20);
    if (dice < 10) {
      set();
    } else if (dice < 18) {
      undo();
    } else if (dice < 19) {
      deleteOffsets();
    } else {
      deleteGroup();
    }
  }

  private GroupResult ask(LongFunction<GroupEvent> event) {
    long ticket = world.newTicket();
    return Wire.result(events.apply(event.apply(ticket)), ticket);
  }

  private Optional<GroupDescription> group() {
    return broker.groups().describe(GroupWorld.GROUP, world.nowMs);
  }

  private boolean hasMembers() {
    return group().map(found -> !found.members().isEmpty()).orElse(false);
  }

  private void set() {
    Map<PartitionId, CommittedOffset> committed = new HashMap<>();
    group()
        .ifPresent(
            found ->
                found
                    .commits()
                    .forEach(
                        one -> one.commit().ifPresent(at -> committed.put(one.partition(), at))));
    Map<PartitionId, OffsetChange> changes = new HashMap<>();
    for (int i = 0; i <= world.random.nextInt(3); i++) {
      PartitionId partition = topics.somePartition();
      Optional<CommittedOffset> before = Optional.ofNullable(committed.get(partition));
      long elsewhere = world.random.nextInt(1000);
      long offset =
          world.chance(4) ? before.map(CommittedOffset::offset).orElse(elsewhere) : elsewhere;
      changes.put(partition, new OffsetChange(partition, before, offset, 1, ""));
    }
    boolean force = !world.chance(4);
    boolean trial = world.chance(5);
    boolean members = hasMembers();
    GroupResult result =
        ask(
            ticket ->
                new GroupEvent.SetOffsets(
                    ticket,
                    GroupWorld.GROUP,
                    List.copyOf(changes.values()),
                    force,
                    trial,
                    OptionalLong.empty(),
                    partition -> OptionalLong.of(0),
                    world.ends));
    forced(result, force, members);
    if (result instanceof GroupResult.OffsetsSet && !trial) {
      Set<PartitionId> named = Set.copyOf(changes.keySet());
      changes
          .entrySet()
          .removeIf(
              one ->
                  Optional.ofNullable(broker.commits.get(one.getKey()))
                      .equals(Optional.of(one.getValue().offset())));
      if (!changes.isEmpty()) {
        broker.resets.clear();
      }
      changes.forEach(
          (partition, change) -> {
            Optional<Long> before = Optional.ofNullable(broker.commits.get(partition));
            broker.resets.put(partition, new SimBroker.Before(change.offset(), before));
            broker.commits.put(partition, change.offset());
          });
      changed(named);
    }
  }

  private static void forced(GroupResult result, boolean force, boolean members) {
    boolean refused =
        result instanceof GroupResult.Refused(GroupError error, String message)
            && error == GroupError.GROUP_IN_USE;
    Promises.require(!force || !refused, "refused in spite of force: %s", result);
    Promises.require(force || !members || refused, "done beside members without force: %s", result);
  }

  private void undo() {
    boolean force = !world.chance(4);
    boolean trial = world.chance(5);
    boolean members = hasMembers();
    GroupResult result =
        ask(ticket -> new GroupEvent.UndoReset(ticket, GroupWorld.GROUP, force, trial, world.ends));
    if (group().isPresent()) {
      forced(result, force, members);
    }
    Map<PartitionId, SimBroker.Before> resets = Map.copyOf(broker.resets);
    boolean untouched =
        !resets.isEmpty()
            && resets.entrySet().stream()
                .allMatch(
                    one -> {
                      Long now = broker.commits.get(one.getKey());
                      return now != null && now == one.getValue().set();
                    });
    if (!(result instanceof GroupResult.Undone undone)) {
      Promises.require(!force || !untouched, "not undone: %s", result);
      return;
    }
    Promises.require(untouched, "undone though something was committed since: %s", undone);
    Map<PartitionId, SimBroker.Before> told = new HashMap<>();
    undone
        .offsets()
        .forEach(
            one ->
                told.put(
                    one.partition(),
                    new SimBroker.Before(one.reset(), one.now().map(CommittedOffset::offset))));
    Promises.require(told.equals(resets), "undone %s, reset was %s", told, resets);
    if (!trial) {
      resets.forEach(
          (partition, was) ->
              was.before()
                  .ifPresentOrElse(
                      offset -> broker.commits.put(partition, offset),
                      () -> broker.commits.remove(partition)));
      broker.resets.clear();
      changed(resets.keySet());
    }
  }

  private void deleteOffsets() {
    boolean trial = world.chance(2);
    List<PartitionId> partitions =
        world.chance(2) ? List.of() : new ArrayList<>(List.of(topics.somePartition()));
    boolean members = hasMembers();
    GroupResult result =
        ask(ticket -> new GroupEvent.DeleteOffsets(ticket, GroupWorld.GROUP, partitions, trial));
    if (result instanceof GroupResult.OffsetsSet && !trial) {
      Promises.require(!members, "offsets were deleted beside members");
      if (partitions.isEmpty()) {
        broker.commits.clear();
      }
      partitions.forEach(broker.commits::remove);
    }
  }

  private void deleteGroup() {
    boolean trial = world.chance(2);
    boolean members = hasMembers();
    GroupResult result = ask(ticket -> new GroupEvent.DeleteGroup(ticket, GroupWorld.GROUP, trial));
    if (result instanceof GroupResult.OffsetsSet && !trial) {
      Promises.require(!members, "the group was deleted beside members");
      broker.commits.clear();
      broker.resets.clear();
      broker.owners.forget();
    }
  }

  private void changed(Set<PartitionId> partitions) {
    broker.flush(); // A crash shall not undo what the members are judged by.
    Set<TopicPartition> names = new HashSet<>();
    partitions.forEach(one -> names.add(new TopicPartition("a", one.partition())));
    overrule.accept(names);
  }
}
