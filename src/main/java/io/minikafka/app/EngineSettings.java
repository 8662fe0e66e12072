package io.minikafka.app;

import com.sun.management.OperatingSystemMXBean;
import io.minikafka.broker.BrokerLimits;
import io.minikafka.coordinator.CoordinatorSettings;
import io.minikafka.group.GroupLimits;
import io.minikafka.log.DirectorySettings;
import io.minikafka.net.NetMemory;
import io.minikafka.topic.SettingChange;
import io.minikafka.topic.SettingKey;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.stream.Stream;

/**
 * The settings as each package of the engine takes them, and what is taken from the machine where a
 * setting leaves it open. Stateless; any thread.
 */
final class EngineSettings {
  private static final Set<String> EVERY_ADDRESS =
      Set.of("0.0.0.0", "::", "[::]", "0:0:0:0:0:0:0:0");

  private static final long LEAST_HOT_BYTES = 64 << 20;

  /** Of groups, members and instances, in chars. */
  private static final int MAX_GROUP_NAME_LENGTH = 200;

  /** A start reads the log from its beginning: a tombstone need not wait for slow readers. */
  private static final long OFFSETS_TOMBSTONE_MS = 60_000;

  private EngineSettings() {}

  static DirectorySettings directory(BrokerSettings settings) {
    StorageSettings storage = settings.storage();
    Descriptors descriptors = Descriptors.of(settings);
    return new DirectorySettings(
        storage.unflushedBytes(),
        storage.forcers(),
        storage.dirtyForceIntervalMs(),
        storage.retentionCheckIntervalMs(),
        storage.checkpointIntervalMs(),
        storage.openSealedSegments(),
        storage.indexCacheBytes(),
        storage.hotBytes() == 0 ? hotBytes() : storage.hotBytes(),
        descriptors.limit(),
        descriptors.notForLogs(),
        storage.quarantineBytes(),
        storage.compactionMemoryBytes(),
        storage.compactionBytesPerSecond());
  }

  static BrokerLimits limits(BrokerSettings settings) {
    NetSettings net = settings.net();
    return new BrokerLimits(
        maxFrameBytes(settings),
        net.maxFetchBytes(),
        net.maxFetchWaitMs(),
        net.maxParkedFetches(),
        net.maxRequestTopics());
  }

  /** The longest frame: one that the process has no memory for must not come in. */
  private static int maxFrameBytes(BrokerSettings settings) {
    return (int) Math.min(settings.net().maxFrameBytes(), NetMemory.affordableBytes());
  }

  static long netMemoryBytes(BrokerSettings settings) {
    return Math.min(settings.net().totalInFlightBytes(), NetMemory.affordableBytes());
  }

  /** What is less than was asked for, a line each. */
  static List<String> lowered(BrokerSettings settings) {
    return Stream.of(
            lowered("total-in-flight-bytes", settings.net().totalInFlightBytes()),
            lowered("max-frame-bytes", settings.net().maxFrameBytes()))
        .flatMap(Optional::stream)
        .toList();
  }

  private static Optional<String> lowered(String name, long wanted) {
    long affordable = NetMemory.affordableBytes();
    return wanted <= affordable
        ? Optional.empty()
        : Optional.of(
            "minikafka.net.%s is %d, this process can bear %d: that is the bound"
                .formatted(name, wanted, affordable));
  }

  static CoordinatorSettings groups(BrokerSettings settings) {
    GroupSettings group = settings.group();
    return new CoordinatorSettings(
        new GroupLimits(
            group.maxGroups(),
            group.maxMembers(),
            group.maxTopics(),
            MAX_GROUP_NAME_LENGTH,
            group.maxMetadataBytes(),
            group.minSessionMs(),
            group.maxSessionMs(),
            group.joinWindowMs(),
            group.offsetsRetentionMs(),
            group.rebalancesKept()),
        group.offsetsCheckIntervalMs());
  }

  /** What the offsets log is told itself. */
  static List<SettingChange> offsetsLog(BrokerSettings settings) {
    return List.of(
        SettingChange.set(
            SettingKey.SEGMENT_BYTES.key(), String.valueOf(settings.group().offsetsSegmentBytes())),
        SettingChange.set(
            SettingKey.MAX_MESSAGE_BYTES.key(),
            String.valueOf(SettingKey.MAX_MESSAGE_BYTES.max())));
  }

  static io.minikafka.net.NetSettings net(BrokerSettings settings) {
    NetSettings net = settings.net();
    return new io.minikafka.net.NetSettings(
        settings.host(),
        settings.port(),
        net.eventLoops() == 0 ? Runtime.getRuntime().availableProcessors() : net.eventLoops(),
        maxFrameBytes(settings),
        Descriptors.of(settings).connections(),
        net.idleTimeoutMs(),
        net.frameTimeoutMs(),
        net.sendTimeoutMs(),
        net.connectionInFlightBytes(),
        net.totalInFlightBytes(),
        net.sendfileMinBytes(),
        net.sendBufferBytes());
  }

  static io.minikafka.net.HttpSettings http(BrokerSettings settings) {
    HttpSettings http = settings.http();
    return new io.minikafka.net.HttpSettings(
        Descriptors.of(settings).httpConnections(),
        http.requestTimeoutMs(),
        http.idleTimeoutMs(),
        http.sendTimeoutMs());
  }

  /** What clients are told to connect to: an address that stands for all of them is none. */
  static String advertisedHost(BrokerSettings settings) {
    String host = settings.advertisedHost();
    if (!EVERY_ADDRESS.contains(host)) {
      return host;
    }
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException e) {
      return InetAddress.getLoopbackAddress().getHostAddress();
    }
  }

  /** The port clients are told to connect to: the data port, unless it has another name outside. */
  static IntSupplier advertisedPort(BrokerSettings settings, IntSupplier dataPort) {
    int advertised = settings.advertisedPort();
    return advertised == 0 ? dataPort : () -> advertised;
  }

  /** Half of what the heap leaves of the memory, the container's if there is one. */
  private static long hotBytes() {
    if (ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean system) {
      long left = system.getTotalMemorySize() - Runtime.getRuntime().maxMemory();
      return Math.max(LEAST_HOT_BYTES, left / 2);
    }
    return LEAST_HOT_BYTES;
  }
}
