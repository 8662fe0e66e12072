package io.minikafka.group;

import io.minikafka.PartitionId;
import java.util.List;

/**
 * One entry of the offsets log: the whole state of one key. The log holds nothing else, and
 * applying its records in order makes the state. Immutable.
 */
public sealed interface GroupRecord {

  /** Of which key it is the newest state. */
  Key key();

  /** What a record is about. */
  sealed interface Key {
    String group();
  }

  /** Key type 1. */
  record CommitKey(String group, PartitionId partition) implements Key {}

  /** Key type 2. */
  record GroupKey(String group) implements Key {}

  /** Key type 3. */
  record MemberKey(String group, String member) implements Key {}

  /** Key type 4: there is one such key, and it belongs to no group. */
  record OpeningKey() implements Key {
    @Override
    public String group() {
      return "";
    }

    /** Written out since each start asks for it, as {@link io.minikafka.PartitionId}'s is. */
    @Override
    public int hashCode() {
      return 0;
    }
  }

  /** Key type 5. */
  record ResetKey(String group, PartitionId partition) implements Key {}

  /** A committed offset. */
  record Commit(CommitKey key, CommittedOffset value) implements GroupRecord {}

  /**
   * A group.
   *
   * @param kind 0 for groups of this protocol
   * @param generation rises with every rebalance and never falls
   * @param emptySinceMs wall clock: since when it has no members; −1 while it has some
   */
  record Group(GroupKey key, int kind, long generation, String assignor, long emptySinceMs)
      implements GroupRecord {}

  /**
   * A member.
   *
   * @param version of the protocol it speaks
   * @param owned {@link MemberState#AWAY}: what it held; otherwise what it owns
   */
  record Member(
      MemberKey key,
      MemberState state,
      String instance,
      int sessionMs,
      int rebalanceMs,
      int version,
      List<String> topics,
      List<Owned> owned)
      implements GroupRecord {
    public Member {
      topics = List.copyOf(topics);
      owned = List.copyOf(owned);
    }

    Member owning(List<Owned> now) {
      return new Member(key, state, instance, sessionMs, rebalanceMs, version, topics, now);
    }

    Member in(MemberState now) {
      return new Member(key, now, instance, sessionMs, rebalanceMs, version, topics, owned);
    }

    Member subscribedTo(List<String> now) {
      return new Member(key, state, instance, sessionMs, rebalanceMs, version, now, owned);
    }
  }

  /**
   * A partition that a member owns.
   *
   * @param grant {@link #VOID}: the member must let it go before it can be granted anew
   */
  record Owned(PartitionId partition, long grant) {
    /** No generation: nothing can be committed under it. */
    public static final long VOID = 0;
  }

  /**
   * How often the log was opened: makes member ids and assignment numbers that no earlier run made.
   */
  record Opening(long number) implements GroupRecord {
    @Override
    public Key key() {
      return new OpeningKey();
    }
  }

  /** What the group's last reset did to a partition, so that it can be undone. */
  record Reset(ResetKey key, ResetOffset value) implements GroupRecord {}

  /** The key has no state any more: a null value in the log. */
  record Tombstone(Key key) implements GroupRecord {}
}
