package io.minikafka.app;

import io.minikafka.Counted;
import io.minikafka.app.Tally.Recovery;
import io.minikafka.coordinator.Status;
import java.nio.file.Path;
import java.util.Locale;

/** The one line on standard output that says the broker serves, and with what. */
record StartLine(
    String version,
    int port,
    int httpPort,
    Path dataDir,
    String flushPolicy,
    Recovery recovery,
    Status groups) {
  @Override
  public String toString() {
    return "minikafka %s serves: data port %d, HTTP port %d, data directory %s, flush policy %s; %s; %s"
        .formatted(version, port, httpPort, dataDir, flushPolicy, recovered(), groupsRead());
  }

  private String recovered() {
    StringBuilder line = new StringBuilder();
    line.append(
        String.format(
            Locale.ROOT,
            "recovered %s with %s in %.3f s, %s checked",
            Counted.of(recovery.topics(), "topic"),
            Counted.of(recovery.partitions(), "partition"),
            recovery.seconds(),
            Counted.of(recovery.scannedBytes(), "byte")));
    if (recovery.cutBytes() > 0) {
      line.append(", ").append(Counted.of(recovery.cutBytes(), "byte")).append(" of torn tail cut");
    }
    line.append(", ");
    line.append(
        recovery.damagedRanges() == 0
            ? "no damage"
            : Counted.of(recovery.damagedRanges(), "damaged range"));
    if (recovery.offline() > 0) {
      line.append(", ").append(Counted.of(recovery.offline(), "partition")).append(" offline");
    }
    return line.toString();
  }

  private String groupsRead() {
    return switch (groups) {
      case Status.Serving(Status.Loaded loaded) ->
          String.format(
              Locale.ROOT,
              "%s from %s in %.3f s%s",
              Counted.of(loaded.groups(), "group"),
              Counted.of(loaded.records(), "record"),
              loaded.nanos() / 1e9,
              loaded.missing().isEmpty() ? "" : ", damaged: the log says which");
      case Status.Unavailable(String reason) -> "groups are not served: " + reason;
      case Status.Loading l -> "groups are being read";
      case Status.Stopped s -> "groups have stopped";
    };
  }
}
