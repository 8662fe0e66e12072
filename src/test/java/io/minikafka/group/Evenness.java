package io.minikafka.group;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import io.minikafka.group.GroupDescription.MemberView;
import io.minikafka.group.GroupDescription.OwnedView;
import io.minikafka.group.TopicsView.TopicView;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What a group at rest looks like. */
final class Evenness {
  private Evenness() {}

  /** Why the group is not at rest; empty if it is. */
  static Optional<String> unrest(
      Optional<GroupDescription> found, Collection<TopicView> topics, List<ModelMember> members) {
    if (found.isEmpty()) {
      return members.isEmpty() ? Optional.empty() : Optional.of("no group");
    }
    GroupDescription group = found.get();
    for (ModelMember member : members) {
      Optional<String> unrest = member.unrest();
      if (unrest.isPresent()) {
        return unrest;
      }
    }
    List<MemberView> live = new ArrayList<>();
    for (MemberView view : group.members()) {
      if (view.state() == MemberState.LIVE) {
        live.add(view);
      } else if (view.state() == MemberState.AWAY || !view.owned().isEmpty()) {
        return Optional.of("not over: " + view);
      }
    }
    if (live.size() != members.size()) {
      return Optional.of(members.size() + " members, known are " + live);
    }
    Map<PartitionId, String> owners = new HashMap<>();
    for (MemberView view : live) {
      for (OwnedView owned : view.owned()) {
        if (owned.letGoInMs().isPresent() || owned.grant() == 0 || !view.pending().isEmpty()) {
          return Optional.of("moving: " + view);
        }
        owners.put(owned.partition(), view.member());
      }
    }
    for (TopicView topic : topics) {
      List<MemberView> wanting =
          live.stream().filter(view -> view.topics().contains(topic.name())).toList();
      for (int i = 0; i < topic.partitions() && !wanting.isEmpty(); i++) {
        if (!owners.containsKey(new PartitionId(topic.id(), i))) {
          return Optional.of("nobody owns " + topic.name() + "-" + i);
        }
      }
      if (group.summary().assignor().equals("range") && spread(wanting, topic) > 1) {
        return Optional.of("uneven in " + topic.name() + ": " + live);
      }
    }
    Set<Set<String>> wishes = new HashSet<>();
    live.forEach(view -> wishes.add(Set.copyOf(view.topics())));
    if (!group.summary().assignor().equals("range") && wishes.size() == 1) {
      IntSummaryStatistics sizes =
          live.stream().mapToInt(view -> view.owned().size()).summaryStatistics();
      if (sizes.getMax() - sizes.getMin() > 1) {
        return Optional.of("uneven: " + live);
      }
    }
    return members.stream()
        .map(member -> known(member, live, topics))
        .flatMap(Optional::stream)
        .findFirst();
  }

  private static int spread(List<MemberView> wanting, TopicView topic) {
    IntSummaryStatistics sizes =
        wanting.stream()
            .mapToInt(
                view ->
                    (int)
                        view.owned().stream()
                            .filter(owned -> owned.partition().topicId().equals(topic.id()))
                            .count())
            .summaryStatistics();
    return wanting.isEmpty() ? 0 : sizes.getMax() - sizes.getMin();
  }

  /** Whether the member believes what the broker knows. */
  private static Optional<String> known(
      ModelMember member, List<MemberView> live, Collection<TopicView> topics) {
    Optional<MemberView> view =
        live.stream().filter(one -> one.member().equals(member.id())).findFirst();
    if (view.isEmpty()) {
      return Optional.of(member.id() + " is not known");
    }
    Map<PartitionId, Long> owned = new HashMap<>();
    view.get().owned().forEach(one -> owned.put(one.partition(), one.grant()));
    boolean same =
        switch (member) {
          case Model1 one -> one.list.equals(owned);
          case Model0 one -> one.list.equals(names(owned.keySet(), topics));
          default -> throw new AssertionError(member.toString());
        };
    return same ? Optional.empty() : Optional.of(member.id() + " does not know " + owned);
  }

  private static Set<TopicPartition> names(
      Set<PartitionId> partitions, Collection<TopicView> topics) {
    Set<TopicPartition> names = new HashSet<>();
    for (PartitionId partition : partitions) {
      topics.stream()
          .filter(topic -> topic.id().equals(partition.topicId()))
          .forEach(topic -> names.add(new TopicPartition(topic.name(), partition.partition())));
    }
    return names;
  }
}
