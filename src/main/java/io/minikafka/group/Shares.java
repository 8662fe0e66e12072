package io.minikafka.group;

import io.minikafka.PartitionId;
import io.minikafka.group.Assignor.Subscriber;
import io.minikafka.group.TopicsView.TopicView;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One assignment without regard to who has what. Used once, by one thread. */
final class Shares {
  private final List<Subscriber> subscribers;

  /** The topics somebody wants and that are there, by name, with the indexes of who wants them. */
  private final Map<String, Wanted> wanted = new TreeMap<>();

  private final List<List<PartitionId>> shares = new ArrayList<>();

  /** A topic and, rising, the indexes of its subscribers. */
  record Wanted(TopicView topic, List<Integer> by) {}

  Shares(List<Subscriber> subscribers, TopicsView topics) {
    this.subscribers = subscribers;
    for (int i = 0; i < subscribers.size(); i++) {
      shares.add(new ArrayList<>());
      for (String name : subscribers.get(i).topics()) {
        Optional<TopicView> topic = topics.named(name).filter(view -> !view.internal());
        if (topic.isPresent()) {
          wanted.computeIfAbsent(name, key -> new Wanted(topic.get(), new ArrayList<>())).by.add(i);
        }
      }
    }
  }

  /** The topics to be shared, by name. */
  List<Wanted> wanted() {
    return List.copyOf(wanted.values());
  }

  List<List<PartitionId>> ranges() {
    for (Wanted one : wanted.values()) {
      int least = one.topic.partitions() / one.by.size();
      int withOneMore = one.topic.partitions() % one.by.size();
      int partition = 0;
      for (int i = 0; i < one.by.size(); i++) {
        int end = partition + least + (i < withOneMore ? 1 : 0);
        for (; partition < end; partition++) {
          shares.get(one.by.get(i)).add(new PartitionId(one.topic.id(), partition));
        }
      }
    }
    return shares;
  }

  List<List<PartitionId>> inTurn() {
    int turn = 0;
    for (Wanted one : wanted.values()) {
      boolean[] wants = new boolean[subscribers.size()];
      one.by.forEach(index -> wants[index] = true);
      for (int partition = 0; partition < one.topic.partitions(); partition++) {
        while (!wants[turn]) {
          turn = (turn + 1) % wants.length;
        }
        shares.get(turn).add(new PartitionId(one.topic.id(), partition));
        turn = (turn + 1) % wants.length;
      }
    }
    return shares;
  }
}
