package io.minikafka.group;

import io.minikafka.Counted;
import io.minikafka.PartitionId;
import io.minikafka.group.GroupNews.EndReason;
import io.minikafka.group.TopicsView.TopicView;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What follows from topics coming, going and growing. */
final class TopicRules {
  private final Turn turn;

  TopicRules(Turn turn) {
    this.turn = turn;
  }

  void on(GroupEvent.TopicsChanged changed) {
    TopicsView before = turn.table.topics;
    turn.table.topics = changed.topics();
    Map<String, String> changes = changes(before, changed.topics());
    boolean gone =
        before.all().stream().anyMatch(topic -> changed.topics().withId(topic.id()).isEmpty());
    for (Group group : List.copyOf(turn.table.groups.values())) {
      if (gone) {
        dropGone(group);
      }
      Set<String> subscribed = new HashSet<>();
      for (Member member : group.members.values()) {
        if (member.hasSeat()) {
          subscribed.addAll(member.saved.topics());
        }
      }
      changes.forEach(
          (topic, change) -> {
            if (subscribed.contains(topic)) {
              turn.begin(group).reasons.add(change);
            }
          });
    }
  }

  /** By topic name: in which way it is another than before. */
  private static Map<String, String> changes(TopicsView before, TopicsView now) {
    Map<String, String> changes = new TreeMap<>();
    for (TopicView topic : now.all()) {
      Optional<TopicView> was = before.named(topic.name());
      if (was.isEmpty()) {
        changes.put(topic.name(), "topic %s was created".formatted(topic.name()));
      } else if (!was.get().id().equals(topic.id())) {
        changes.put(topic.name(), "topic %s was created again".formatted(topic.name()));
      } else if (was.get().partitions() != topic.partitions()) {
        changes.put(
            topic.name(),
            "topic %s has %s now"
                .formatted(topic.name(), Counted.of(topic.partitions(), "partition")));
      }
    }
    for (TopicView topic : before.all()) {
      if (now.named(topic.name()).isEmpty()) {
        changes.put(topic.name(), "topic %s was deleted".formatted(topic.name()));
      }
    }
    return changes;
  }

  /** Ends ownership of partitions that are no more, and drops their commits and resets. */
  void dropGone(Group group) {
    TopicsView topics = turn.table.topics;
    for (var id : group.commits.topics()) {
      if (topics.withId(id).isEmpty()) {
        turn.begin(group);
        for (PartitionId partition : group.commits.partitionsOf(id)) {
          turn.write(new GroupRecord.Tombstone(new GroupRecord.CommitKey(group.name, partition)));
        }
      }
    }
    for (var id : group.resets.topics()) {
      if (topics.withId(id).isEmpty()) {
        turn.begin(group);
        for (PartitionId partition : group.resets.partitionsOf(id)) {
          turn.write(new GroupRecord.Tombstone(new GroupRecord.ResetKey(group.name, partition)));
        }
      }
    }
    for (Member member : List.copyOf(group.members.values())) {
      List<PartitionId> gone =
          member.saved.owned().stream()
              .map(GroupRecord.Owned::partition)
              .filter(partition -> topics.withId(partition.topicId()).isEmpty())
              .toList();
      if (gone.isEmpty()) {
        continue;
      }
      turn.begin(group);
      if (member.saved.state() == MemberState.AWAY) {
        Set<PartitionId> all = new HashSet<>(gone);
        turn.write(
            member.saved.owning(
                member.saved.owned().stream()
                    .filter(owned -> !all.contains(owned.partition()))
                    .toList()));
      } else {
        new Balance(turn).release(member, gone, EndReason.TOPIC_DELETED);
        member.listChanged = true;
        group.touched.add(member);
      }
    }
  }
}
