package io.minikafka.group;

import io.minikafka.PartitionId;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Decides which member a partition is meant for: a pure function of subscriptions, partition counts
 * and (sticky only) who has what now.
 */
enum Assignor {
  /** Topic by topic, neighbouring partitions to the same member. */
  RANGE("range") {
    @Override
    List<List<PartitionId>> assign(
        List<Subscriber> subscribers, TopicsView topics, Function<PartitionId, String> current) {
      return new Shares(subscribers, topics).ranges();
    }
  },

  /** All partitions of all topics in turn. */
  ROUND_ROBIN("round-robin") {
    @Override
    List<List<PartitionId>> assign(
        List<Subscriber> subscribers, TopicsView topics, Function<PartitionId, String> current) {
      return new Shares(subscribers, topics).inTurn();
    }
  },

  /** Even shares with the fewest moves. */
  STICKY("sticky") {
    @Override
    List<List<PartitionId>> assign(
        List<Subscriber> subscribers, TopicsView topics, Function<PartitionId, String> current) {
      return new StickyShares(subscribers, topics, current).assign();
    }
  };

  private final String title;

  Assignor(String title) {
    this.title = title;
  }

  /**
   * Who wants what.
   *
   * @param seat names the member over replacements: its instance, or else its id
   * @param topics in any order, each once
   */
  record Subscriber(String seat, List<String> topics) {}

  /**
   * What is meant for whom.
   *
   * @param subscribers sorted by seat
   * @param current the seat that has a partition now; empty text for none
   * @return for each subscriber, in the same order, its partitions
   */
  abstract List<List<PartitionId>> assign(
      List<Subscriber> subscribers, TopicsView topics, Function<PartitionId, String> current);

  /** As the protocol and the records spell it. */
  String title() {
    return title;
  }

  static Optional<Assignor> titled(String title) {
    return Arrays.stream(values()).filter(one -> one.title.equals(title)).findFirst();
  }

  /** For messages. */
  static String titles() {
    return Arrays.stream(values()).map(Assignor::title).collect(Collectors.joining(", "));
  }
}
