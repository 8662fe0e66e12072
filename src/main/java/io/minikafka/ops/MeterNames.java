package io.minikafka.ops;

import java.util.List;

/**
 * The table of all metrics. docs/METRICS.md has a row for each, by the name Prometheus gives it,
 * and a test compares both.
 */
public enum MeterNames {
  PRODUCED_RECORDS("produced.records", Kind.COUNTER, "", "Records written to logs."),
  PRODUCED_BATCHES("produced.batches", Kind.COUNTER, "", "Batches written to logs."),
  PRODUCED_BYTES(
      "produced", Kind.COUNTER, "bytes", "Bytes written to logs, batch markers included."),
  WRITE(
      "write",
      Kind.TIMER,
      "seconds",
      "One positional write of one or more batches to a log, into the page cache."),
  WRITE_STALLS(
      "write.stalls",
      Kind.COUNTER,
      "",
      "Writes that held an event loop for more than 5 ms; the log then moves to a worker."),
  WRITE_FAILURES("write.failures", Kind.COUNTER, "", "Writes that failed.", "cause"),
  FORCE("force", Kind.TIMER, "seconds", "One step of group commit: forcing logs to the disk."),
  FORCED_LOGS(
      "forced.logs",
      Kind.COUNTER,
      "",
      "Logs made durable; divided by the count of forces, the logs one force covers."),
  ACKNOWLEDGEMENT(
      "acknowledgement",
      Kind.TIMER,
      "seconds",
      "From a batch's arrival at its partition to its acknowledgement.",
      "durability"),
  UNFLUSHED_BYTES(
      "unflushed",
      Kind.GAUGE,
      "bytes",
      "Bytes written and not yet forced, in one data directory.",
      "directory"),

  FETCHED_RECORDS("fetched.records", Kind.COUNTER, "", "Records that fetches were answered with."),
  FETCHED_BYTES(
      "fetched", Kind.COUNTER, "bytes", "Bytes of entries that fetches were answered with."),
  PARKED_FETCHES("parked.fetches", Kind.GAUGE, "", "Fetches that wait for records."),
  PINNED_BYTES(
      "pinned", Kind.GAUGE, "bytes", "Bytes of segments that readers hold until they are sent."),

  REQUEST(
      "request",
      Kind.TIMER,
      "seconds",
      "From a request's last byte to its answer; of a fetch, its waiting too.",
      "api",
      "version"),
  REQUEST_ERRORS(
      "request.errors",
      Kind.COUNTER,
      "",
      "Requests answered with an error.",
      "api",
      "version",
      "error"),
  CONNECTIONS("connections", Kind.GAUGE, "", "Open connections of the data port."),
  CONNECTIONS_OPENED("connections.opened", Kind.COUNTER, "", "Connections that were accepted."),
  CONNECTIONS_REFUSED(
      "connections.refused", Kind.COUNTER, "", "Connections the broker closed.", "reason"),
  IN_FLIGHT_BYTES(
      "in.flight", Kind.GAUGE, "bytes", "Bytes of requests and answers under way, all together."),
  HTTP_CONNECTIONS("http.connections", Kind.GAUGE, "", "Open connections of the HTTP port."),
  HTTP_CONNECTIONS_REFUSED(
      "http.connections.refused",
      Kind.COUNTER,
      "",
      "Connections of the HTTP port that the broker closed.",
      "reason"),

