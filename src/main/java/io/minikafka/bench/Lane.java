package io.minikafka.bench;

import io.minikafka.TopicPartition;
import java.util.UUID;

/** The partition one load works on. */
record Lane(String topic, UUID topicId, int partition) {
  TopicPartition topicPartition() {
    return new TopicPartition(topic, partition);
  }
}
