package io.minikafka.group;

import io.minikafka.PartitionId;
import java.util.List;
import java.util.OptionalLong;

/**
 * All there is to know about a group.
 *
 * @param rebalances the newest first
 */
public record GroupDescription(
    GroupSummary summary,
    List<MemberView> members,
    List<GroupResult.FetchedOffset> commits,
    List<Rebalance> rebalances) {

  /**
   * A member.
   *
   * @param instance empty unless it is a static member
   * @param sessionAgeMs since it was heard of; since the groups were read, if it was not since then
   * @param sessionLeftMs until its session is over
   * @param connection the one it was last heard on; 0 if it was not since the groups were read
   * @param pending partitions that are meant for it and still with others
   */
  public record MemberView(
      String member,
      String instance,
      MemberState state,
      int version,
      int sessionMs,
      int rebalanceMs,
      long sessionAgeMs,
      long sessionLeftMs,
      long connection,
      List<String> topics,
      List<OwnedView> owned,
      List<PartitionId> pending) {}

  /**
   * A partition that a member owns.
   *
   * @param letGoInMs until when it must have let go; empty unless it was asked to
   */
  public record OwnedView(PartitionId partition, long grant, OptionalLong letGoInMs) {}
}
