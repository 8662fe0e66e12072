package io.minikafka.coordinator;

import io.minikafka.Counted;
import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.group.GroupNews;
import io.minikafka.group.Rebalance;
import java.lang.System.Logger.Level;

/** Passes on what has happened to groups: to the log what is rare, to the metrics all of it. */
final class NewsDesk {
  private static final System.Logger LOG = System.getLogger(NewsDesk.class.getName());

  private final EngineObserver observer;

  NewsDesk(EngineObserver observer) {
    this.observer = observer;
  }

  void publish(GroupNews news) {
    switch (news) {
      case GroupNews.Granted granted ->
          LOG.log(
              Level.DEBUG,
              () ->
                  "group '%s': %s was granted to %s under %d"
                      .formatted(
                          granted.group(), granted.partition(), granted.member(), granted.grant()));
      case GroupNews.Ended ended ->
          LOG.log(
              Level.DEBUG,
              () ->
                  "group '%s': %s is no longer with %s under %d (%s)"
                      .formatted(
                          ended.group(),
                          ended.partition(),
                          ended.member(),
                          ended.grant(),
                          ended.reason()));
      case GroupNews.Clamped clamped -> {
        observer.onCommitClamped();
        LOG.log(
            Level.WARNING,
            () ->
                "group '%s': the commit of %s lay at %d, beyond the log that is left; it was set back to %d"
                    .formatted(
                        clamped.group(),
                        named(clamped.topic(), clamped.partition()),
                        clamped.fromOffset(),
                        clamped.toOffset()));
      }
      case GroupNews.OffsetExpired expired -> {
        observer.onCommitExpired();
        LOG.log(
            Level.INFO,
            () ->
                "group '%s': the commit of %s at %d was dropped, nobody uses it and its data is gone"
                    .formatted(
                        expired.group(),
                        named(expired.topic(), expired.partition()),
                        expired.offset()));
      }
      case GroupNews.Rebalanced(String group, Rebalance rebalance) -> {
        observer.onRebalanced(rebalance.partitionsMoved(), rebalance.durationMs().orElse(-1));
        LOG.log(
            Level.INFO,
            () ->
                "group '%s' is at generation %d: %s; %s, %s moved"
                    .formatted(
                        group,
                        rebalance.generation(),
                        String.join(", ", rebalance.reasons()),
                        Counted.of(rebalance.members(), "member"),
                        Counted.of(rebalance.partitionsMoved(), "partition")));
      }
    }
  }

  /** As people know it, and where its files are; by its id alone if its topic is gone. */
  private static String named(String topic, PartitionId partition) {
    return topic.isEmpty()
        ? partition.toString()
        : "%s/%d (%s)".formatted(topic, partition.partition(), partition);
  }
}
