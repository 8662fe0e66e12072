package io.minikafka;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A partition as the disk and version 1 of the protocol name it. A topic that is deleted and
 * created again under the same name has another id, so nothing meant for the old one can reach the
 * new one.
 *
 * @param topicId the topic's id, made by the broker at creation
 * @param partition 0-based number
 */
public record PartitionId(UUID topicId, int partition) {
  /**
   * As every record's, and written out: each Java puts that together anew where it is first asked,
   * which is in the middle of a start.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof PartitionId that
        && partition == that.partition
        && topicId.equals(that.topicId);
  }

  @Override
  public int hashCode() {
    return 31 * topicId.hashCode() + partition;
  }

  @Override
  public String toString() {
    return topicId + "/" + Integer.toUnsignedString(partition);
  }
}
