package io.minikafka.broker;

import io.minikafka.partition.FlushPolicy;
import java.time.Instant;
import java.util.List;

/**
 * What is known of a broker once it has started, and stays so.
 *
 * @param javaVersion name and version of the virtual machine
 * @param startedAt the process, wall clock
 * @param flushPolicy of topics that say nothing themselves
 * @param changed settings that are not as they are by default, by name
 */
public record BrokerFacts(
    BrokerIdentity identity,
    String javaVersion,
    Instant startedAt,
    Start start,
    FlushPolicy flushPolicy,
    List<ChangedSetting> changed) {
  public BrokerFacts {
    changed = List.copyOf(changed);
  }

  /**
   * How the start went.
   *
   * @param nanos from the start of the process until clients were let in
   * @param recoveryNanos of that, bringing back the logs
   * @param checkedBytes read by recovery; 0 after a clean end
   * @param cutBytes of torn tails
   * @param offline partitions that serve nothing
   */
  public record Start(
      long nanos,
      long recoveryNanos,
      int topics,
      int partitions,
      long checkedBytes,
      long cutBytes,
      int damagedRanges,
      int offline) {}

  /** Where the value of a setting comes from. */
  public enum Source {
    COMMAND_LINE,
    ENVIRONMENT,
    FILE
  }

  /**
   * @param file name of the configuration file; empty if it comes from elsewhere
   */
  public record ChangedSetting(
      String key, String value, String byDefault, Source source, String file) {}
}
