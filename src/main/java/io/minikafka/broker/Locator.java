package io.minikafka.broker;

import io.minikafka.PartitionId;
import io.minikafka.partition.Partition;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.topic.Topic;
import io.minikafka.topic.Topics;
import java.util.Optional;
import java.util.UUID;

/** Finds the partition a request names, or says what is unknown. Any thread. */
final class Locator {
  private final Topics topics;

  Locator(Topics topics) {
    this.topics = topics;
  }

  sealed interface Located {}

  record Found(Topic topic, Partition partition) implements Located {}

  record Missing(String message) implements Located {
    <R> Reply<R> reply() {
      return Reply.failure(ErrorCode.UNKNOWN_TOPIC, message);
    }
  }

  /**
   * @param partition as it came over the wire
   */
  Located locate(UUID topic, int partition) {
    Optional<Topic> found = topics.topic(topic);
    return found.isEmpty()
        ? new Missing("there is no topic with the id " + topic)
        : locate(found.get(), partition);
  }

  Located locate(String topic, int partition) {
    Optional<Topic> found = topics.topic(topic);
    // Not echoed: the name is the client's, of any length.
    return found.isEmpty()
        ? new Missing("there is no topic of that name")
        : locate(found.get(), partition);
  }

  /** Says in one line that the disk failed: what was to be done, and of which topic. */
  void warn(System.Logger log, String what, PartitionId id, Exception e) {
    String name = topics.nameOf(id.topicId()).orElseGet(() -> id.topicId().toString());
    log.log(
        System.Logger.Level.WARNING,
        () -> "%s %s/%d failed: %s".formatted(what, name, id.partition(), e.getMessage()));
    log.log(System.Logger.Level.DEBUG, "where that came from", e);
  }

  private static Located locate(Topic topic, int partition) {
    Optional<Partition> found = topic.partition(partition);
    return found.isEmpty()
        ? new Missing(topic.noPartition(Integer.toUnsignedLong(partition)))
        : new Found(topic, found.get());
  }
}
