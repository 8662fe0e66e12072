package io.minikafka.broker;

import io.minikafka.Caller;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionStore;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Metadata;
import io.minikafka.topic.Topic;
import io.minikafka.topic.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** API 2: which topics there are and who leads their partitions. Any thread; never waits. */
final class MetadataHandler {
  private static final UUID NO_ID = new UUID(0, 0);

  /** Bytes of a {@link Metadata.Topic} besides its name and its partitions. */
  private static final int TOPIC_BYTES = 2 + 4 + 16 + 1 + 4;

  private static final int PARTITION_BYTES = 4 + 2 + 4 + 4;

  private final Topics topics;
  private final BrokerIdentity identity;
  private final BrokerLimits limits;

  MetadataHandler(Topics topics, BrokerIdentity identity, BrokerLimits limits) {
    this.topics = topics;
    this.identity = identity;
    this.limits = limits;
  }

  void partitionsVersion0(
      Caller caller,
      Metadata.RequestV0 request,
      Session session,
      Consumer<Reply<Metadata.ResponseV0>> done) {
    Optional<Topic> topic = topics.topic(request.topic());
    done.accept(
        topic.isEmpty()
            ? Reply.failure(ErrorCode.UNKNOWN_TOPIC, "there is no topic of that name")
            : Reply.answer(new Metadata.ResponseV0(topic.get().partitions().size())));
  }

  void metadata(
      Caller caller,
      Metadata.Request request,
      Session session,
      Consumer<Reply<Metadata.Response>> done) {
    List<String> names = request.topics();
    if (names.size() > limits.maxRequestTopics()) {
      done.accept(
          Reply.failure(
              ErrorCode.LIMIT_REACHED,
              "%d topics in one request; the limit is %d (minikafka.net.max-request-topics)"
                  .formatted(names.size(), limits.maxRequestTopics())));
      return;
    }
    List<Topic> all = names.isEmpty() ? topics.topics() : List.of();
    long bytes = bytes(names, all);
    if (bytes > limits.maxFrameBytes()) {
      done.accept(
          Reply.failure(
              ErrorCode.LIMIT_REACHED,
              ("the metadata of %d topics takes %d bytes or more, the limit is %d"
                      + " (minikafka.net.max-frame-bytes); name fewer topics at once")
                  .formatted(Math.max(names.size(), all.size()), bytes, limits.maxFrameBytes())));
      return;
    }
    Metadata.Node node = identity.node().get();
    List<Metadata.Topic> answers = new ArrayList<>(Math.max(names.size(), all.size()));
    all.forEach(topic -> answers.add(answer(topic, node)));
    for (String name : names) {
      Optional<Topic> topic = topics.topic(name);
      answers.add(
          topic.isEmpty()
              ? new Metadata.Topic(ErrorCode.UNKNOWN_TOPIC.code(), name, NO_ID, 0, List.of())
              : answer(topic.get(), node));
    }
    done.accept(Reply.answer(new Metadata.Response(identity.clusterId(), List.of(node), answers)));
  }

  /** At least so many bytes the answer will have; asked before any of it is made. */
  private long bytes(List<String> names, List<Topic> all) {
    long bytes = 0;
    for (Topic topic : all) {
      bytes += bytes(topic.name(), topic.partitions().size());
    }
    for (String name : names) {
      bytes += bytes(name, topics.topic(name).map(topic -> topic.partitions().size()).orElse(0));
    }
    return bytes;
  }

  private static long bytes(String name, int partitions) {
    return TOPIC_BYTES + name.length() + (long) PARTITION_BYTES * partitions;
  }

  private static Metadata.Topic answer(Topic topic, Metadata.Node node) {
    List<Metadata.Partition> partitions = new ArrayList<>(topic.partitions().size());
    for (Partition partition : topic.partitions()) {
      PartitionStore.Snapshot now = partition.snapshot();
      ErrorCode error = now.isOffline() ? ErrorCode.STORAGE_FAILED : ErrorCode.NONE;
      partitions.add(
          new Metadata.Partition(
              partition.id().partition(), error.code(), node.node(), now.epoch()));
    }
    int flags = topic.isInternal() ? Metadata.INTERNAL : 0;
    return new Metadata.Topic(0, topic.name(), topic.id(), flags, partitions);
  }
}
