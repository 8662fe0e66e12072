package io.minikafka.group;

import io.minikafka.PartitionId;
import io.minikafka.group.GroupDescription.MemberView;
import io.minikafka.group.GroupDescription.OwnedView;
import io.minikafka.group.GroupSummary.State;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;

/** What the control plane sees of a group. */
final class Views {
  private Views() {}

  static GroupSummary summary(Group group) {
    State state;
    if (group.seated() == 0) {
      state = State.EMPTY;
    } else {
      state = group.settled() ? State.STABLE : State.REBALANCING;
    }
    return new GroupSummary(
        group.name,
        state,
        group.generation(),
        group.saved.assignor(),
        group.seated(),
        group.commits.size());
  }

  static GroupPositions positions(Group group) {
    Set<String> members = new TreeSet<>(group.members.keySet());
    members.addAll(group.joining.keySet());
    Set<String> topics = new TreeSet<>();
    group.members.values().forEach(member -> topics.addAll(member.saved.topics()));
    Map<PartitionId, CommittedOffset> commits = new LinkedHashMap<>();
    group.commits.forEach(commits::put);
    return new GroupPositions(summary(group), List.copyOf(members), topics, commits);
  }

  static GroupDescription description(Group group, long nowMs) {
    return new GroupDescription(
        summary(group),
        group.members.values().stream().map(member -> view(member, nowMs)).toList(),
        OffsetRules.fetched(Optional.of(group.commits), group.commits.partitions()),
        List.copyOf(group.history.all()));
  }

  private static MemberView view(Member member, long nowMs) {
    List<OwnedView> owned =
        member.owned.values().stream()
            .map(
                holding ->
                    new OwnedView(
                        holding.partition,
                        holding.grant,
                        holding.asked()
                            ? OptionalLong.of(Math.max(0, holding.letGoByMs - nowMs))
                            : OptionalLong.empty()))
            .toList();
    List<PartitionId> pending =
        member.target.stream().filter(partition -> !member.owned.containsKey(partition)).toList();
    return new MemberView(
        member.id(),
        member.saved.instance(),
        member.saved.state(),
        member.saved.version(),
        member.saved.sessionMs(),
        member.saved.rebalanceMs(),
        Math.max(0, nowMs - member.heardAtMs),
        Math.max(0, member.leaseEndMs - nowMs),
        member.connection,
        member.saved.topics(),
        owned,
        pending);
  }
}
