package io.minikafka.client;

import io.minikafka.protocol.ErrorCode;
import java.util.Optional;
import java.util.UUID;

/**
 * What a client knows of a topic.
 *
 * @param id all zeros if the server speaks version 0
 * @param version of the protocol by which it was learnt
 */
record TopicInfo(String name, UUID id, int partitions, boolean internal, int version) {
  static final UUID NO_ID = new UUID(0, 0);

  /** What a call fails with that names a topic which is not there. */
  static ServerException unknown(String name) {
    return unknownTopic("there is no topic '%s'".formatted(name));
  }

  /** What a call fails with that names a partition it does not have. */
  ServerException noPartition(int partition) {
    return unknownTopic(
        "topic '%s' has no partition %d; there are 0 … %d"
            .formatted(name, partition, partitions - 1));
  }

  private static ServerException unknownTopic(String what) {
    return new ServerException(ErrorCode.UNKNOWN_TOPIC, "UNKNOWN_TOPIC: " + what);
  }

  TopicDescription description() {
    Optional<UUID> known = id.equals(NO_ID) ? Optional.empty() : Optional.of(id);
    return new TopicDescription(name, known, partitions, internal);
  }
}
