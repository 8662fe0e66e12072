package io.minikafka.broker;

import io.minikafka.protocol.Metadata;
import java.util.function.Supplier;

/**
 * Who this broker says it is.
 *
 * @param node where clients reach it; asked for each answer, because the port may only be known
 *     once it is bound
 */
public record BrokerIdentity(String clusterId, String version, Supplier<Metadata.Node> node) {}
