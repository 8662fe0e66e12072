package io.minikafka.group;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * All groups, and what is asked over all of them: by name, by connection, by deadline.
 *
 * <p>Persistent state changes through {@link #apply} only.
 */
final class GroupTable {
  final GroupLimits limits;
  final TreeMap<String, Group> groups = new TreeMap<>();
  final Deadlines deadlines = new Deadlines();

  /** Groups in which joins wait for the end of the window. */
  final Set<Group> gathering = new LinkedHashSet<>();

  TopicsView topics = TopicsView.EMPTY;

  /** Number of the last opening in the log, 0 before the first. Written by apply only. */
  long opening;

  /** Member ids made since the opening. */
  long idsMade;

  private long numbersMade;

  private final Map<Long, Set<Member>> byConnection = new HashMap<>();

  /** Connections that are not being read from, and since when. */
  private final Map<Long, Long> heldSinceMs = new HashMap<>();

  GroupTable(GroupLimits limits) {
    this.limits = limits;
  }

  void apply(GroupRecord record) {
    if (record instanceof GroupRecord.Opening made) {
      opening = made.number();
      return;
    }
    if (record.key() instanceof GroupRecord.OpeningKey) {
      opening = 0;
      return;
    }
    Group group = obtain(record.key().group());
    group.apply(record);
    dropIfBare(group);
  }

  /**
   * An assignment number above all that were ever used, also by earlier runs and by earlier members
   * of the same id: enough for 2⁴⁰ in each of 2²³ openings.
   */
  long nextNumber() {
    return (opening << 40) + ++numbersMade;
  }

  /** How many numbers were made since the opening. */
  long numbersMade() {
    return numbersMade;
  }

  /** Goes on behind what was made since the opening by groups that are thrown away. */
  void follow(long ids, long numbers) {
    idsMade = ids;
    numbersMade = numbers;
  }

  /** Nothing is remembered of a group that has nothing in the log. */
  void dropIfBare(Group group) {
    if (!group.isSaved && group.isBare()) {
      groups.remove(group.name, group);
      deadlines.forget(group);
      gathering.remove(group);
    }
  }

  Optional<Group> group(String name) {
    return Optional.ofNullable(groups.get(name));
  }

  /** Those that are chosen by name, in order. */
  Collection<Group> groupsOf(GroupChoice choice) {
    return choice
        .names()
        .<Collection<Group>>map(
            names ->
                names.tailSet(choice.after(), false).stream()
                    .flatMap(name -> group(name).stream())
                    .toList())
        .orElseGet(() -> groups.tailMap(choice.after(), false).values());
  }

  Group obtain(String name) {
    return groups.computeIfAbsent(name, key -> new Group(key, limits.maxRebalances()));
  }

  /** The whole persistent state, one record for each key, in the order of keys. */
  List<GroupRecord> snapshot() {
    List<GroupRecord> records = new ArrayList<>();
    if (opening > 0) {
      records.add(new GroupRecord.Opening(opening));
    }
    for (Group group : groups.values()) {
      if (group.isSaved) {
        records.add(group.saved);
      }
      group.members.values().forEach(member -> records.add(member.saved));
      group.commits.forEach(
          (partition, value) ->
              records.add(
                  new GroupRecord.Commit(new GroupRecord.CommitKey(group.name, partition), value)));
      group.resets.forEach(
          (partition, value) ->
              records.add(
                  new GroupRecord.Reset(new GroupRecord.ResetKey(group.name, partition), value)));
    }
    return records;
  }

  void forEachMember(Consumer<Member> action) {
    for (Group group : groups.values()) {
      List.copyOf(group.members.values()).forEach(action);
    }
  }

  /** The member was heard on the connection. */
  void heard(Member member, long connection, long nowMs) {
    member.connection = connection;
    member.heardAtMs = nowMs;
    member.held = heldSinceMs.containsKey(connection);
    if (member.connections.add(connection)) {
      byConnection.computeIfAbsent(connection, key -> new HashSet<>()).add(member);
    }
  }

  /** The member is gone for good. */
  void forget(Member member) {
    deadlines.forget(member);
    for (long connection : member.connections) {
      Set<Member> members = byConnection.get(connection);
      if (members != null) {
        members.remove(member);
        if (members.isEmpty()) {
          byConnection.remove(connection);
        }
      }
    }
    member.connections.clear();
  }

  /** Members that were heard on the connection, in a fixed order. */
  List<Member> heardOn(long connection) {
    List<Member> members = new ArrayList<>(byConnection.getOrDefault(connection, Set.of()));
    members.sort(
        (one, other) -> {
          int order = one.group.name.compareTo(other.group.name);
          return order != 0 ? order : one.id().compareTo(other.id());
        });
    return members;
  }

  void closed(long connection) {
    for (Member member : byConnection.getOrDefault(connection, Set.of())) {
      member.connections.remove(connection);
    }
    byConnection.remove(connection);
  }

  void hold(long connection, long nowMs) {
    if (heldSinceMs.putIfAbsent(connection, nowMs) == null) {
      lastHeardOn(connection).forEach(member -> member.held = true);
    }
  }

  /** Sessions go on where they stood still. */
  void free(long connection, long nowMs) {
    Long sinceMs = heldSinceMs.remove(connection);
    if (sinceMs != null) {
      for (Member member : lastHeardOn(connection)) {
        member.held = false;
        extend(member, nowMs - sinceMs);
        deadlines.watch(member);
      }
    }
  }

  /** Gives the member so much more time. */
  static void extend(Member member, long byMs) {
    member.leaseEndMs += byMs;
    for (Holding holding : member.owned.values()) {
      if (holding.asked()) {
        holding.letGoByMs += byMs;
      }
    }
  }

  private List<Member> lastHeardOn(long connection) {
    return heardOn(connection).stream().filter(one -> one.connection == connection).toList();
  }
}
