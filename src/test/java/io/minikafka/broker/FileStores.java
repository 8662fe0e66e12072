package io.minikafka.broker;

import io.minikafka.PartitionId;
import io.minikafka.partition.MetaStore;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.PartitionStores;
import io.minikafka.partition.StoreSettings;
import io.minikafka.storage.Disk;
import io.minikafka.storage.LocalDisk;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** {@link FileStore}s in one directory, with a catalog in memory. Any thread. */
public final class FileStores implements PartitionStores {
  private final Disk disk = new LocalDisk();
  private final Path directory;
  private final Meta meta = new Meta();

  public final Map<PartitionId, FileStore> open = new ConcurrentHashMap<>();

  /** Leases that are held now, over all stores. */
  public final AtomicInteger leases = new AtomicInteger();

  public FileStores(Path directory) {
    this.directory = directory;
  }

  @Override
  public MetaStore meta() {
    return meta;
  }

  @Override
  public PartitionStore open(PartitionId id, StoreSettings settings) {
    Path file = directory.resolve(id.toString().replace('/', '-'));
    FileStore store = new FileStore(() -> disk.open(file, Disk.Mode.CREATE), leases);
    open.put(id, store);
    return store;
  }

  @Override
  public Optional<String> limitError(long partitions) {
    return Optional.empty();
  }

  @Override
  public void deleteTopic(UUID topicId) {}

  @Override
  public Set<UUID> topicsFound() {
    return Set.of();
  }

  @Override
  public void setAsideUnknown(Set<UUID> known) {}

  @Override
  public void close() {}

  private static final class Meta implements MetaStore {
    private final Map<String, Versioned> values = new HashMap<>();

    @Override
    public synchronized Optional<Versioned> read(String name) {
      return Optional.ofNullable(values.get(name));
    }

    @Override
    public synchronized boolean replace(String name, ByteBuffer value, long expectedVersion) {
      long version = read(name).map(Versioned::version).orElse(0L);
      if (version != expectedVersion) {
        return false;
      }
      ByteBuffer copy = ByteBuffer.allocate(value.remaining()).put(value.duplicate()).flip();
      values.put(name, new Versioned(copy.asReadOnlyBuffer(), version + 1));
      return true;
    }
  }
}
