package io.minikafka;

import java.util.UUID;

/**
 * A partition as the disk and version 1 of the protocol name it. A topic that is deleted and
 * created again under the same name has another id, so nothing meant for the old one can reach the
 * new one.
 *
 * @param topicId the topic's id, made by the broker at creation
 * @param partition 0-based number
 */
public record PartitionId(UUID topicId, int partition) {
  @Override
  public String toString() {
    return topicId + "/" + Integer.toUnsignedString(partition);
  }
}
