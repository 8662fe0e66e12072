package io.minikafka.protocol;

import static io.minikafka.codec.Field.field;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import io.minikafka.codec.Codec;
import io.minikafka.codec.Codecs;
import io.minikafka.codec.Messages;

/** How a message names a partition when it says nothing else in the same element of a list. */
final class PartitionNames {
  /** From version 1 on: by the topic's id. */
  static final Codec<PartitionId> ID =
      Messages.of(
          PartitionId::new,
          field("topic", Codecs.ID, PartitionId::topicId),
          field("partition", Codecs.U32, PartitionId::partition));

  /** Version 0: by the topic's name. */
  static final Codec<TopicPartition> NAME =
      Messages.of(
          TopicPartition::new,
          field("topic", Codecs.STR, TopicPartition::topic),
          field("partition", Codecs.U32, TopicPartition::partition));

  private PartitionNames() {}
}
