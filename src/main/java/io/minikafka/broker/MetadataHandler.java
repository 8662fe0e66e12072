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

  private final Topics topics;
  private final BrokerIdentity identity;

  MetadataHandler(Topics topics, BrokerIdentity identity) {
    this.topics = topics;
    this.identity = identity;
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
    Metadata.Node node = identity.node().get();
    List<Metadata.Topic> answers = new ArrayList<>();
    if (request.topics().isEmpty()) {
      topics.topics().forEach(topic -> answers.add(answer(topic, node)));
    }
    for (String name : request.topics()) {
      Optional<Topic> topic = topics.topic(name);
      answers.add(
          topic.isEmpty()
              ? new Metadata.Topic(ErrorCode.UNKNOWN_TOPIC.code(), name, NO_ID, 0, List.of())
              : answer(topic.get(), node));
    }
    done.accept(Reply.answer(new Metadata.Response(identity.clusterId(), List.of(node), answers)));
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
