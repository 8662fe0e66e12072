package io.minikafka.broker;

import io.minikafka.Names;
import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import io.minikafka.coordinator.Surroundings;
import io.minikafka.group.TopicsView;
import io.minikafka.partition.Partition;
import io.minikafka.topic.Outcome;
import io.minikafka.topic.SettingChange;
import io.minikafka.topic.Topic;
import io.minikafka.topic.TopicEntry;
import io.minikafka.topic.TopicError;
import io.minikafka.topic.Topics;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** The topics as the coordinator sees them, which knows no topics but by this. Any thread. */
public final class GroupTopics implements Surroundings.Topics {
  /** Where groups are kept. */
  public static final TopicPartition OFFSETS_LOG =
      new TopicPartition(Names.INTERNAL_PREFIX + "consumer_offsets", 0);

  private final Topics topics;
  private final List<SettingChange> settings;

  /**
   * @param settings of the offsets log; put in force at each start
   */
  public GroupTopics(Topics topics, List<SettingChange> settings) {
    this.topics = topics;
    this.settings = List.copyOf(settings);
  }

  @Override
  public TopicsView view() {
    return TopicsView.of(
        topics.topics().stream()
            .map(
                topic ->
                    new TopicsView.TopicView(
                        topic.name(), topic.id(), topic.partitions().size(), topic.isInternal()))
            .toList());
  }

  @Override
  public Optional<Partition> partition(PartitionId id) {
    return topics
        .topic(id.topicId())
        .filter(topic -> !topic.isInternal())
        .flatMap(topic -> topic.partition(id.partition()));
  }

  @Override
  public List<Partition> partitions() {
    return topics.topics().stream()
        .filter(topic -> !topic.isInternal())
        .flatMap(topic -> topic.partitions().stream())
        .toList();
  }

  @Override
  public CompletableFuture<Partition> offsetsLog() {
    return topics
        .ensureInternal(OFFSETS_LOG.topic(), 1, settings)
        .thenCompose(
            outcome ->
                switch (outcome) {
                  case Outcome.Done<TopicEntry>(TopicEntry entry) -> configured(entry);
                  case Outcome.Refused<TopicEntry>(TopicError error) -> failed(error);
                });
  }

  /** One that exists may have been made under other settings. */
  private CompletableFuture<Partition> configured(TopicEntry entry) {
    return switch (entry.own().with(settings)) {
      case Outcome.Done<?>(Object wanted) when wanted.equals(entry.own()) -> found();
      case Outcome.Done<?> other ->
          topics
              .alter(entry.name(), settings, false)
              .thenCompose(
                  outcome ->
                      switch (outcome) {
                        case Outcome.Done<TopicEntry> done -> found();
                        case Outcome.Refused<TopicEntry>(TopicError error) -> failed(error);
                      });
      case Outcome.Refused<?>(TopicError error) -> failed(error);
    };
  }

  private CompletableFuture<Partition> found() {
    return topics
        .topic(OFFSETS_LOG.topic())
        .flatMap((Topic topic) -> topic.partition(OFFSETS_LOG.partition()))
        .map(CompletableFuture::completedFuture)
        .orElseGet(
            () -> CompletableFuture.failedFuture(new IOException("the offsets log is gone")));
  }

  private static CompletableFuture<Partition> failed(TopicError error) {
    return CompletableFuture.failedFuture(
        new IOException("the offsets log cannot be made: " + error.message()));
  }
}
