package io.minikafka.broker;

import io.minikafka.topic.TopicEntry;
import io.minikafka.topic.TopicSettings.InForce;
import java.util.List;

/**
 * All there is to say about a topic at one moment.
 *
 * @param settings all of them, in the order of the table
 * @param partitions by number; empty for a topic that was only validated
 */
public record TopicDescription(
    TopicEntry entry, List<InForce> settings, List<PartitionDescription> partitions) {}
