package io.minikafka;

/**
 * A partition as people and version 0 of the protocol name it. Their order is by topic, then by
 * number as a signed one.
 *
 * @param topic the topic's name; not checked here, see {@link Names}
 * @param partition 0-based number; values above 2³¹−1 on the wire appear negative and name no
 *     partition
 */
public record TopicPartition(String topic, int partition) implements Comparable<TopicPartition> {
  @Override
  public int compareTo(TopicPartition other) {
    int byTopic = topic.compareTo(other.topic);
    return byTopic != 0 ? byTopic : Integer.compare(partition, other.partition);
  }

  @Override
  public String toString() {
    return topic + "-" + Integer.toUnsignedString(partition);
  }
}
