package io.minikafka.log;

import io.minikafka.PartitionId;
import io.minikafka.log.Checkpoint.Decoded;
import io.minikafka.storage.AtomicFile;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The checkpoint of a data directory: {@code checkpoint}, the one before it as {@code
 * checkpoint.previous}, and {@code checkpoint.tmp} while one is written.
 *
 * <p><b>Crash at any point.</b> The steps of a write are: {@code .tmp} written and forced, {@code
 * checkpoint} renamed to {@code .previous}, {@code .tmp} renamed to {@code checkpoint}, the
 * directory forced. Whatever subset of the renames survives, at least one of the three files is
 * whole; the highest number wins.
 *
 * <p>{@link #load} once, before the first {@link #write}; one thread at a time.
 */
final class CheckpointFile {
  private final Disk disk;
  private final Path data;
  private final Path file;
  private final Path previous;
  private final Path temporary;

  // Written by load and write only.
  private long lastNumber;

  /** Whether {@code checkpoint} is worth being kept as the previous one. */
  private boolean currentIsValid;

  CheckpointFile(Disk disk, Path data) {
    this.disk = disk;
    this.data = data;
    this.file = LogFiles.checkpoint(data);
    this.previous = LogFiles.previousCheckpoint(data);
    this.temporary = LogFiles.temporary(file);
  }

  /**
   * What was found.
   *
   * @param entries of the newest valid checkpoint; none if there is no valid one
   * @param clean it is the last one that was written and carries the clean mark
   * @param newest whether none newer can have been written; if not, log starts in it may be too low
   * @param problems files that are damaged or missing, for people
   */
  record Loaded(
      Map<PartitionId, CheckpointEntry> entries,
      boolean clean,
      boolean newest,
      List<String> problems) {
    Optional<CheckpointEntry> entry(PartitionId id) {
      return Optional.ofNullable(entries.get(id));
    }
  }

  /**
   * Ends a write that a crash interrupted, and makes durable what it returns.
   *
   * @throws NewerVersionException if a newer broker's checkpoint is there; then nothing was touched
   */
  Loaded load() throws IOException {
    List<String> problems = new ArrayList<>();
    Optional<Checkpoint> current = read(file, problems);
    boolean currentIsBad = !problems.isEmpty();
    Optional<Checkpoint> before = read(previous, problems);
    // A .tmp that is not whole is what a crash leaves; nobody relied on it.
    Optional<Checkpoint> unfinished = read(temporary, new ArrayList<>());
    if (current.isEmpty() && !currentIsBad && before.isPresent()) {
      problems.add(file + " is missing");
    }
    currentIsValid = current.isPresent();
    Optional<Checkpoint> best = newer(newer(unfinished, before), current);
    lastNumber = best.map(Checkpoint::number).orElse(0L);
    settle(best.isPresent() && best.equals(unfinished) ? unfinished : Optional.empty());
    boolean newest =
        best.isPresent() && (best.equals(current) || best.equals(unfinished)) && !currentIsBad
            || (best.isEmpty() && problems.isEmpty());
    Map<PartitionId, CheckpointEntry> entries =
        best.map(Checkpoint::entries).orElse(List.of()).stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    CheckpointEntry::id, Function.identity(), (first, second) -> second));
    // The mark of an older one says nothing: its broker, or a later one, went on writing.
    boolean clean = newest && best.map(Checkpoint::clean).orElse(false);
    return new Loaded(entries, clean, newest, List.copyOf(problems));
  }

  /**
   * What is loaded is acted upon: starts are believed and files below them removed. So no power
   * loss may take it back, even if the process that wrote it died before it had forced it, or
   * because it could not: then to force it again would do nothing.
   *
   * @param unfinished if it is the best there is
   */
  private void settle(Optional<Checkpoint> unfinished) throws IOException {
    if (unfinished.isPresent()) {
      try (DiskFile whole = disk.open(temporary, Disk.Mode.WRITE)) {
        whole.write(unfinished.get().encode(), 0);
        whole.force();
      }
      moveIntoPlace();
    } else {
      disk.forceNames(data);
    }
  }

  /**
   * Durable when this returns. On an exception the old or the new one survives.
   *
   * @param clean every log was forced and closed, and nothing will be written any more
   */
  void write(Collection<CheckpointEntry> entries, boolean clean) throws IOException {
    Checkpoint next = new Checkpoint(lastNumber + 1, clean, List.copyOf(entries));
    disk.delete(temporary);
    try (DiskFile out = disk.open(temporary, Disk.Mode.CREATE)) {
      out.write(next.encode(), 0);
      out.force();
    }
    lastNumber++;
    moveIntoPlace();
  }

  private void moveIntoPlace() throws IOException {
    // Somebody may have taken it away meanwhile; the new one is needed all the more.
    if (currentIsValid && disk.exists(file)) {
      disk.rename(file, previous);
    }
    currentIsValid = false;
    disk.rename(temporary, file);
    currentIsValid = true;
    disk.forceNames(data);
  }

  private Optional<Checkpoint> read(Path from, List<String> problems) throws IOException {
    if (disk.exists(from) && !disk.isRegularFile(from) && !disk.isDirectory(from)) {
      // A pipe, say: nothing was ever in it, and the next one is renamed over it.
      problems.add(from + " is damaged: it is no regular file");
      return Optional.empty();
    }
    Optional<ByteBuffer> content = AtomicFile.read(disk, from);
    if (content.isEmpty()) {
      return Optional.empty();
    }
    return switch (Checkpoint.decode(content.get())) {
      case Decoded.Valid valid -> Optional.of(valid.checkpoint());
      case Decoded.Damaged damaged -> {
        problems.add("%s is damaged: %s".formatted(from, damaged.what()));
        yield Optional.empty();
      }
      case Decoded.NewerVersion newer ->
          throw new NewerVersionException(
              "%s has version %d, this broker knows version %d"
                  .formatted(from, newer.version(), Checkpoint.VERSION));
    };
  }

  private static Optional<Checkpoint> newer(Optional<Checkpoint> a, Optional<Checkpoint> b) {
    if (a.isEmpty() || b.isEmpty()) {
      return a.or(() -> b);
    }
    return a.get().number() > b.get().number() ? a : b;
  }
}
