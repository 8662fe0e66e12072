package io.minikafka.group;

import io.minikafka.PartitionId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What can happen to groups. An event with a {@code ticket} is a request: exactly one {@link
 * Answer} carries that ticket, now or (a parked heartbeat, a gathered join) in a later step; none
 * comes any more once the connection was {@link Disconnected}. Tickets and connections are numbers
 * the caller chooses; it does not use them twice. Immutable.
 */
public sealed interface GroupEvent {

  /**
   * JoinGroup of either version.
   *
   * @param version 0 or 1, of the protocol
   * @param member version 0: empty for a new member; version 1: made by the client, never empty
   * @param instance the static member's instance, empty for none; always empty in version 0
   * @param sessionMs unsigned as it came; clamped in version 0, refused out of bounds in version 1
   * @param rebalanceMs how long the member may take to let go; version 0 takes its session
   * @param assignor empty for the group's
   */
  record Join(
      long ticket,
      long connection,
      int version,
      String group,
      String member,
      String instance,
      long sessionMs,
      long rebalanceMs,
      String assignor,
      List<String> topics)
      implements GroupEvent {
    public Join {
      topics = List.copyOf(topics);
    }

    /** What version 0 can say. */
    public static Join version0(
        long ticket,
        long connection,
        String group,
        String member,
        long sessionMs,
        List<String> topics) {
      return new Join(ticket, connection, 0, group, member, "", sessionMs, sessionMs, "", topics);
    }
  }

  /**
   * Heartbeat of version 1: says what the member holds, and waits for news.
   *
   * @param assignment number of the last answer the member has applied
   * @param maxWaitMs how long it may be parked when there is no news; at most a third of the
   *     session is granted
   * @param owned what the member holds, that which it is still letting go included
   */
  record Heartbeat(
      long ticket,
      long connection,
      String group,
      String member,
      long assignment,
      long maxWaitMs,
      List<PartitionId> owned)
      implements GroupEvent {
    public Heartbeat {
      owned = List.copyOf(owned);
    }
  }

  /** Heartbeat of version 0; {@code generation} is the low 32 bits. */
  record Heartbeat0(long ticket, long connection, String group, String member, int generation)
      implements GroupEvent {}

  /**
   * LeaveGroup of either version: everything the member held is let go.
   *
   * @param keepSeat a static member will be back: nobody gets its partitions before its session is
   *     over
   */
  record Leave(long ticket, long connection, String group, String member, boolean keepSeat)
      implements GroupEvent {}

  /**
   * OffsetCommit of version 1.
   *
   * @param member empty: on behalf of nobody, which only a group without members accepts
   * @param ends where the logs end now
   */
  record Commit(
      long ticket,
      long connection,
      String group,
      String member,
      List<CommitPart> parts,
      LogEnds ends)
      implements GroupEvent {
    public Commit {
      parts = List.copyOf(parts);
    }
  }

  /** One partition of a {@link Commit}; {@code grant} 0 without a member. */
  record CommitPart(PartitionId partition, long grant, long offset, int epoch, String metadata) {}

  /** OffsetCommit of version 0; {@code generation} is the low 32 bits. */
  record Commit0(
      long ticket,
      long connection,
      String group,
      String member,
      int generation,
      String topic,
      int partition,
      long offset,
      LogEnds ends)
      implements GroupEvent {}

  /** OffsetFetch of version 1; no partitions: all that have a commit. */
  record FetchOffsets(long ticket, String group, List<PartitionId> partitions)
      implements GroupEvent {
    public FetchOffsets {
      partitions = List.copyOf(partitions);
    }
  }

  /** OffsetFetch of version 0. */
  record FetchOffset0(long ticket, String group, String topic, int partition)
      implements GroupEvent {}

  /** A connection is gone; what it had parked is forgotten. */
  record Disconnected(long connection) implements GroupEvent {}

  /** The broker stopped reading from a connection: sessions of members behind it stand still. */
  record ConnectionHeld(long connection) implements GroupEvent {}

  /** The broker reads from the connection again. */
  record ConnectionFreed(long connection) implements GroupEvent {}

  /** Topics were created, deleted or grown. */
  record TopicsChanged(TopicsView topics) implements GroupEvent {}

  /**
   * A partition was opened after a recovery, which may have cut its log: commits beyond the end of
   * their epoch are set back to it. Not sent for a partition that is offline.
   */
  record PartitionOpened(PartitionId partition, EpochEnds ends) implements GroupEvent {}

  /** A deadline has come. */
  record Tick() implements GroupEvent {}

  /**
   * The broker itself stood still so long (a tick that came late): no session runs out for it. To
   * be sent before the late {@link Tick}.
   */
  record Stalled(long stalledMs) implements GroupEvent {}

  /** Looks for commits and groups that nobody needs any more; to be sent now and then. */
  record Sweep(LogStarts starts) implements GroupEvent {}

  /**
   * Sets committed offsets from outside, all or none; what they were is kept for an {@link
   * UndoReset}. A group that does not exist is made.
   *
   * @param changes at most {@link #MAX_CHANGES}; none changes nothing
   * @param force also while the group has members: the touched partitions get new grants
   * @param validateOnly only says what would be answered
   * @param generation the group's generation when the plan was made, 0 if there was none; empty:
   *     whatever it is
   */
  record SetOffsets(
      long ticket,
      String group,
      List<OffsetChange> changes,
      boolean force,
      boolean validateOnly,
      OptionalLong generation,
      LogStarts starts,
      LogEnds ends)
      implements GroupEvent {
    /** So that the records of a reset, in the worst case some 60 MB, fit in one batch. */
    public static final int MAX_CHANGES = 10_000;

    public SetOffsets {
      changes = List.copyOf(changes);
    }
  }

  /**
   * One partition of {@link SetOffsets}.
   *
   * @param expected the commit the plan was made for; empty: there was none
   */
  record OffsetChange(
      PartitionId partition,
      Optional<CommittedOffset> expected,
      long offset,
      int epoch,
      String metadata) {
    public OffsetChange {
      if (offset < 0) {
        throw new IllegalArgumentException("offset " + offset);
      }
    }
  }

  /**
   * Puts back what the group's last reset replaced, all or none; once.
   *
   * @param force also while the group has members, as for {@link SetOffsets}
   * @param validateOnly only says what would be answered
   */
  record UndoReset(long ticket, String group, boolean force, boolean validateOnly, LogEnds ends)
      implements GroupEvent {}

  /**
   * Drops commits of a group without members; no partitions: all.
   *
   * @param validateOnly only says what would be answered
   */
  record DeleteOffsets(
      long ticket, String group, List<PartitionId> partitions, boolean validateOnly)
      implements GroupEvent {
    public DeleteOffsets {
      partitions = List.copyOf(partitions);
    }
  }

  /**
   * Drops a group without members, with its commits.
   *
   * @param validateOnly only says what would be answered
   */
  record DeleteGroup(long ticket, String group, boolean validateOnly) implements GroupEvent {}

  /** Where logs end, asked while a commit is checked. */
  @FunctionalInterface
  interface LogEnds {
    /** The log end offset; empty if it is not known now because the partition is offline. */
    OptionalLong end(PartitionId partition);
  }

  /** Where logs start, asked while old commits are looked for. */
  @FunctionalInterface
  interface LogStarts {
    /** The log start offset; empty if it is not known now. */
    OptionalLong start(PartitionId partition);
  }

  /** Where the epochs of one partition's log end. */
  @FunctionalInterface
  interface EpochEnds {
    /** The offset behind the epoch's last record; of epoch 0 or an unknown one the log end. */
    long endOf(int epoch);
  }
}