  TOPICS("topics", Kind.GAUGE, "", "Topics, internal ones included."),
  PARTITIONS("partitions", Kind.GAUGE, "", "Partitions of all topics."),
  PARTITIONS_UNMEASURED(
      "partitions.unmeasured",
      Kind.GAUGE,
      "",
      "Partitions without metrics of their own, because minikafka.metrics.max-partitions have some."),
  OFFLINE_PARTITIONS(
      "offline.partitions", Kind.GAUGE, "", "Partitions that take no appends; the log says why."),
  DISK_USED_BYTES(
      "disk.used", Kind.GAUGE, "bytes", "Bytes of all logs in one data directory.", "directory"),
  DISK_USABLE_BYTES(
      "disk.usable",
      Kind.GAUGE,
      "bytes",
      "Bytes that can still be written to one data directory.",
      "directory"),
  ROLLS("rolls", Kind.COUNTER, "", "Segments sealed because the next one began."),
  TRIMS("trims", Kind.COUNTER, "", "Times a log start moved up, by retention or by DeleteRecords."),
  TRIMMED_BYTES("trimmed", Kind.COUNTER, "bytes", "Bytes of segments given up by that."),
  COMPACTION("compaction", Kind.TIMER, "seconds", "One compaction of one log, pauses included."),
  COMPACTION_INPUT_BYTES(
      "compaction.input",
      Kind.COUNTER,
      "bytes",
      "Bytes of the segments that compactions looked at, before."),
  COMPACTION_OUTPUT_BYTES(
      "compaction.output", Kind.COUNTER, "bytes", "Bytes of what compactions left of these."),
  COMPACTION_REMOVED_RECORDS(
      "compaction.removed.records", Kind.COUNTER, "", "Records that compactions removed."),
  COMPACTION_FAILURES(
      "compaction.failures",
      Kind.COUNTER,
      "",
      "Compactions that were given up; the log is as it was.",
      "cause"),
  DAMAGED_RANGES(
      "damaged.ranges", Kind.COUNTER, "", "Ranges of offsets that were found to be damaged."),
  REPAIRS("repairs", Kind.COUNTER, "", "Damaged ranges that operators had repaired."),
  REPAIRED_OFFSETS("repaired.offsets", Kind.COUNTER, "", "Offsets that these repairs gave up."),
  STRANGERS(
      "strangers",
      Kind.COUNTER,
      "",
      "Files in the data directory that nobody knows, left or moved, or of the broker's own that"
          + " cannot be read and are done without."),

  RECOVERY_SECONDS("recovery", Kind.GAUGE, "seconds", "How long the last recovery took."),
  RECOVERY_SCANNED_BYTES(
      "recovery.scanned",
      Kind.GAUGE,
      "bytes",
      "Bytes of log the last recovery read and checked; 0 after a clean shutdown."),
  RECOVERY_CUT_BYTES(
      "recovery.cut", Kind.GAUGE, "bytes", "Bytes of torn tails the last recovery cut."),

