package io.minikafka.group;

import io.minikafka.PartitionId;
import io.minikafka.group.Assignor.Subscriber;
import io.minikafka.group.Shares.Wanted;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * One sticky assignment. When all want the same topics, sizes differ by at most one and no
 * assignment so even moves fewer partitions. Otherwise no single move would make it more even. Used
 * once, by one thread.
 */
final class StickyShares {
  private final List<Subscriber> subscribers;
  private final List<Wanted> wanted;

  /** By topic (index into {@link #wanted}) and subscriber: the partitions it gets of that topic. */
  private final List<List<List<PartitionId>>> shares = new ArrayList<>();

  /** By topic: the partitions nobody has. */
  private final List<List<PartitionId>> free = new ArrayList<>();

  private final int[] sizes;

  StickyShares(
      List<Subscriber> subscribers, TopicsView topics, Function<PartitionId, String> current) {
    this.subscribers = subscribers;
    this.wanted = new Shares(subscribers, topics).wanted();
    this.sizes = new int[subscribers.size()];
    Map<String, Integer> indexes = new HashMap<>();
    for (int i = 0; i < subscribers.size(); i++) {
      indexes.put(subscribers.get(i).seat(), i);
    }
    for (Wanted one : wanted) {
      List<List<PartitionId>> shares = new ArrayList<>();
      subscribers.forEach(subscriber -> shares.add(new ArrayList<>()));
      boolean[] wants = new boolean[subscribers.size()];
      one.by().forEach(index -> wants[index] = true);
      List<PartitionId> nobodys = new ArrayList<>();
      for (int i = 0; i < one.topic().partitions(); i++) {
        PartitionId partition = new PartitionId(one.topic().id(), i);
        int index = indexes.getOrDefault(current.apply(partition), -1);
        if (index >= 0 && wants[index]) {
          shares.get(index).add(partition);
          sizes[index]++;
        } else {
          nobodys.add(partition);
        }
      }
      this.shares.add(shares);
      this.free.add(nobodys);
    }
  }

  List<List<PartitionId>> assign() {
    boolean allAlike = wanted.stream().allMatch(one -> one.by().size() == subscribers.size());
    if (allAlike && !subscribers.isEmpty()) {
      takeAboveQuota();
    }
    giveFree();
    even();
    List<List<PartitionId>> result = new ArrayList<>();
    for (int i = 0; i < subscribers.size(); i++) {
      List<PartitionId> all = new ArrayList<>();
      for (List<List<PartitionId>> topic : shares) {
        all.addAll(topic.get(i));
      }
      result.add(all);
    }
    return result;
  }

  /** Those who have most keep one more than the others, if the numbers do not divide. */
  private void takeAboveQuota() {
    int partitions = wanted.stream().mapToInt(one -> one.topic().partitions()).sum();
    int least = partitions / sizes.length;
    int withOneMore = partitions % sizes.length;
    List<Integer> byHaving =
        IntStream.range(0, sizes.length)
            .boxed()
            .sorted(Comparator.comparingInt((Integer index) -> -sizes[index]))
            .toList();
    for (int i = 0; i < byHaving.size(); i++) {
      int index = byHaving.get(i);
      int quota = least + (i < withOneMore ? 1 : 0);
      for (int topic = shares.size() - 1; topic >= 0 && sizes[index] > quota; topic--) {
        List<PartitionId> share = shares.get(topic).get(index);
        while (!share.isEmpty() && sizes[index] > quota) {
          free.get(topic).add(share.removeLast());
          sizes[index]--;
        }
      }
    }
    free.forEach(list -> list.sort(Comparator.comparingInt(PartitionId::partition)));
  }

  /** To whoever has least, topics with the fewest takers first. */
  private void giveFree() {
    List<Integer> byTakers =
        IntStream.range(0, wanted.size())
            .boxed()
            .sorted(Comparator.comparingInt((Integer topic) -> wanted.get(topic).by().size()))
            .toList();
    for (int topic : byTakers) {
      for (PartitionId partition : free.get(topic)) {
        int index = least(wanted.get(topic).by());
        shares.get(topic).get(index).add(partition);
        sizes[index]++;
      }
    }
  }

  /** Each move makes the sum of squared sizes smaller, so this ends. */
  private void even() {
    boolean moved;
    do {
      moved = false;
      for (int topic = 0; topic < wanted.size(); topic++) {
        while (evenOnce(topic)) {
          moved = true;
        }
      }
    } while (moved);
  }

  private boolean evenOnce(int topic) {
    List<Integer> by = wanted.get(topic).by();
    int most = -1;
    for (int index : by) {
      if (!shares.get(topic).get(index).isEmpty() && (most < 0 || sizes[index] > sizes[most])) {
        most = index;
      }
    }
    int least = least(by);
    if (most < 0 || sizes[most] - sizes[least] < 2) {
      return false;
    }
    shares.get(topic).get(least).add(shares.get(topic).get(most).removeLast());
    sizes[most]--;
    sizes[least]++;
    return true;
  }

  private int least(List<Integer> among) {
    int least = among.getFirst();
    for (int index : among) {
      if (sizes[index] < sizes[least]) {
        least = index;
      }
    }
    return least;
  }
}
