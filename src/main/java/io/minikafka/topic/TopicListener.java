package io.minikafka.topic;

import io.minikafka.partition.Partition;

/**
 * What becomes of topics and their partitions, as it happens. Called on whichever thread made it
 * happen: short, never blocks, never throws. When a method is called, lookups give the new state
 * already.
 */
public interface TopicListener {
  TopicListener NONE = new TopicListener() {};

  /** The high watermark of a partition rose. */
  default void onVisible(Partition partition) {}

  default void onCreated(Topic topic) {}

  /** Other settings, or more partitions. */
  default void onChanged(Topic before, Topic after) {}

  /**
   * The topic is gone: lookups do not find it and its partitions refuse appends. Whoever waits on
   * one of its partitions must be told.
   */
  default void onDeleted(Topic topic) {}
}
