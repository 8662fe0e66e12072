package io.minikafka.broker;

import io.minikafka.topic.TopicEntry;
import java.util.List;

/**
 * Some of the topics, by name.
 *
 * @param next what to ask with for those that follow; empty if there are none
 */
public record TopicPage(List<TopicEntry> topics, String next) {}
