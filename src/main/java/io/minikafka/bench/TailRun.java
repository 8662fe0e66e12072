package io.minikafka.bench;

import io.minikafka.client.ClientSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * How long a record takes to a consumer at the tail, without and beside a reader of old data that
 * is in no cache, in alternation. Made for one point; one thread.
 */
final class TailRun {
  private static final int OLD_RECORD_BYTES = 1_000;

  /** Of what was read, at least this part must have come from the disk. */
  private static final double FROM_DISK = 0.5;

  private final Topics topics;
  private final ClientSettings client;
  private final Effort effort;
  private final Target target;
  private final Optional<PageCache> cache;

  /** What the reader did, over all repetitions. */
  private long readBytes;

  private long readNanos;
  private double diskBytes;

  /** What is old has been forced, and nothing is added to it. */
  private boolean isForced;

  TailRun(Topics topics, ClientSettings client, Effort effort, Target target) {
    this.topics = topics;
    this.client = client;
    this.effort = effort;
    this.target = target;
    this.cache = target.dataDirectory().isPresent() ? PageCache.ofThisSystem() : Optional.empty();
  }

  /** Without the reader, then with it; and all samples of each. */
  record Result(
      Row.Builder alone,
      LatencyTally aloneSamples,
      Row.Builder beside,
      LatencyTally besideSamples) {}

  Result measure(Point.Tail point) throws IOException, InterruptedException {
    List<Lane> old = topics.create(1, Policy.INTERVAL);
    long bytes =
        Math.min(
            effort.perRep().wireBytes(),
            point.readMegabytesPerSecond() * effort.latencyNanos() / 1_000);
    Filled filled = Filled.of(client, old, OLD_RECORD_BYTES, bytes);
    long end = filled.ends().getOrDefault(old.getFirst().topicPartition(), 0L);
    LatencyTally alone = new LatencyTally();
    LatencyTally beside = new LatencyTally();
    if (effort.warmUpNanos() > 0) {
      warmUp(point, old.getFirst(), end);
    }
    for (int rep = 0; rep < effort.reps(); rep++) {
      alone.add(latency(point));
      OptionalDouble before = diskReadBytes();
      try (OldReader reader =
          OldReader.start(
              client.server(),
              old.getFirst(),
              end,
              point.readMegabytesPerSecond(),
              () -> drop(old.getFirst()))) {
        beside.add(latency(point));
        readBytes += reader.readBytes();
        readNanos += reader.readNanos();
      }
      OptionalDouble after = diskReadBytes();
      if (before.isPresent() && after.isPresent()) {
        diskBytes += after.getAsDouble() - before.getAsDouble();
      }
    }
    topics.remove(old);
    return new Result(row(point, "alone", alone), alone, besideRow(point, alone, beside), beside);
  }

  /** With the reader: what is slow at first would be found in one of the two only. */
  private void warmUp(Point.Tail point, Lane old, long end)
      throws IOException, InterruptedException {
    List<Lane> lanes = topics.create(1, Policy.NONE);
    try (OldReader reader =
        OldReader.start(
            client.server(), old, end, point.readMegabytesPerSecond(), () -> drop(old))) {
      WarmPipe.run(ClientPipe.of(client, lanes.getFirst(), point.shape()), point.shape(), effort);
    }
    topics.remove(lanes);
  }

  private LatencyRun latency(Point.Tail point) throws IOException, InterruptedException {
    List<Lane> lanes = topics.create(1, Policy.NONE);
    LatencyRun run;
    try (Pipe pipe = ClientPipe.of(client, lanes.getFirst(), point.shape())) {
      run = new LatencyRun(pipe, point.shape());
      run.run(point.recordsPerSecond(), effort.warmUpNanos(), effort.latencyNanos());
    }
    topics.remove(lanes);
    return run;
  }

  private void drop(Lane lane) throws IOException {
    if (cache.isEmpty()) {
      return;
    }
    Path partition =
        target
            .dataDirectory()
            .orElseThrow()
            .resolve(lane.topicId().toString())
            .resolve(Integer.toString(lane.partition()));
    List<Path> files;
    try (Stream<Path> all = Files.list(partition)) {
      files = all.filter(TailRun::isSegment).toList();
    }
    for (Path file : files) {
      cache.get().drop(file, isForced);
    }
    isForced = true;
  }

  private static boolean isSegment(Path file) {
    return String.valueOf(file.getFileName()).matches("\\d+\\.log");
  }

  private OptionalDouble diskReadBytes() {
    return target.process().map(LinuxProcess::diskReadBytes).orElseGet(OptionalDouble::empty);
  }

  private Row.Builder row(Point.Tail point, String variant, LatencyTally samples) {
    Row.Builder row = point.row().text(Column.VARIANT, variant).count(Column.REPS, effort.reps());
    samples.fill(row);
    return row;
  }

  private Row.Builder besideRow(Point.Tail point, LatencyTally alone, LatencyTally beside) {
    Row.Builder row =
        row(
            point,
            "beside a reader of old data, %d MB/s".formatted(point.readMegabytesPerSecond()),
            beside);
    Latencies before = alone.scheduled();
    Latencies now = beside.scheduled();
    row.measured(Column.PEER_RATIO, now.percentileUs(50) / before.percentileUs(50))
        .measured(Column.PEER_P99_RATIO, now.percentileUs(99) / before.percentileUs(99))
        .measured(Column.READ_MB_PER_S, readBytes * 1e3 / readNanos);
    if (diskReadBytes().isPresent()) {
      row.measured(Column.DISK_MB_PER_S, diskBytes * 1e3 / readNanos);
    }
    return row.text(Column.NOTE, note());
  }

  private String note() {
    if (cache.isEmpty()) {
      return target.dataDirectory().isEmpty()
          ? "the page cache was not dropped: the broker's files are not known"
          : "the page cache was not dropped: this system has no posix_fadvise";
    }
    return diskReadBytes().isPresent() && diskBytes < FROM_DISK * readBytes
        ? "the page cache was dropped, but most of what was read came from memory"
        : "";
  }
}
