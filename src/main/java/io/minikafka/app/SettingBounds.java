package io.minikafka.app;

import io.minikafka.broker.BrokerLimits;
import io.minikafka.topic.SettingKey;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.ToLongFunction;

/**
 * The one table of what each number in {@link BrokerSettings} may be, and the rules between two of
 * them.
 *
 * <p>Immutable; any thread.
 */
final class SettingBounds {
  private static final long KIB = 1024;
  private static final long MIB = 1024 * KIB;
  private static final long GIB = 1024 * MIB;
  private static final long DAY_MS = 24 * 60 * 60 * 1000L;

  /** One row for each number; in the order of docs/SETTINGS.md. */
  static final List<Row> ROWS =
      List.of(
          row("port", "", 0, 65_535, BrokerSettings::port),
          row("advertised-port", "", 0, 65_535, BrokerSettings::advertisedPort),
          row("node-id", "", 0, Integer.MAX_VALUE, BrokerSettings::nodeId),
          topicRow(SettingKey.SEGMENT_BYTES, s -> s.log().segmentBytes()),
          topicRow(SettingKey.SEGMENT_MS, s -> s.log().segmentMs()),
          topicRow(SettingKey.INDEX_INTERVAL_BYTES, s -> s.log().indexIntervalBytes()),
          topicRow(SettingKey.RETENTION_BYTES, s -> s.log().retentionBytes()),
          topicRow(SettingKey.RETENTION_MS, s -> s.log().retentionMs()),
          topicRow(SettingKey.FLUSH_INTERVAL_MS, s -> s.log().flushIntervalMs()),
          topicRow(SettingKey.MAX_MESSAGE_BYTES, s -> s.log().maxMessageBytes()),
          row("net.event-loops", "", 1, 1024, s -> s.net().eventLoops()).orOff(0),
          row("net.max-frame-bytes", "bytes", 64 * KIB, GIB, s -> s.net().maxFrameBytes()),
          row("net.max-connections", "", 1, 1_000_000, s -> s.net().maxConnections()),
          row(
              "net.connection-descriptors-percent",
              "",
              1,
              90,
              s -> s.net().connectionDescriptorsPercent()),
          row("net.idle-timeout-ms", "ms", 1, DAY_MS, s -> s.net().idleTimeoutMs()).orOff(0),
          row("net.frame-timeout-ms", "ms", 1, DAY_MS, s -> s.net().frameTimeoutMs()),
          row("net.send-timeout-ms", "ms", 1, DAY_MS, s -> s.net().sendTimeoutMs()),
          row(
              "net.connection-in-flight-bytes",
              "bytes",
              64 * KIB,
              Long.MAX_VALUE,
              s -> s.net().connectionInFlightBytes()),
          row(
              "net.total-in-flight-bytes",
              "bytes",
              64 * KIB,
              Long.MAX_VALUE,
              s -> s.net().totalInFlightBytes()),
          row("net.max-parked-fetches", "", 1, 10_000_000, s -> s.net().maxParkedFetches()),
          row("net.max-fetch-wait-ms", "ms", 1, DAY_MS, s -> s.net().maxFetchWaitMs()),
          row("net.max-fetch-bytes", "bytes", KIB, GIB, s -> s.net().maxFetchBytes()),
          row("net.max-request-topics", "", 1, 1_000_000, s -> s.net().maxRequestTopics()),
          row("net.sendfile-min-bytes", "bytes", 0, GIB, s -> s.net().sendfileMinBytes()),
          row("net.send-buffer-bytes", "bytes", 64 * KIB, GIB, s -> s.net().sendBufferBytes())
              .orOff(0),
          row("http.max-connections", "", 4, 1_000_000, s -> s.http().maxConnections()),
          row("http.request-timeout-ms", "ms", 1, DAY_MS, s -> s.http().requestTimeoutMs()),
          row("http.idle-timeout-ms", "ms", 1, DAY_MS, s -> s.http().idleTimeoutMs()).orOff(0),
          row("http.send-timeout-ms", "ms", 1, DAY_MS, s -> s.http().sendTimeoutMs()),
          row("group.max-groups", "", 1, 10_000_000, s -> s.group().maxGroups()),
          row("group.max-members", "", 1, 1_000_000, s -> s.group().maxMembers()),
          row("group.max-topics", "", 1, 1_000_000, s -> s.group().maxTopics()),
          row("group.max-metadata-bytes", "bytes", 0, 64 * KIB, s -> s.group().maxMetadataBytes()),
          row("group.min-session-ms", "ms", 10, DAY_MS, s -> s.group().minSessionMs()),
          row("group.max-session-ms", "ms", 10, DAY_MS, s -> s.group().maxSessionMs()),
          row("group.join-window-ms", "ms", 0, 60_000, s -> s.group().joinWindowMs()),
          row(
              "group.offsets-retention-ms",
              "ms",
              0,
              Long.MAX_VALUE,
              s -> s.group().offsetsRetentionMs()),
          row(
              "group.offsets-check-interval-ms",
              "ms",
              10,
              DAY_MS,
              s -> s.group().offsetsCheckIntervalMs()),
          row(
              "group.offsets-segment-bytes",
              "bytes",
              SettingKey.SEGMENT_BYTES.min(),
              SettingKey.SEGMENT_BYTES.max(),
              s -> s.group().offsetsSegmentBytes()),
          row("group.rebalances-kept", "", 0, 10_000, s -> s.group().rebalancesKept()),
          row(
              "storage.unflushed-bytes",
              "bytes",
              MIB,
              Long.MAX_VALUE,
              s -> s.storage().unflushedBytes()),
          row("storage.forcers", "", 1, 64, s -> s.storage().forcers()),
          row(
              "storage.dirty-force-interval-ms",
              "ms",
              10,
              DAY_MS,
              s -> s.storage().dirtyForceIntervalMs()),
          row(
              "storage.retention-check-interval-ms",
              "ms",
              10,
              DAY_MS,
              s -> s.storage().retentionCheckIntervalMs()),
          row(
              "storage.checkpoint-interval-ms",
              "ms",
              10,
              DAY_MS,
              s -> s.storage().checkpointIntervalMs()),
          row(
              "storage.open-sealed-segments",
              "",
              8,
              1_000_000,
              s -> s.storage().openSealedSegments()),
          row("storage.quarantine-bytes", "bytes", 0, 1L << 50, s -> s.storage().quarantineBytes()),
          row(
              "storage.compaction-memory-bytes",
              "bytes",
              KIB,
              16 * GIB,
              s -> s.storage().compactionMemoryBytes()),
          row(
                  "storage.compaction-bytes-per-second",
                  "bytes",
                  64 * KIB,
                  Long.MAX_VALUE,
                  s -> s.storage().compactionBytesPerSecond())
              .orOff(0),
          row(
                  "storage.verify-bytes-per-second",
                  "bytes",
                  64 * KIB,
                  Long.MAX_VALUE,
                  s -> s.storage().verifyBytesPerSecond())
              .orOff(0),
          row(
              "storage.index-cache-bytes",
              "bytes",
              MIB,
              Long.MAX_VALUE,
              s -> s.storage().indexCacheBytes()),
          row("storage.hot-bytes", "bytes", MIB, Long.MAX_VALUE, s -> s.storage().hotBytes())
              .orOff(0),
          row("storage.workers", "", 1, 1024, s -> s.storage().workers()),
          row("storage.parallel-recoveries", "", 1, 1024, s -> s.storage().parallelRecoveries()),
          row("shutdown.delay-ms", "ms", 0, DAY_MS, s -> s.shutdown().delayMs()),
          row("shutdown.drain-timeout-ms", "ms", 0, DAY_MS, s -> s.shutdown().drainTimeoutMs()),
          row("shutdown.flush-timeout-ms", "ms", 0, DAY_MS, s -> s.shutdown().flushTimeoutMs()),
          row("metrics.max-partitions", "", 0, 1_000_000, s -> s.metrics().maxPartitions()),
          row(
              "metrics.max-group-partitions",
              "",
              0,
              1_000_000,
              s -> s.metrics().maxGroupPartitions()));

