package io.minikafka.broker;

import io.minikafka.Pressure;
import io.minikafka.codec.Blob;
import io.minikafka.codec.Bytes;
import io.minikafka.partition.DamagedRange;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.Repair;
import io.minikafka.partition.RepairAction;
import io.minikafka.partition.RepairResult;
import io.minikafka.partition.StampedBatch;
import io.minikafka.partition.StoreSettings;
import io.minikafka.partition.TimeLookup;
import io.minikafka.record.Entry;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.FileSlice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * One file without any index on disk, which gives out real slices and counts their leases; as
 * durable, cold, damaged and pressed as the test says. Any thread.
 */
public final class FileStore implements PartitionStore {
  private record At(long offset, int span, long position, int bytes, long timestamp) {
    long nextOffset() {
      return offset + span;
    }
  }

  private final FileOpener opener;
  private final AtomicInteger leases;

  // Guarded by this. The file comes with the first write.
  private @Nullable DiskFile file;
  private final List<At> entries = new ArrayList<>();
  private long size;

  private volatile Snapshot snapshot = new Snapshot(1, 0, 0, 0, Long.MIN_VALUE, "");
  private volatile @Nullable Listener listener;

  // Set by tests.
  public volatile boolean holdForces;
  public volatile boolean cold;
  public volatile Optional<IOException> readFailure = Optional.empty();
  public volatile Optional<RuntimeException> readBug = Optional.empty();
  public volatile Optional<IOException> appendFailure = Optional.empty();
  public volatile Optional<ReadResult> insteadOfReading = Optional.empty();
  public volatile Pressure pressure = Pressure.NONE;

  /** Batches of each append. */
  public final List<Integer> bursts = new ArrayList<>();

  public final AtomicInteger reads = new AtomicInteger();

  FileStore(FileOpener opener, AtomicInteger leases) {
    this.opener = opener;
    this.leases = leases;
  }

  /** Makes the store's file. */
  interface FileOpener {
    DiskFile open() throws IOException;
  }

  private synchronized DiskFile file() throws IOException {
    if (file == null) {
      file = opener.open();
    }
    return file;
  }

  @Override
  public Snapshot snapshot() {
    return snapshot;
  }

  @Override
  public boolean appendMayBlock(int bytes) {
    return false;
  }

  @Override
  public synchronized void append(List<StampedBatch> batches) throws IOException {
    if (appendFailure.isPresent()) {
      throw appendFailure.get();
    }
    bursts.add(batches.size());
    for (StampedBatch batch : batches) {
      write(batch.buffer(), batch.markerAt(), batch.bytes());
      publishEnd(batch.nextOffset(), batch.appendTime());
    }
  }

  /** Writes entries as they are, for instance a gap, and makes them durable. */
  public void appendRaw(ByteBuffer entries, long nextOffset) throws IOException {
    synchronized (this) {
      write(entries, entries.position(), entries.remaining());
      publishEnd(nextOffset, snapshot.lastAppendTime());
    }
    force();
  }

  private void write(ByteBuffer buffer, int from, int bytes) throws IOException {
    file().write(buffer.slice(from, bytes), size);
    ByteBuffer in = buffer.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    for (int at = from; at < from + bytes; at += Entry.bytes(in, at)) {
      entries.add(
          new At(
              Entry.offset(in, at),
              Entry.span(in, at),
              size + at - from,
              Entry.bytes(in, at),
              Entry.timestamp(in, at)));
    }
    size += bytes;
  }

  private void publishEnd(long end, long time) {
    Snapshot was = snapshot;
    snapshot = new Snapshot(was.epoch(), was.start(), was.durable(), end, time, was.offline());
  }

  @Override
  public void flush() {
    if (!holdForces) {
      force();
    }
  }

  public void force() {
    synchronized (this) {
      Snapshot was = snapshot;
      snapshot =
          new Snapshot(
              was.epoch(), was.start(), was.end(), was.end(), was.lastAppendTime(), was.offline());
    }
    if (listener != null) {
      listener.onDurable(snapshot.durable());
    }
  }

