package io.minikafka.sim;

import io.minikafka.PartitionId;
import io.minikafka.Timers;
import io.minikafka.partition.MetaStore;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.PartitionStores;
import io.minikafka.partition.StoreSettings;
import io.minikafka.storage.AtomicFile;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;

/**
 * The simplest stores that keep the contract: one file a partition, everything held by linear
 * search, no index, no segment. It validates the tests, which must pass over it before they may
 * judge another store, and it plays the replicated store: durability takes its time, and an owner
 * that was succeeded by another is fenced.
 *
 * <p>Unlike the local log it knows stale bytes only by having cut them: its batches are not bound
 * to an epoch. One thread.
 */
public final class PlainStores implements PartitionStores {
  private static final int META_VERSION_BYTES = Long.BYTES;

  final Disk disk;
  final Timers timers;
  final Executor forcer;
  final long delayNanos;
  final Fence fence;
  final Path directory;
  private final Map<PartitionId, PlainStore> open = new HashMap<>();

  /** Who owns a partition now; shared by all that might. */
  public static final class Fence {
    private final Map<PartitionId, Integer> epochs = new HashMap<>();

    void take(PartitionId id, int epoch) {
      epochs.put(id, epoch);
    }

    /** Whether somebody took the partition since. */
    boolean keepsOut(PartitionId id, int epoch) {
      return epochs.getOrDefault(id, epoch) != epoch;
    }
  }

  /**
   * @param delayNanos how long after a flush was asked for the force begins
   */
  public PlainStores(
      Disk disk, Path directory, Timers timers, Executor forcer, long delayNanos, Fence fence)
      throws IOException {
    this.disk = disk;
    this.directory = directory;
    this.timers = timers;
    this.forcer = forcer;
    this.delayNanos = delayNanos;
    this.fence = fence;
    disk.createDirectories(directory);
    disk.forceDirectory(directory.resolveSibling(""));
  }

  @Override
  public MetaStore meta() {
    return new MetaStore() {
      @Override
      public Optional<Versioned> read(String name) throws IOException {
        Optional<ByteBuffer> file = AtomicFile.read(disk, directory.resolve(name + ".meta"));
        return file.map(
            content ->
                new Versioned(content.slice(8, content.remaining() - 8), content.getLong(0)));
      }

      @Override
      public boolean replace(String name, ByteBuffer value, long expectedVersion)
          throws IOException {
        if (read(name).map(Versioned::version).orElse(0L) != expectedVersion) {
          return false;
        }
        ByteBuffer content = ByteBuffer.allocate(META_VERSION_BYTES + value.remaining());
        content.putLong(expectedVersion + 1).put(value.duplicate());
        AtomicFile.replace(disk, directory.resolve(name + ".meta"), content.flip());
        return true;
      }
    };
  }

  @Override
  public PartitionStore open(PartitionId id, StoreSettings settings) throws IOException {
    if (open.containsKey(id)) {
      throw new IllegalStateException(id + " is open");
    }
    PlainStore store = PlainStore.recover(this, id, partitionDirectory(id), settings);
    open.put(id, store);
    return store;
  }

  void closed(PartitionId id) {
    open.remove(id);
  }

  @Override
  public Optional<String> limitError(long partitions) {
    return Optional.empty();
  }

  @Override
  public void deleteTopic(UUID topicId) throws IOException {
    Path topic = directory.resolve(topicId.toString());
    if (!disk.exists(topic)) {
      return;
    }
    for (String partition : disk.list(topic)) {
      for (String file : disk.list(topic.resolve(partition))) {
        disk.delete(topic.resolve(partition).resolve(file));
      }
      disk.delete(topic.resolve(partition));
    }
    disk.delete(topic);
    disk.forceDirectory(directory);
  }

  @Override
  public Set<UUID> topicsFound() throws IOException {
    Set<UUID> found = new HashSet<>();
    for (String name : disk.list(directory)) {
      if (name.length() == 36) {
        found.add(UUID.fromString(name));
      }
    }
    return found;
  }

  @Override
  public void setAsideUnknown(Set<UUID> known) throws IOException {
    Path aside = directory.resolve("unknown");
    for (String name : disk.list(directory)) {
      Path path = directory.resolve(name);
      boolean stranger = known.stream().noneMatch(id -> id.toString().equals(name));
      if (disk.isDirectory(path) && stranger && !path.equals(aside)) {
        disk.createDirectories(aside);
        disk.rename(path, aside.resolve(name));
      }
    }
    disk.forceDirectory(directory);
  }

  @Override
  public void close() {
    if (!open.isEmpty()) {
      throw new IllegalStateException("still open: " + open.keySet());
    }
  }

  private Path partitionDirectory(PartitionId id) {
    return topicDirectory(id).resolve(Integer.toString(id.partition()));
  }

  Path topicDirectory(PartitionId id) {
    return directory.resolve(id.topicId().toString());
  }

  /** The whole file, or empty if there is none. */
  Optional<ByteBuffer> content(Path file) throws IOException {
    try (DiskFile in = disk.open(file, Disk.Mode.READ)) {
      ByteBuffer content = ByteBuffer.allocate((int) in.size());
      in.read(content, 0);
      return Optional.of(content.flip().order(java.nio.ByteOrder.LITTLE_ENDIAN));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }
}