  private SettingBounds() {}

  /** One line for each setting that is out of its bounds; empty when all is well. */
  static List<String> violations(BrokerSettings settings) {
    List<String> found = new ArrayList<>();
    for (Row row : ROWS) {
      long value = row.value.applyAsLong(settings);
      if (!row.allows(value)) {
        found.add(row.name + " is " + value + ", must be " + row.bounds());
      }
    }
    if (settings.host().isBlank()) {
      found.add("minikafka.host is blank, must be an address or a host name");
    }
    long frameBytes = settings.net().maxFrameBytes();
    long messageBytes = settings.log().maxMessageBytes();
    if (found.isEmpty() && messageBytes > frameBytes - BrokerLimits.FRAME_ROOM_BYTES) {
      found.add(
          "minikafka.log.max-message-bytes is "
              + messageBytes
              + ", must be at most "
              + (frameBytes - BrokerLimits.FRAME_ROOM_BYTES)
              + " bytes to fit in minikafka.net.max-frame-bytes ("
              + frameBytes
              + ")");
    }
    long connectionBytes = settings.net().connectionInFlightBytes();
    long totalBytes = settings.net().totalInFlightBytes();
    if (found.isEmpty() && connectionBytes > totalBytes) {
      found.add(
          "minikafka.net.connection-in-flight-bytes is "
              + connectionBytes
              + ", must be at most minikafka.net.total-in-flight-bytes ("
              + totalBytes
              + ")");
    }
    int minSessionMs = settings.group().minSessionMs();
    int maxSessionMs = settings.group().maxSessionMs();
    if (found.isEmpty() && minSessionMs > maxSessionMs) {
      found.add(
          "minikafka.group.min-session-ms is "
              + minSessionMs
              + ", must be at most minikafka.group.max-session-ms ("
              + maxSessionMs
              + ")");
    }
    return List.copyOf(found);
  }

