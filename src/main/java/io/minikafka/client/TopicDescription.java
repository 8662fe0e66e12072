package io.minikafka.client;

import java.util.Optional;
import java.util.UUID;

/**
 * A topic as the server describes it.
 *
 * @param id empty from a server that speaks version 0, and for a topic that was only validated
 * @param internal whether it belongs to the broker; clients do not write such topics
 */
public record TopicDescription(String name, Optional<UUID> id, int partitions, boolean internal) {}
