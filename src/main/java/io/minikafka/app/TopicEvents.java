package io.minikafka.app;

import io.minikafka.broker.ParkedFetches;
import io.minikafka.ops.PartitionMeters;
import io.minikafka.partition.Partition;
import io.minikafka.topic.Topic;
import io.minikafka.topic.TopicListener;

/**
 * Tells those who wait for records, the metrics and the groups what becomes of topics. Any thread.
 */
record TopicEvents(ParkedFetches parkedFetches, PartitionMeters meters, Runnable tellGroups)
    implements TopicListener {
  @Override
  public void onVisible(Partition partition) {
    parkedFetches.wake(partition);
  }

  @Override
  public void onCreated(Topic topic) {
    meters.onCreated(topic);
    tellGroups.run();
  }

  @Override
  public void onChanged(Topic before, Topic after) {
    meters.onChanged(before, after);
    tellGroups.run();
  }

  @Override
  public void onDeleted(Topic topic) {
    meters.onDeleted(topic);
    topic.partitions().forEach(parkedFetches::wakeForGood);
    tellGroups.run();
  }
}
