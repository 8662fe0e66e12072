package io.minikafka.ops;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.Timers;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Says in the log what is rare and what an operator should know; what is frequent is for the
 * metrics. Any thread.
 */
public final class EventLog implements EngineObserver {
  private static final Pattern ID =
      Pattern.compile("\\p{XDigit}{8}(?:-\\p{XDigit}{4}){3}-\\p{XDigit}{12}");

  /** Of a partition, and why. */
  private static final String GIVEN_UP = "a compaction of partition %s was given up: %s";

  private final System.Logger log;
  private final Function<UUID, Optional<String>> names;
  private final Refusals refusals;
  private final Refusals compactionRefusals;
  private final Refusals httpRefusals;

  /**
   * @param names of topics, as far as they are known
   */
  public EventLog(Timers timers, Function<UUID, Optional<String>> names) {
    this(System.getLogger("io.minikafka.engine"), timers, names);
  }

  EventLog(System.Logger log, Timers timers, Function<UUID, Optional<String>> names) {
    this.log = log;
    this.names = names;
    this.refusals =
        new Refusals(
            log,
            timers,
            "no room to append to partition %s: %s"::formatted,
            (count, partition) ->
                "no room: %d more appends were refused within %d s, the last to partition %s"
                    .formatted(count, Refusals.INTERVAL_S, partition));
    this.compactionRefusals =
        new Refusals(
            log,
            timers,
            GIVEN_UP::formatted,
            (count, partition) ->
                "no room: %d more compactions were given up within %d s, the last of partition %s"
                    .formatted(count, Refusals.INTERVAL_S, partition));
    this.httpRefusals =
        new Refusals(
            log,
            timers,
            (port, reason) ->
                "%s has as many connections as it may (minikafka.http.max-connections), one was closed: %s"
                    .formatted(port, reason),
            (count, port) ->
                "%s: %d more connections were closed for want of room within %d s"
                    .formatted(port, count, Refusals.INTERVAL_S));
  }

  /** As people know it, and where its files are. */
  private String name(PartitionId partition) {
    return names
        .apply(partition.topicId())
        .map(topic -> "%s/%d (%s)".formatted(topic, partition.partition(), partition))
        .orElseGet(partition::toString);
  }

  /** What is said about a file, with the name of the topic whose id is in it. */
  private String named(String line) {
    Matcher id = ID.matcher(line);
    return id.find()
        ? names
            .apply(UUID.fromString(id.group()))
            .map(topic -> "topic '%s': %s".formatted(topic, line))
            .orElse(line)
        : line;
  }

  @Override
  public void onWriteFailed(PartitionId partition, boolean full, String reason) {
    if (full) {
      refusals.refused(name(partition), reason);
    } else {
      log.log(
          Level.WARNING,
          () -> "an append to partition %s failed: %s".formatted(name(partition), reason));
    }
  }

  @Override
  public void onRoll(PartitionId partition, long newBaseOffset) {
    log.log(
        Level.DEBUG,
        () -> "partition %s goes on in a segment at %d".formatted(name(partition), newBaseOffset));
  }

  @Override
  public void onTrim(PartitionId partition, long newStart, long bytes) {
    log.log(
        Level.DEBUG,
        () ->
            "partition %s starts at %d now; %d bytes were given up"
                .formatted(name(partition), newStart, bytes));
  }

  @Override
  public void onCompacted(
      PartitionId partition, long bytesBefore, long bytesAfter, long removedRecords, long nanos) {
    log.log(
        Level.DEBUG,
        () ->
            "partition %s was compacted from %d to %d bytes; %d records were removed in %d ms"
                .formatted(
                    name(partition),
                    bytesBefore,
                    bytesAfter,
                    removedRecords,
                    TimeUnit.NANOSECONDS.toMillis(nanos)));
  }

  @Override
  public void onCompactionFailed(PartitionId partition, boolean full, String reason) {
    if (full) {
      compactionRefusals.refused(name(partition), reason);
    } else {
      log.log(Level.WARNING, () -> GIVEN_UP.formatted(name(partition), reason));
    }
  }

  @Override
  public void onUpkeepFailed(PartitionId partition, String what, String reason) {
    log.log(
        Level.WARNING,
        () -> "%s of partition %s failed: %s".formatted(what, name(partition), reason));
  }

  @Override
  public void onRecovered(
      PartitionId partition, long end, long scannedBytes, long cutBytes, int damagedRanges) {
    Level level = cutBytes > 0 || damagedRanges > 0 ? Level.WARNING : Level.DEBUG;
    log.log(
        level,
        () ->
            "partition %s ends at %d: %d bytes checked, %d bytes of torn tail cut, %d ranges damaged"
                .formatted(name(partition), end, scannedBytes, cutBytes, damagedRanges));
  }

  @Override
  public void onDamage(PartitionId partition, long from, long to, String what) {
    log.log(
        Level.ERROR,
        () ->
            "offsets %d to %d of partition %s are damaged: %s"
                .formatted(from, to - 1, name(partition), what));
  }

  @Override
  public void onRepaired(PartitionId partition, long from, long to, boolean cut) {
    log.log(
        Level.WARNING,
        () ->
            "offsets %d to %d of partition %s are given up: %s"
                .formatted(
                    from,
                    to - 1,
                    name(partition),
                    cut ? "the log was cut there" : "readers pass over them"));
  }

  @Override
  public void onOffline(PartitionId partition, String reason) {
    log.log(Level.ERROR, () -> "partition %s is offline: %s".formatted(name(partition), reason));
  }

  @Override
  public void onStranger(String path, String what) {
    log.log(Level.WARNING, () -> named("%s: %s".formatted(path, what)));
  }

  @Override
  public void onConnectionRefused(String reason) {
    log.log(Level.DEBUG, () -> "closed a connection: " + reason);
  }

  @Override
  public void onHttpConnectionRefused(String reason, boolean full) {
    if (full) {
      httpRefusals.refused("the HTTP port", reason);
    } else {
      log.log(Level.DEBUG, () -> "closed a connection of the HTTP port: " + reason);
    }
  }
}
