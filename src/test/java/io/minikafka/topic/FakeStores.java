package io.minikafka.topic;

import io.minikafka.PartitionId;
import io.minikafka.Pressure;
import io.minikafka.codec.Bytes;
import io.minikafka.partition.DamagedRange;
import io.minikafka.partition.MetaStore;
import io.minikafka.partition.NoRoomException;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.PartitionStores;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.StampedBatch;
import io.minikafka.partition.StoreOfflineException;
import io.minikafka.partition.StoreSettings;
import io.minikafka.partition.TimeLookup;
import io.minikafka.storage.DiskFullException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Stores in memory that remember what was asked of them and fail on demand. What they hold survives
 * as long as the object: another broker is another {@link Topics} over the same one. Any thread.
 */
public final class FakeStores implements PartitionStores {
  public final FakeMeta meta = new FakeMeta();

  /** Stores that are open, with their settings. */
  public final Map<PartitionId, FakeStore> open = new ConcurrentHashMap<>();

  /** Every id of which a partition ever got a batch, with the ends of its partitions. */
  public final Map<PartitionId, Long> written = new ConcurrentHashMap<>();

  /** The newest id that was given away. */
  public final AtomicLong lastId = new AtomicLong();

  public final List<UUID> deleted = Collections.synchronizedList(new ArrayList<>());
  public final List<Set<UUID>> known = new ArrayList<>();

  public volatile Optional<PartitionId> failOpenOf = Optional.empty();
  public volatile boolean failDelete;

  /** Nothing can be written for want of room. */
  public volatile boolean full;

  /** What looking for the limit throws. */
  public volatile Optional<RuntimeException> bug = Optional.empty();

  public volatile long limit = Long.MAX_VALUE;

  /** One that is open. */
  public FakeStore store(PartitionId id) {
    return Objects.requireNonNull(open.get(id));
  }

  @Override
  public MetaStore meta() {
    return meta;
  }

  @Override
  public PartitionStore open(PartitionId id, StoreSettings settings) throws IOException {
    if (failOpenOf.equals(Optional.of(id))) {
      throw new IOException("no luck with " + id);
    }
    FakeStore store = new FakeStore(id, settings);
    if (open.putIfAbsent(id, store) != null) {
      throw new AssertionError(id + " is open already");
    }
    return store;
  }

  @Override
  public Optional<String> limitError(long partitions) {
    if (bug.isPresent()) {
      throw bug.get();
    }
    return partitions <= limit
        ? Optional.empty()
        : Optional.of("%d partitions are more than the limit %d".formatted(partitions, limit));
  }

  @Override
  public void deleteTopic(UUID topicId) throws IOException {
    if (open.keySet().stream().anyMatch(id -> id.topicId().equals(topicId))) {
      throw new AssertionError(topicId + " has open stores");
    }
    if (failDelete) {
      throw new IOException("no luck with deleting");
    }
    written.keySet().removeIf(id -> id.topicId().equals(topicId));
    deleted.add(topicId);
  }

  @Override
  public Set<UUID> topicsFound() {
    return written.keySet().stream()
        .map(PartitionId::topicId)
        .collect(java.util.stream.Collectors.toSet());
  }

  @Override
  public void setAsideUnknown(Set<UUID> known) {
    this.known.add(Set.copyOf(known));
  }

  @Override
  public void close() {
    if (!open.isEmpty()) {
      throw new AssertionError("still open: " + open.keySet());
    }
  }

  /** The catalog's place. */
  public final class FakeMeta implements MetaStore {
    private final Map<String, Versioned> values = new HashMap<>();

    public int replacements;

    /** What the next replacement does instead of working. */
    public Optional<Fault> fault = Optional.empty();

    public boolean failReads;

    /** Ways to fail. */
    public enum Fault {
      /** Fails before anything changed. */
      BEFORE,
      /** Fails although the new value is in place. */
      AFTER,
      /** Somebody else was there first. */
      LOST_RACE
    }

    @Override
    public synchronized Optional<Versioned> read(String name) throws IOException {
      if (failReads) {
        throw new IOException("no luck with reading " + name);
      }
      return Optional.ofNullable(values.get(name));
    }

