package io.minikafka.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.minikafka.partition.LogStats;
import io.minikafka.partition.Partition;
import io.minikafka.topic.Topic;
import java.util.List;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What is not counted as it happens but measured when somebody looks.
 *
 * @param directory the data directory, as people know it
 * @param unflushedBytes written to it and not yet forced
 * @param usableBytes that can still be written to it; may wait for the disk
 * @param pinnedBytes that readers hold
 * @param parkedFetches that wait
 * @param inFlightBytes of requests and answers
 * @param recoverySeconds of the last recovery; NaN as long as it is under way
 * @param allocatedBytes of heap, by all threads so far; only rises
 */
public record EngineGauges(
    String directory,
    DoubleSupplier unflushedBytes,
    DoubleSupplier usableBytes,
    DoubleSupplier pinnedBytes,
    DoubleSupplier parkedFetches,
    DoubleSupplier inFlightBytes,
    DoubleSupplier recoverySeconds,
    DoubleSupplier allocatedBytes) {

  /**
   * Makes them visible, from now on.
   *
   * @param topics those that exist, whenever it is asked
   */
  public void register(MeterRegistry registry, Supplier<List<Topic>> topics) {
    Meters meters = new Meters(registry);
    meters.gauge(MeterNames.UNFLUSHED_BYTES, unflushedBytes, directory);
    meters.gauge(MeterNames.DISK_USABLE_BYTES, usableBytes, directory);
    meters.gauge(MeterNames.DISK_USED_BYTES, () -> usedBytes(topics.get()), directory);
    meters.gauge(MeterNames.PINNED_BYTES, pinnedBytes);
    meters.gauge(MeterNames.PARKED_FETCHES, parkedFetches);
    meters.gauge(MeterNames.IN_FLIGHT_BYTES, inFlightBytes);
    meters.gauge(MeterNames.RECOVERY_SECONDS, recoverySeconds);
    meters.counter(MeterNames.ALLOCATED_BYTES, allocatedBytes);
    meters.gauge(MeterNames.TOPICS, () -> topics.get().size());
    meters.gauge(MeterNames.PARTITIONS, () -> partitions(topics.get()).count());
    meters.gauge(MeterNames.OFFLINE_PARTITIONS, () -> offline(topics.get()));
  }

  /** Partitions that take no appends. */
  public static long offline(List<Topic> topics) {
    return partitions(topics).filter(partition -> partition.snapshot().isOffline()).count();
  }

  private static long usedBytes(List<Topic> topics) {
    return partitions(topics)
        .mapToLong(partition -> partition.stats().map(LogStats::bytes).orElse(0L))
        .sum();
  }

  private static Stream<Partition> partitions(List<Topic> topics) {
    return topics.stream().flatMap(topic -> topic.partitions().stream());
  }
}
