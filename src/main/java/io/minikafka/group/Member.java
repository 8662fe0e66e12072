package io.minikafka.group;

import io.minikafka.PartitionId;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A member of a group: what its record says, and what lives only as long as the process.
 *
 * <p>Its record changes only through {@link Group#apply}; the rules change the rest.
 */
final class Member extends Timed {
  final Group group;

  // Written by Group.apply only.
  GroupRecord.Member saved;

  /** What it owns; empty while it is {@link MemberState#AWAY}. */
  Map<PartitionId, Holding> owned = new LinkedHashMap<>();

  boolean removed;

  // Written by the rules; not in the log.

  /** What is meant for it. */
  List<PartitionId> target = List.of();

  /** When its session is over. */
  long leaseEndMs = Long.MAX_VALUE;

  /** When it was last heard, or the groups were opened. */
  long heardAtMs;

  /** The connection it was last heard on; 0 if it was not yet in this run. */
  long connection;

  /** The connections it was heard on that are still there. */
  final Set<Long> connections = new HashSet<>();

  /** Its connection is not being read from, so its session stands still. */
  boolean held;

  /** Number of the last answer that changed its list; rises over restarts, too. */
  long number;

  /** Its list has changed without an answer: the next one must carry a new number. */
  boolean listChanged;

  /** Its heartbeat that waits for news. */
  @Nullable Parked parked;

  /** Version 0 only: null until its first join answer in this run, or when that may be lost. */
  @Nullable Told told;

  /** Version 0 only: it has sent a heartbeat or a commit, or was there before this run. */
  boolean heard;

  /** A heartbeat that waits. */
  record Parked(long ticket, long connection, long wakeAtMs) {}

  Member(Group group, GroupRecord.Member saved) {
    this.group = group;
    this.saved = saved;
  }

  String id() {
    return saved.key().member();
  }

  boolean isLive() {
    return saved.state() == MemberState.LIVE;
  }

  boolean isGone() {
    return saved.state() == MemberState.GONE;
  }

  /** Whether it takes part in assignments: it is live, or its seat is kept. */
  boolean hasSeat() {
    return !removed && !isGone();
  }

  /** What names it over replacements. Instances and ids are kept apart by the first letter. */
  String seat() {
    return saved.instance().isEmpty() ? "m" + id() : "i" + saved.instance();
  }

  /** Whom messages and reasons mean. */
  String title() {
    return saved.instance().isEmpty() ? id() : id() + " (" + saved.instance() + ")";
  }

  /** What an answer names, in order: all that it owns but for what it is to let go. */
  List<GrantedPartition> list(TopicsView topics) {
    List<GrantedPartition> list = new ArrayList<>(owned.size());
    for (Holding holding : owned.values()) {
      if (!holding.asked() && !holding.isVoid()) {
        list.add(
            new GrantedPartition(
                holding.partition, topics.nameOf(holding.partition), holding.grant));
      }
    }
    list.sort(GrantedPartition.ORDER);
    return list;
  }

  /** Whether more is to come: something awaited, or something still to be let go. */
  boolean pending() {
    for (Holding holding : owned.values()) {
      if (holding.asked() || holding.isVoid()) {
        return true;
      }
    }
    for (PartitionId partition : target) {
      if (!owned.containsKey(partition)) {
        return true;
      }
    }
    return false;
  }

  /** Longest time a heartbeat is parked. */
  int maxWaitMs() {
    return saved.sessionMs() / 3;
  }

  long earliestLetGoMs() {
    long earliestMs = Long.MAX_VALUE;
    for (Holding holding : owned.values()) {
      earliestMs = Math.min(earliestMs, holding.letGoByMs);
    }
    return earliestMs;
  }

  @Override
  long wakeAtMs() {
    if (removed) {
      return Long.MAX_VALUE;
    }
    if (isGone() && owned.isEmpty()) {
      return Long.MAX_VALUE; // only remembered
    }
    long atMs = Long.MAX_VALUE;
    if (!held) {
      atMs = isLive() ? Math.min(leaseEndMs, earliestLetGoMs()) : leaseEndMs;
    }
    return parked == null ? atMs : Math.min(atMs, parked.wakeAtMs());
  }
}