  /** Cuts at the offset, or says that it was skipped and changes nothing. */
  @Override
  public RepairResult repair(RepairAction action, long offset, boolean validateOnly) {
    boolean cuts = action == RepairAction.CUT;
    long end = cuts ? offset : snapshot.end();
    if (cuts && !validateOnly) {
      cutTo(end);
    }
    if (listener != null && !validateOnly) {
      listener.onRepaired(end);
    }
    DamagedRange damage = new DamagedRange(offset, offset + 1, 0, 0, 0, "harmed", 0);
    return new RepairResult.Done(
        new Repair(action, damage, offset, offset + 1, end, 0, List.of(), List.of(), List.of()));
  }

  private synchronized void cutTo(long end) {
    while (!entries.isEmpty() && entries.getLast().offset >= end) {
      size = entries.removeLast().position;
    }
    Snapshot was = snapshot;
    snapshot =
        new Snapshot(was.epoch() + 1, was.start(), end, end, was.lastAppendTime(), was.offline());
  }

  @Override
  public ReadResult read(long offset, int maxBytes, boolean atLeastOne, long limitOffset)
      throws IOException {
    reads.incrementAndGet();
    if (readFailure.isPresent()) {
      throw readFailure.get();
    }
    if (readBug.isPresent()) {
      throw readBug.get();
    }
    if (insteadOfReading.isPresent()) {
      return insteadOfReading.get();
    }
    Snapshot now = snapshot;
    if (offset < now.start() || offset > limitOffset) {
      return new ReadResult.OutOfRange(now.start(), limitOffset);
    }
    return slice(offset, maxBytes, atLeastOne, limitOffset);
  }

  private synchronized ReadResult slice(
      long offset, int maxBytes, boolean atLeastOne, long limitOffset) throws IOException {
    int first = 0;
    while (first < entries.size()
        && (entries.get(first).span == 0 || entries.get(first).nextOffset() <= offset)) {
      first++;
    }
    if (first == entries.size() || entries.get(first).offset >= limitOffset) {
      return new ReadResult.Entries(Bytes.EMPTY, offset);
    }
    if (first > 0 && entries.get(first - 1).span == 0) {
      first--;
    }
    long from = entries.get(first).position;
    long to = from;
    long next = offset;
    for (At entry : entries.subList(first, entries.size())) {
      long behind = entry.position + entry.bytes;
      boolean must = atLeastOne && to == from;
      if (entry.offset >= limitOffset || (behind - from > maxBytes && !must)) {
        break;
      }
      if (entry.span > 0) {
        to = behind;
        next = entry.nextOffset();
      }
    }
    if (to == from) {
      return new ReadResult.Entries(Bytes.EMPTY, offset);
    }
    return new ReadResult.Entries(lease(from, (int) (to - from)), next);
  }

  private Blob lease(long position, int length) throws IOException {
    leases.incrementAndGet();
    return new FileSlice(file(), position, length, leases::decrementAndGet);
  }

  @Override
  public boolean readMayBlock(long offset, int maxBytes) {
    return cold;
  }

  @Override
  public synchronized TimeLookup offsetForTime(long timestamp, long limitOffset) {
    return entries.stream()
        .filter(e -> e.span > 0 && e.offset < limitOffset && e.timestamp >= timestamp)
        .findFirst()
        .map(e -> new TimeLookup(e.offset, e.timestamp))
        .orElse(TimeLookup.NONE);
  }

  @Override
  public synchronized TimeLookup latestTimestamp(long limitOffset) {
    return entries.stream()
        .filter(e -> e.span > 0 && e.offset < limitOffset)
        .max((a, b) -> Long.compare(a.timestamp, b.timestamp))
        .map(e -> new TimeLookup(e.offset, e.timestamp))
        .orElse(TimeLookup.NONE);
  }

  @Override
  public void trimTo(long offset) {
    synchronized (this) {
      Snapshot was = snapshot;
      snapshot =
          new Snapshot(
              was.epoch(), offset, was.durable(), was.end(), was.lastAppendTime(), was.offline());
    }
    if (listener != null) {
      listener.onStart(offset);
    }
  }

  @Override
  public Pressure pressure() {
    return pressure;
  }

  @Override
  public void configure(StoreSettings settings) {}

  @Override
  public void listen(Listener listener) {
    this.listener = listener;
  }

  @Override
  public void close() throws IOException {
    force();
    synchronized (this) {
      if (file != null) {
        file.close();
      }
    }
  }
}
