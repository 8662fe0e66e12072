package io.minikafka.bench;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The floors of this machine in this run: each is measured once, when it is first asked for. One
 * thread.
 */
final class Floors {
  private static final long SOURCE_FILE_BYTES = 256 << 20;

  private final Path directory;
  private final Effort effort;
  private final Map<FloorKey, FloorResult> known = new HashMap<>();

  /**
   * @param directory on the file system that the broker writes to; the files in it go with the
   *     floor
   */
  Floors(Path directory, Effort effort) {
    this.directory = directory;
    this.effort = effort;
  }

  Optional<FloorResult> known(FloorKey key) {
    return Optional.ofNullable(known.get(key));
  }

  /** Measures it; its row is what is told of it. */
  Row measure(FloorKey key) throws IOException, InterruptedException {
    Load load = load(key);
    try (Crew crew = new Crew(List.of(load), effort.patienceNanos())) {
      if (effort.warmUpNanos() > 0) {
        crew.run(effort.warmUp());
      }
      if (load instanceof TurnFloor turns) {
        turns.forget();
      }
      Throughput reps = Throughput.of(crew, effort.withoutWarmUp(), Usage::unknown);
      Row.Builder row = new Point.Floor(key).row();
      reps.fill(row);
      FloorResult result;
      if (load instanceof TurnFloor turns) {
        turns.turns().fill(row, Column.ACK_P50_US);
        result = result(key, reps, turns.turns());
      } else {
        result = result(key, reps);
      }
      known.put(key, result);
      return row.build();
    }
  }

  private static FloorResult result(FloorKey key, Throughput reps) {
    double best = reps.spread(Work::wireMbPerSecond).max();
    return new FloorResult(key, best, OptionalDouble.empty(), OptionalDouble.empty());
  }

  private static FloorResult result(FloorKey key, Throughput reps, Latencies turns) {
    return new FloorResult(
        key,
        reps.spread(Work::wireMbPerSecond).max(),
        OptionalDouble.of(turns.percentileUs(50)),
        OptionalDouble.of(turns.percentileUs(99)));
  }

  private Load load(FloorKey key) throws IOException {
    return switch (key.kind()) {
      case SINK -> new SinkFloor(file(), key.frameBytes(), key.window());
      case SOURCE ->
          new SourceFloor(
              file(), key.frameBytes(), Math.min(SOURCE_FILE_BYTES, effort.perRep().wireBytes()));
      case PING -> new PingFloor(key.frameBytes());
      case FSYNC -> new FsyncFloor(file(), key.frameBytes());
    };
  }

  private FileChannel file() throws IOException {
    Files.createDirectories(directory);
    Path path = Files.createTempFile(directory, "bench-floor-", ".tmp");
    return FileChannel.open(
        path,
        StandardOpenOption.READ,
        StandardOpenOption.WRITE,
        StandardOpenOption.DELETE_ON_CLOSE);
  }
}