    @Override
    public synchronized boolean replace(String name, ByteBuffer value, long expectedVersion)
        throws IOException {
      if (full) {
        throw new DiskFullException("no room");
      }
      Optional<Fault> now = fault;
      fault = Optional.empty();
      if (now.equals(Optional.of(Fault.BEFORE))) {
        throw new IOException("no luck");
      }
      long version = Optional.ofNullable(values.get(name)).map(Versioned::version).orElse(0L);
      if (version != expectedVersion || now.equals(Optional.of(Fault.LOST_RACE))) {
        return false;
      }
      ByteBuffer copy = ByteBuffer.allocate(value.remaining()).put(value.duplicate()).flip();
      put(name, copy, version + 1);
      replacements++;
      if (now.equals(Optional.of(Fault.AFTER))) {
        throw new IOException("no luck with the directory");
      }
      return true;
    }

    public synchronized void put(String name, ByteBuffer value, long version) {
      values.put(name, new Versioned(value.asReadOnlyBuffer(), version));
    }

    public synchronized void lose(String name) {
      values.remove(name);
    }

    @Override
    public String place(String name) {
      return "/data/" + name;
    }
  }

  /** Counts offsets; everything written is durable when it is flushed. */
  public final class FakeStore implements PartitionStore {
    private final PartitionId id;
    private Optional<Listener> listener = Optional.empty();

    public volatile StoreSettings settings;
    public volatile boolean failClose;

    /** What looking for any time finds, or how it fails. */
    public volatile TimeLookup found = TimeLookup.NONE;

    public volatile Optional<IOException> failLookup = Optional.empty();

    /** How often a time was looked for. */
    public final AtomicInteger lookups = new AtomicInteger();

    public volatile List<DamagedRange> damage = List.of();
    private volatile Snapshot snapshot;

    FakeStore(PartitionId id, StoreSettings settings) {
      this.id = id;
      this.settings = settings;
      long end = written.getOrDefault(id, 0L);
      this.snapshot = new Snapshot(1, 0, end, end, Long.MIN_VALUE, "");
    }

    @Override
    public Snapshot snapshot() {
      return snapshot;
    }

    /** Nothing can be appended any more, and nobody is told. */
    public void goOffline(String reason) {
      Snapshot was = snapshot;
      snapshot =
          new Snapshot(1, was.start(), was.durable(), was.end(), was.lastAppendTime(), reason);
    }

    @Override
    public boolean appendMayBlock(int bytes) {
      return false;
    }

    @Override
    public void append(List<StampedBatch> batches) throws IOException {
      if (open.get(id) != this) {
        throw new StoreOfflineException("closed");
      }
      if (full) {
        throw new NoRoomException("the disk is full", new DiskFullException("no room"));
      }
      StampedBatch last = batches.getLast();
      Snapshot was = snapshot;
      snapshot =
          new Snapshot(1, was.start(), was.durable(), last.nextOffset(), last.appendTime(), "");
      written.put(id, last.nextOffset());
    }

    @Override
    public void flush() {
      Snapshot was = snapshot;
      snapshot = new Snapshot(1, was.start(), was.end(), was.end(), was.lastAppendTime(), "");
      listener.ifPresent(told -> told.onDurable(was.end()));
    }

    @Override
    public ReadResult read(long offset, int maxBytes, boolean atLeastOne, long limitOffset) {
      return new ReadResult.Entries(Bytes.EMPTY, offset);
    }

    @Override
    public boolean readMayBlock(long offset, int maxBytes) {
      return false;
    }

    @Override
    public TimeLookup offsetForTime(long timestamp, long limitOffset) throws IOException {
      lookups.incrementAndGet();
      if (failLookup.isPresent()) {
        throw failLookup.get();
      }
      return found;
    }

    @Override
    public TimeLookup latestTimestamp(long limitOffset) {
      return TimeLookup.NONE;
    }

    @Override
    public List<DamagedRange> damage() {
      return damage;
    }

    @Override
    public void trimTo(long offset) throws IOException {
      Snapshot was = snapshot;
      if (offset > was.durable()) {
        throw new IOException("only %d is durable".formatted(was.durable()));
      }
      long start = Math.max(was.start(), offset);
      snapshot = new Snapshot(1, start, was.durable(), was.end(), was.lastAppendTime(), "");
      listener.ifPresent(told -> told.onStart(start));
    }

    @Override
    public Pressure pressure() {
      return Pressure.NONE;
    }

    @Override
    public void configure(StoreSettings settings) {
      this.settings = settings;
    }

    @Override
    public void listen(Listener listener) {
      this.listener = Optional.of(listener);
    }

    @Override
    public void close() throws IOException {
      flush();
      open.remove(id, this);
      if (failClose) {
        throw new IOException("no luck with closing " + id);
      }
    }
  }
}