  GROUPS("groups", Kind.GAUGE, "", "Consumer groups that have members or commits."),
  GROUP_MEMBERS("group.members", Kind.GAUGE, "", "Members of all groups."),
  GROUP_GENERATIONS(
      "group.generations",
      Kind.GAUGE,
      "",
      "Generations of all groups together: rises with every rebalance that begins."),
  GROUPS_SERVED(
      "groups.served", Kind.GAUGE, "", "1 while groups are served, 0 while they are not."),
  GROUP_LAG_RECORDS(
      "group.lag.records",
      Kind.GAUGE,
      "",
      "Offsets between what a group has committed, or the log start if that is higher, and the high watermark.",
      "group",
      "topic",
      "partition"),
  GROUP_LAG_SECONDS(
      "group.lag",
      Kind.GAUGE,
      "seconds",
      "Age of the oldest unread record, by its append time; 0 if nothing is unread, NaN if it is damaged.",
      "group",
      "topic",
      "partition"),
  GROUP_DELETED_UNREAD(
      "group.deleted.unread.records",
      Kind.GAUGE,
      "",
      "Offsets between what a group has committed and the log start: they were deleted unread.",
      "group",
      "topic",
      "partition"),
  GROUP_UNCOMMITTED(
      "group.uncommitted.partitions",
      Kind.GAUGE,
      "",
      "Partitions that a group reads and has no commit for.",
      "group"),
  GROUP_LAG_UNMEASURED(
      "group.lag.unmeasured",
      Kind.GAUGE,
      "",
      "Partitions of groups without series for their lag, because minikafka.metrics.max-group-partitions have some."),
  COMMITS(
      "committed.partitions",
      Kind.COUNTER,
      "",
      "Partitions whose offset was committed, each time."),
  COMMITS_CLAMPED(
      "commits.clamped",
      Kind.COUNTER,
      "",
      "Commits that lay beyond the log recovery left and were set back."),
  COMMITS_EXPIRED(
      "commits.expired", Kind.COUNTER, "", "Commits dropped because nobody used them any more."),
  REBALANCE(
      "rebalance",
      Kind.TIMER,
      "seconds",
      "From the beginning of a rebalance until every partition was with its owner."),
  REBALANCES_OVERTAKEN(
      "rebalances.overtaken",
      Kind.COUNTER,
      "",
      "Rebalances that the next one began before every partition was with its owner."),
  PARTITIONS_MOVED(
      "moved.partitions", Kind.COUNTER, "", "Partitions that were to change their owner."),
  COORDINATOR_MAILBOX(
      "coordinator.mailbox", Kind.GAUGE, "", "Events of groups that wait or are being handled."),
  GROUPS_LOAD_SECONDS(
      "groups.load", Kind.GAUGE, "seconds", "How long the offsets log was read last."),
  GROUPS_LOADED_RECORDS(
      "groups.loaded.records", Kind.GAUGE, "", "Records of the offsets log that were read then."),
  GROUP_FAILURES(
      "group.failures",
      Kind.COUNTER,
      "",
      "Appends to the offsets log that failed; the groups are then read anew."),
  GROUP_STALLS(
      "group.stalls",
      Kind.COUNTER,
      "seconds",
      "Time the broker itself stood still while groups had members; sessions are extended by it."),

  ALLOCATED_BYTES(
      "allocated",
      Kind.COUNTER,
      "bytes",
      "Bytes of heap that threads of the process have allocated, ended ones too."),

  LOG_SIZE_BYTES(
      "log.size", Kind.GAUGE, "bytes", "Bytes of a partition's log.", "topic", "partition"),
  SEGMENTS("segments", Kind.GAUGE, "", "Segments of a partition's log.", "topic", "partition"),
  LOG_START_OFFSET(
      "log.start.offset",
      Kind.GAUGE,
      "",
      "First offset of a partition that can be read.",
      "topic",
      "partition"),
  LOG_END_OFFSET(
      "log.end.offset",
      Kind.GAUGE,
      "",
      "Next offset a partition will assign.",
      "topic",
      "partition"),
  DURABLE_OFFSET(
      "durable.offset",
      Kind.GAUGE,
      "",
      "All below this offset of a partition is on stable storage.",
      "topic",
      "partition"),
  HIGH_WATERMARK(
      "high.watermark",
      Kind.GAUGE,
      "",
      "All below this offset of a partition is visible to readers.",
      "topic",
      "partition");

  /** What kind of number it is. */
  enum Kind {
    /** Only rises. */
    COUNTER,
    /** Rises and falls. */
    GAUGE,
    /** Durations: a histogram. */
    TIMER
  }

  private static final String PREFIX = "minikafka.";

  private final String name;
  private final Kind kind;
  private final String unit;
  private final String description;
  private final List<String> labels;

  MeterNames(String name, Kind kind, String unit, String description, String... labels) {
    this.name = PREFIX + name;
    this.kind = kind;
    this.unit = unit;
    this.description = description;
    this.labels = List.of(labels);
  }

  /** As Micrometer wants it; the registry makes the unit and {@code _total} of it. */
  String meter() {
    return name;
  }

  Kind kind() {
    return kind;
  }

  /** Empty for a count. */
  String unit() {
    return unit;
  }

  String description() {
    return description;
  }

  List<String> labels() {
    return labels;
  }
}
