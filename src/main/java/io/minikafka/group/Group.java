package io.minikafka.group;

import io.minikafka.PartitionId;
import io.minikafka.group.GroupRecord.Owned;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One group: what the log says of it, and what follows from that.
 *
 * <p>The first part changes only through {@link #apply}, at start-up as at run time. As a {@link
 * Timed} it is the end of the window in which joins are gathered.
 */
final class Group extends Timed {
  /** A generation before the first. */
  private static final long NEVER = 0;

  final String name;

  // Written by apply only.
  GroupRecord.Group saved;

  /** Whether the log has a record of the group itself. */
  boolean isSaved;

  final TreeMap<String, Member> members = new TreeMap<>();
  final ByPartition<CommittedOffset> commits = new ByPartition<>();

  /** What the last reset of its offsets did. */
  final ByPartition<ResetOffset> resets = new ByPartition<>();

  /** Who owns a partition: the one owner it has. */
  private final Map<PartitionId, Member> owners = new HashMap<>();

  /** The member that sits in an instance's seat. */
  private final Map<String, Member> seats = new HashMap<>();

  /** How many members have a seat. */
  private int seated;

  // Written by the rules; not in the log.

  /** Whom a partition is meant for. */
  Map<PartitionId, Member> targets = Map.of();

  /** Partitions that are meant for a live member that does not own them yet. */
  private int awaited;

  /** Joins that wait for the end of the window, by member id. */
  final Map<String, Joining> joining = new LinkedHashMap<>();

  long windowEndsAtMs = Long.MAX_VALUE;

  /** Members whose parked heartbeats may have become answerable in this step. */
  final Set<Member> touched = new LinkedHashSet<>();

  /** The group is to be rebalanced at the end of this step. */
  boolean rebalanceDue;

  /** The same, and why. */
  final List<String> reasons = new ArrayList<>();

  final History history;

  Group(String name, int maxRebalances) {
    this.name = name;
    this.saved =
        new GroupRecord.Group(new GroupRecord.GroupKey(name), 0, NEVER, Assignor.RANGE.title(), 0);
    this.history = new History(maxRebalances);
  }

  long generation() {
    return saved.generation();
  }

  /** The low 32 bits, all that version 0 has. */
  int generation0() {
    return (int) saved.generation();
  }

  Assignor assignor() {
    return Assignor.titled(saved.assignor()).orElse(Assignor.RANGE);
  }

  Optional<Member> member(String id) {
    return Optional.ofNullable(members.get(id));
  }

  Optional<Member> seatOf(String instance) {
    return Optional.ofNullable(seats.get(instance));
  }

  Optional<Member> ownerOf(PartitionId partition) {
    return Optional.ofNullable(owners.get(partition));
  }

  Optional<Member> targetOf(PartitionId partition) {
    return Optional.ofNullable(targets.get(partition));
  }

  boolean isFree(PartitionId partition) {
    return !owners.containsKey(partition);
  }

  /** Members that are live or have left for a while; not those that only wait for their end. */
  int seated() {
    return seated;
  }

  boolean settled() {
    return awaited == 0;
  }

  /** Whether nothing would be lost with it. */
  boolean isBare() {
    return members.isEmpty() && commits.size() == 0 && resets.size() == 0 && joining.isEmpty();
  }

  void apply(GroupRecord record) {
    switch (record) {
      case GroupRecord.Commit commit -> commits.put(commit.key().partition(), commit.value());
      case GroupRecord.Group group -> {
        saved = group;
        isSaved = true;
      }
      case GroupRecord.Member member -> put(member);
      case GroupRecord.Reset reset -> resets.put(reset.key().partition(), reset.value());
      case GroupRecord.Tombstone tombstone -> {
        switch (tombstone.key()) {
          case GroupRecord.CommitKey key -> commits.remove(key.partition());
          case GroupRecord.GroupKey key -> isSaved = false;
          case GroupRecord.MemberKey key -> remove(key.member());
          case GroupRecord.ResetKey key -> resets.remove(key.partition());
          case GroupRecord.OpeningKey key -> throw new IllegalArgumentException("of no group");
        }
      }
      case GroupRecord.Opening opening -> throw new IllegalArgumentException("of no group");
    }
  }

  private void put(GroupRecord.Member record) {
    Member member = members.get(record.key().member());
    if (member == null) {
      member = new Member(this, record);
      members.put(record.key().member(), member);
    } else {
      leaveSeat(member);
    }
    member.saved = record;
    if (member.hasSeat()) {
      seated++;
      if (!record.instance().isEmpty()) {
        seats.put(record.instance(), member);
      }
    }
    Map<PartitionId, Holding> before = member.owned;
    Map<PartitionId, Holding> now = new LinkedHashMap<>();
    if (record.state() != MemberState.AWAY) {
      for (Owned owned : record.owned()) {
        Holding holding = before.remove(owned.partition());
        if (holding == null) {
          holding = new Holding(owned.partition(), owned.grant());
        }
        holding.grant = owned.grant();
        now.put(owned.partition(), holding);
        own(owned.partition(), member);
      }
    }
    member.owned = now;
    for (PartitionId partition : before.keySet()) {
      disown(partition, member);
    }
  }

  private void remove(String id) {
    Member member = members.remove(id);
    if (member == null) {
      return;
    }
    leaveSeat(member);
    member.removed = true;
    member.owned.keySet().forEach(partition -> disown(partition, member));
  }

  private void leaveSeat(Member member) {
    if (member.hasSeat()) {
      seated--;
      seats.remove(member.saved.instance(), member);
    }
  }

  private void own(PartitionId partition, Member member) {
    Member before = owners.put(partition, member);
    awaited += (awaits(partition, member) ? 1 : 0) - (awaits(partition, before) ? 1 : 0);
  }

  private void disown(PartitionId partition, Member member) {
    // In a replay the next owner's record may stand before the last one's.
    if (owners.remove(partition, member)) {
      awaited += (awaits(partition, null) ? 1 : 0) - (awaits(partition, member) ? 1 : 0);
    }
  }

  private boolean awaits(PartitionId partition, @Nullable Member owner) {
    Member target = targets.get(partition);
    return target != null && target.isLive() && !target.removed && target != owner;
  }

  /** To be called when targets were set, or a target came to life or went away. */
  void recount() {
    awaited = 0;
    for (PartitionId partition : targets.keySet()) {
      awaited += awaits(partition, owners.get(partition)) ? 1 : 0;
    }
  }

  /** Throws if the log gave a partition two owners: it is no log of ours then. */
  void check() {
    for (Member member : members.values()) {
      for (PartitionId partition : member.owned.keySet()) {
        if (owners.get(partition) != member) {
          throw new IllegalStateException(
              "group %s: %s is owned by %s and by another"
                  .formatted(name, partition, member.title()));
        }
      }
    }
  }

  /**
   * Whether a partition would be granted to another member under a generation under which it has
   * been granted before: the generation must rise first.
   */
  boolean wouldGrantTwice() {
    for (Member member : members.values()) {
      for (Holding holding : member.owned.values()) {
        if (holding.grant == generation() && targets.get(holding.partition) != member) {
          return true;
        }
      }
    }
    return false;
  }

  @Override
  long wakeAtMs() {
    return windowEndsAtMs;
  }
}
