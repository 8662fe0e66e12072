package io.minikafka.client;

import io.minikafka.TopicPartition;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What a consumer reads: its partitions and how far it is in each. Partitions that are being
 * revoked are still assigned, with their positions, but not read any more. The using thread's
 * alone.
 */
final class Assignment {
  private final Fetcher fetcher;
  private final Map<TopicPartition, AssignedPartition> assigned = new LinkedHashMap<>();
  private final Set<TopicPartition> stopped = new LinkedHashSet<>();

  Assignment(Fetcher fetcher) {
    this.fetcher = fetcher;
  }

  /** By hand: these and no others; who stays keeps its position. */
  void replace(Collection<TopicPartition> partitions) {
    assigned.keySet().retainAll(partitions);
    boolean added = false;
    for (TopicPartition partition : partitions) {
      added |= assigned.putIfAbsent(partition, new AssignedPartition(partition)) == null;
    }
    tellFetcher(added);
  }

  void add(Collection<AssignedPartition> partitions) {
    partitions.forEach(state -> assigned.put(state.partition(), state));
    tellFetcher(!partitions.isEmpty());
  }

  /** What was read of them and not returned is dropped, and no more is read. */
  void stop(Collection<TopicPartition> partitions) {
    stopped.addAll(partitions);
    tellFetcher(false);
  }

  void remove(Collection<TopicPartition> partitions) {
    assigned.keySet().removeAll(Set.copyOf(partitions));
    stopped.removeAll(Set.copyOf(partitions));
    tellFetcher(false);
  }

  private void tellFetcher(boolean added) {
    List<AssignedPartition> read =
        assigned.values().stream().filter(state -> !stopped.contains(state.partition())).toList();
    fetcher.assign(read, added);
  }

  Set<TopicPartition> partitions() {
    return Set.copyOf(assigned.keySet());
  }

  Collection<AssignedPartition> states() {
    return List.copyOf(assigned.values());
  }

  boolean isEmpty() {
    return assigned.isEmpty();
  }

  /**
   * @throws IllegalArgumentException if it is not assigned
   */
  AssignedPartition state(TopicPartition partition) {
    AssignedPartition state = assigned.get(partition);
    if (state == null) {
      throw new IllegalArgumentException(partition + " is not assigned");
    }
    return state;
  }

  void seek(Collection<TopicPartition> partitions, StartPoint point) {
    for (AssignedPartition state : partitions.stream().map(this::state).toList()) {
      state.seek(point);
    }
    fetcher.sought();
  }
}
