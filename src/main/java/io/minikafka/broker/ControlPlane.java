package io.minikafka.broker;

/**
 * All that an operator can ask the broker, one part for each service.
 *
 * @param topics topics and their settings
 * @param groups consumer groups, how they are
 * @param deletions of groups, and of what they have committed
 * @param resets of what they have committed
 * @param logs what is in the logs of partitions
 * @param broker the broker itself, and who is connected to it
 * @param stopping told when the broker begins to stop
 */
public record ControlPlane(
    TopicAdministration topics,
    GroupInspection groups,
    GroupDeletion deletions,
    OffsetResets resets,
    LogAdministration logs,
    BrokerAdministration broker,
    StopSignal stopping) {}
