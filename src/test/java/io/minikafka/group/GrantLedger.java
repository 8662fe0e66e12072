package io.minikafka.group;

import io.minikafka.PartitionId;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Follows the grant log of one group and fails when a partition would have two owners. */
final class GrantLedger {
  private final Map<PartitionId, Entry> owners = new HashMap<>();

  /** The newest grant that counts, and whose it was. */
  private final Map<PartitionId, Entry> newest = new HashMap<>();

  record Entry(String member, long grant) {}

  GrantLedger copy() {
    GrantLedger copy = new GrantLedger();
    copy.owners.putAll(owners);
    copy.newest.putAll(newest);
    return copy;
  }

  void apply(GroupNews news) {
    switch (news) {
      case GroupNews.Granted granted -> {
        Entry now = new Entry(granted.member(), granted.grant());
        Entry before = owners.put(granted.partition(), now);
        if (before != null) {
          throw new AssertionError(
              "two owners of " + granted.partition() + ": " + before + " and " + now);
        }
        if (now.grant != GroupRecord.Owned.VOID) {
          fences(granted.partition(), newest.put(granted.partition(), now), now);
        }
      }
      case GroupNews.Ended ended -> {
        Entry now = new Entry(ended.member(), ended.grant());
        Entry before = owners.remove(ended.partition());
        if (ended.reason() == GroupNews.EndReason.RESET) {
          newest.put(ended.partition(), new Entry("", ended.grant()));
        }
        if (!now.equals(before)) {
          throw new AssertionError(
              "ownership of " + ended.partition() + " ended for " + now + ", had " + before);
        }
      }
      case GroupNews.Clamped clamped -> {}
      case GroupNews.OffsetExpired expired -> {}
      case GroupNews.Rebalanced rebalanced -> {}
    }
  }

  /** A new grant is above all earlier ones, but for what a member let go and was given back. */
  private static void fences(PartitionId partition, @Nullable Entry last, Entry now) {
    if (last != null && now.grant <= last.grant && !now.equals(last)) {
      throw new AssertionError(partition + ": " + now + " does not fence " + last);
    }
  }

  /** The group was deleted: its generations begin anew. */
  void forget() {
    newest.clear();
  }

  boolean isOwner(PartitionId partition, String member) {
    Entry entry = owners.get(partition);
    return entry != null && entry.member.equals(member);
  }

  boolean isOwner(PartitionId partition, String member, long grant) {
    return new Entry(member, grant).equals(owners.get(partition));
  }

  /** For messages. */
  String owner(PartitionId partition) {
    Entry entry = owners.get(partition);
    return entry == null ? "nobody" : entry.toString();
  }
}
