package io.minikafka.ops;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.minikafka.partition.LogStats;
import io.minikafka.partition.Partition;
import io.minikafka.topic.Topic;
import io.minikafka.topic.TopicListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Metrics of each partition, for at most so many partitions: whoever watches pays for every series.
 * First come, first served; a topic that goes makes room for those that came later.
 *
 * <p>Any thread. Holds the partitions it measures until their topic goes.
 */
public final class PartitionMeters implements TopicListener {
  private final Meters meters;
  private final int maxPartitions;

  // Guarded by this.
  private final Map<UUID, Measured> topics = new HashMap<>();
  private int measured;
  private int known;

  /** A topic as it is now, and the meters of its first partitions. */
  private static final class Measured {
    private Topic topic;
    private final List<List<Meter>> partitions = new ArrayList<>();

    Measured(Topic topic) {
      this.topic = topic;
    }
  }

  public PartitionMeters(MeterRegistry registry, int maxPartitions) {
    this.meters = new Meters(registry);
    this.maxPartitions = maxPartitions;
    meters.gauge(MeterNames.PARTITIONS_UNMEASURED, this::unmeasured);
  }

  /** Also for topics that are already known: then it looks for more partitions. */
  @Override
  public synchronized void onCreated(Topic topic) {
    Measured entry = topics.computeIfAbsent(topic.id(), id -> new Measured(topic));
    if (entry.topic.partitions().size() <= topic.partitions().size()) {
      entry.topic = topic;
    }
    fill(entry);
    count();
  }

  @Override
  public void onChanged(Topic before, Topic after) {
    onCreated(after);
  }

  @Override
  public synchronized void onDeleted(Topic topic) {
    Measured gone = topics.remove(topic.id());
    if (gone == null) {
      return;
    }
    gone.partitions.forEach(all -> all.forEach(meters::remove));
    measured -= gone.partitions.size();
    topics.values().forEach(this::fill);
    count();
  }

  private void count() {
    known = topics.values().stream().mapToInt(entry -> entry.topic.partitions().size()).sum();
  }

  private void fill(Measured entry) {
    List<Partition> partitions = entry.topic.partitions();
    while (measured < maxPartitions && entry.partitions.size() < partitions.size()) {
      entry.partitions.add(register(entry.topic.name(), partitions.get(entry.partitions.size())));
      measured++;
    }
  }

  private List<Meter> register(String topic, Partition partition) {
    String number = String.valueOf(partition.id().partition());
    return List.of(
        meters.gauge(MeterNames.LOG_SIZE_BYTES, () -> bytes(partition), topic, number),
        meters.gauge(MeterNames.SEGMENTS, () -> segments(partition), topic, number),
        meters.gauge(
            MeterNames.LOG_START_OFFSET, () -> partition.snapshot().start(), topic, number),
        meters.gauge(MeterNames.LOG_END_OFFSET, () -> partition.snapshot().end(), topic, number),
        meters.gauge(
            MeterNames.DURABLE_OFFSET, () -> partition.snapshot().durable(), topic, number),
        meters.gauge(MeterNames.HIGH_WATERMARK, partition::highWatermark, topic, number));
  }

  private static double bytes(Partition partition) {
    return partition.stats().map(LogStats::bytes).orElse(0L);
  }

  private static double segments(Partition partition) {
    return partition.stats().map(LogStats::segments).orElse(0);
  }

  private synchronized double unmeasured() {
    return known - measured;
  }
}