  /** What a setting may be, in words; empty if it is no number of ours. */
  static Optional<String> bounds(String name) {
    return ROWS.stream().filter(row -> row.name.equals(name)).findFirst().map(Row::bounds);
  }

  private static Row row(
      String name, String unit, long min, long max, ToLongFunction<BrokerSettings> value) {
    return new Row("minikafka." + name, unit, OptionalLong.empty(), min, max, value);
  }

  /** A default of topics may be what a topic may say itself. */
  private static Row topicRow(SettingKey key, ToLongFunction<BrokerSettings> value) {
    String name = "minikafka.log." + key.key().replace('.', '-');
    return new Row(name, key.unit().text(), key.off(), key.min(), key.max(), value);
  }

  /**
   * What one number may be.
   *
   * @param unit "bytes", "ms", or nothing for a count
   * @param off the one value below {@code min} that switches the thing off
   */
  record Row(
      String name,
      String unit,
      OptionalLong off,
      long min,
      long max,
      ToLongFunction<BrokerSettings> value) {
    Row orOff(long value) {
      return new Row(name, unit, OptionalLong.of(value), min, max, this.value);
    }

    boolean allows(long value) {
      return (min <= value && value <= max) || (off.isPresent() && off.getAsLong() == value);
    }

    /** The bounds in words, as errors and docs/SETTINGS.md say them. */
    String bounds() {
      String range = max == Long.MAX_VALUE ? "at least " + min : min + " to " + max;
      String withUnit = unit.isEmpty() ? range : range + " " + unit;
      return off.isPresent() ? off.getAsLong() + " or " + withUnit : withUnit;
    }
  }
}
