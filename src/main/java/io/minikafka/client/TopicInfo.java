package io.minikafka.client;

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

  TopicDescription description() {
    Optional<UUID> known = id.equals(NO_ID) ? Optional.empty() : Optional.of(id);
    return new TopicDescription(name, known, partitions, internal);
  }
}
