package io.minikafka.group;

import io.minikafka.PartitionId;
import java.util.List;
import java.util.Optional;

/** What a request is answered. Immutable. */
public sealed interface GroupResult {

  /** The request changed nothing, but perhaps refreshed a session. */
  record Refused(GroupError error, String message) implements GroupResult {}

  /** The request was carried out and has no more to say. */
  record Done() implements GroupResult {}

  /**
   * Answers a join of either version.
   *
   * @param assignment to be named in the next heartbeat; version 0 does not know it
   * @param pending not all is settled: more will be granted, or something is still to be let go
   * @param maxHeartbeatWaitMs the longest a heartbeat is parked, a third of the session
   * @param partitions all that is the member's now
   */
  record Joined(
      String member,
      long generation,
      long assignment,
      boolean pending,
      int maxHeartbeatWaitMs,
      List<GrantedPartition> partitions)
      implements GroupResult {}

  /**
   * Answers a version 1 heartbeat. What is missing in {@code partitions} is to be let go, and is
   * let go by a heartbeat that names this {@code assignment} and does not list it.
   */
  record Current(
      long generation, long assignment, boolean pending, List<GrantedPartition> partitions)
      implements GroupResult {}

  /**
   * Answers a version 1 commit whose member was accepted.
   *
   * @param message of the first error; empty if all parts were written
   */
  record Committed(List<PartOutcome> parts, String message) implements GroupResult {
    /** Whether the commit was written; otherwise nothing of it was. */
    public boolean written() {
      return parts.stream().allMatch(part -> part.error().isEmpty());
    }
  }

  /** One partition of a commit, in the order of the request. */
  record PartOutcome(PartitionId partition, Optional<GroupError> error) {}

  /** Answers an offset fetch of either version. */
  record Offsets(List<FetchedOffset> offsets) implements GroupResult {}

  /** One partition of an offset fetch; no commit: not found. */
  record FetchedOffset(PartitionId partition, Optional<CommittedOffset> commit) {}

  /**
   * Answers {@link GroupEvent.SetOffsets}, {@link GroupEvent.DeleteOffsets} and {@link
   * GroupEvent.DeleteGroup}.
   *
   * @param generation the group's, after the change
   * @param previous what was committed before
   */
  record OffsetsSet(long generation, List<FetchedOffset> previous) implements GroupResult {}

  /**
   * Answers {@link GroupEvent.UndoReset}.
   *
   * @param generation the group's, after the change
   * @param resetAtMs wall clock: when the reset was made that is undone now
   * @param groupGone whether nothing of the group is left
   */
  record Undone(long generation, long resetAtMs, List<UndoneOffset> offsets, boolean groupGone)
      implements GroupResult {}

  /**
   * One partition of an undone reset.
   *
   * @param reset what the reset had set
   * @param now what is committed now; empty: nothing
   */
  record UndoneOffset(PartitionId partition, long reset, Optional<CommittedOffset> now) {}
}
