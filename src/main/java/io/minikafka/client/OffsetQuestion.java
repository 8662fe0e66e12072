package io.minikafka.client;

import io.minikafka.TopicPartition;
import java.util.UUID;

/**
 * Where something stands in a partition.
 *
 * @param query as in {@link io.minikafka.protocol.ListOffsets.Query}
 */
record OffsetQuestion(TopicPartition partition, UUID topicId, long query) {}
