package io.minikafka.app;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Optional;

/**
 * How the file descriptors that the process may have are shared out: the program itself,
 * connections of the two ports, sealed segments, and one for each partition of what is left.
 * Immutable; any thread.
 *
 * @param limit that the process may have open, by the system
 * @param maxConnections of the data port that were asked for
 * @param connectionsPercent of all that these take at most: without one left, no segment, no
 *     directory to be forced and no class can be opened
 * @param maxHttpConnections of the HTTP port that were asked for
 * @param sealedSegments held open at once
 */
public record Descriptors(
    long limit,
    int maxConnections,
    int connectionsPercent,
    int maxHttpConnections,
    int sealedSegments) {
  /** For the program itself: jars, event loops, pipes, connections that come and go. */
  static final int PROGRAM = 256;

  /** Connections of the HTTP port never take more than this part of all. */
  private static final int HTTP_PART = 16;

  /** Fewer would not do for a probe, a scraper and an operator. */
  private static final int LEAST_HTTP = 4;

  static Descriptors of(BrokerSettings settings) {
    return new Descriptors(
        systemLimit(),
        settings.net().maxConnections(),
        settings.net().connectionDescriptorsPercent(),
        settings.http().maxConnections(),
        settings.storage().openSealedSegments());
  }

  /** Why a broker cannot live with so few, naming the limit; empty if it can. */
  public static Optional<String> error(BrokerSettings settings) {
    return of(settings).error();
  }

  Optional<String> error() {
    if (leavesSomeForPartitions(limit)) {
      return Optional.empty();
    }
    long least = PROGRAM + (long) sealedSegments;
    while (!leavesSomeForPartitions(least)) {
      least++;
    }
    return Optional.of(
        ("the process may have %d files open (ulimit -n), a broker needs %d: %d for the program, %d %%"
                + " of all for connections (minikafka.net.connection-descriptors-percent), a"
                + " sixteenth for those of the HTTP port, %d for sealed segments"
                + " (minikafka.storage.open-sealed-segments), and one for each partition; raise the"
                + " limit, say to 65536 (ulimit -n, or LimitNOFILE= of a service)")
            .formatted(limit, least, PROGRAM, connectionsPercent, sealedSegments));
  }

  private boolean leavesSomeForPartitions(long all) {
    return all > PROGRAM + (long) connections(all) + httpConnections(all) + sealedSegments;
  }

  /** Connections of the data port served at once. */
  int connections() {
    return connections(limit);
  }

  private int connections(long all) {
    return (int) Math.clamp(all * connectionsPercent / 100, 1, maxConnections);
  }

  /** Connections of the HTTP port open at once. */
  int httpConnections() {
    return httpConnections(limit);
  }

  private int httpConnections(long all) {
    return (int) Math.min(maxHttpConnections, Math.max(LEAST_HTTP, all / HTTP_PART));
  }

  /** What is no log's. */
  int notForLogs() {
    return PROGRAM + connections() + httpConnections();
  }

  private static long systemLimit() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
        ? system.getMaxFileDescriptorCount()
        : Integer.MAX_VALUE;
  }
}
