package io.minikafka.group;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import io.minikafka.group.TopicsView.TopicView;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What must be true in a random life at every step. */
final class Promises {
  private final SimBroker broker;
  private final WorldTopics topics;
  private final List<ModelMember> members;

  /** What the answer of a number named. */
  private final Map<Long, List<GrantedPartition>> lists = new HashMap<>();

  Promises(SimBroker broker, WorldTopics topics, List<ModelMember> members) {
    this.broker = broker;
    this.topics = topics;
    this.members = members;
  }

  /** One number never stands for two lists. */
  void answered(GroupResult result) {
    if (result instanceof GroupResult.Current current) {
      List<GrantedPartition> same = lists.putIfAbsent(current.assignment(), current.partitions());
      require(
          same == null || same.equals(current.partitions()),
          "answer %d names another list than before",
          current.assignment());
    }
  }

  /** A commit of version 1 is written if the grant log says so, and only then. */
  void committed(GroupEvent.Commit commit, GroupResult result, long nowMs) {
    boolean owner =
        commit.parts().stream()
            .allMatch(
                part -> broker.owners.isOwner(part.partition(), commit.member(), part.grant()));
    if (result instanceof GroupResult.Committed committed && committed.written()) {
      require(owner, "a commit was accepted that is not its owner's: %s", commit);
      commit.parts().forEach(part -> broker.commits.put(part.partition(), part.offset()));
    } else {
      require(
          !owner || isGone(commit.member(), nowMs), "an owner's commit was refused: %s", result);
    }
  }

  void committed(GroupEvent.Commit0 commit, GroupResult result, Model0 member) {
    if (!(result instanceof GroupResult.Done)) {
      return;
    }
    TopicPartition name = new TopicPartition(commit.topic(), commit.partition());
    PartitionId partition =
        topics.view().partition(commit.topic(), commit.partition()).orElseThrow();
    require(
        broker.owners.isOwner(partition, commit.member()),
        "a commit was accepted that is not its owner's: %s",
        commit);
    long generation =
        broker.groups().describe(GroupWorld.GROUP, 0).orElseThrow().summary().generation();
    require(
        commit.generation() == (int) generation,
        "a commit of another generation was accepted: %s",
        commit);
    require(
        !member.id.equals(commit.member()) || !member.mustDrop.contains(name),
        "a commit at an overruled position was accepted: %s",
        commit);
    broker.commits.put(partition, commit.offset());
  }

  private boolean isGone(String member, long nowMs) {
    return broker.groups().describe(GroupWorld.GROUP, nowMs).orElseThrow().members().stream()
        .noneMatch(view -> view.member().equals(member) && view.state() == MemberState.LIVE);
  }

  /** Who holds a partition, by its own clock, is its owner in the grant log. */
  void holdersAreOwners() {
    for (TopicView topic : topics.all()) {
      for (int i = 0; i < topic.partitions(); i++) {
        PartitionId partition = new PartitionId(topic.id(), i);
        String holder = "";
        for (ModelMember member : members) {
          if (!member.holds(partition)) {
            continue;
          }
          require(holder.isEmpty(), "two hold %s: %s, %s", partition, holder, member.id());
          require(
              broker.owners.isOwner(partition, member.id()),
              "%s holds %s, owner is %s",
              member.id(),
              partition,
              broker.owners.owner(partition));
          holder = member.id();
        }
      }
    }
  }

  void commitsAreThoseAccepted(long nowMs) {
    Map<PartitionId, Long> committed = new HashMap<>();
    broker
        .groups()
        .describe(GroupWorld.GROUP, nowMs)
        .map(GroupDescription::commits)
        .orElse(List.of())
        .forEach(one -> committed.put(one.partition(), one.commit().orElseThrow().offset()));
    require(
        committed.equals(broker.commits), "committed %s, accepted %s", committed, broker.commits);
  }

  static void require(boolean holds, String message, Object... values) {
    if (!holds) {
      throw new AssertionError(message.formatted(values));
    }
  }
}
