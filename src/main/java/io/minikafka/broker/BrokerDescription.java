package io.minikafka.broker;

import io.minikafka.coordinator.Status;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * A broker at one moment.
 *
 * @param uptime of the process
 * @param groups whether they are served
 */
public record BrokerDescription(
    BrokerFacts facts, Duration uptime, DiskUse disk, Counts counts, Status groups) {
  /**
   * How much there is.
   *
   * @param offline partitions that take no appends
   * @param groups empty while they are not served, or do not answer
   * @param connections to the data port
   */
  public record Counts(
      int topics,
      int partitions,
      int offline,
      OptionalInt groups,
      int connections,
      int connectionLimit,
      HttpUse http) {}
}
