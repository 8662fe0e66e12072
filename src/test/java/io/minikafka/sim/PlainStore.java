package io.minikafka.sim;

import io.minikafka.PartitionId;
import io.minikafka.Pressure;
import io.minikafka.codec.Bytes;
import io.minikafka.partition.AppendTimeLookup;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.NoRoomException;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.StampedBatch;
import io.minikafka.partition.StoreOfflineException;
import io.minikafka.partition.StoreSettings;
import io.minikafka.partition.TimeLookup;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import io.minikafka.storage.AtomicFile;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.DiskFullException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One partition in one file; see {@link PlainStores}. Recovered when made; ended by close. */
final class PlainStore implements PartitionStore {
  private static final int STATE_BYTES = 12;
  private static final long INTERVAL_NANOS_PER_MS = 1_000_000;

  private final PlainStores stores;
  private final PartitionId id;
  private final Path directory;
  private final List<EntryPlace> places = new ArrayList<>();
  private StoreSettings settings;
  private @Nullable DiskFile file;
  private @Nullable Listener listener;
  private Snapshot snapshot = new Snapshot(1, 0, 0, 0, Long.MIN_VALUE, "");
  private int size;
  private boolean flushing;
  private boolean closed;

  private PlainStore(PlainStores stores, PartitionId id, Path directory, StoreSettings settings) {
    this.stores = stores;
    this.id = id;
    this.directory = directory;
    this.settings = settings;
  }

  static PlainStore recover(
      PlainStores stores, PartitionId id, Path directory, StoreSettings settings)
      throws IOException {
    PlainStore store = new PlainStore(stores, id, directory, settings);
    Optional<ByteBuffer> state = AtomicFile.read(stores.disk, directory.resolve("state"));
    if (state.isPresent()) {
      store.recover(state.get().getInt(0), state.get().getLong(4));
    }
    stores.fence.take(id, store.snapshot.epoch());
    return store;
  }

  private void recover(int lastEpoch, long start) throws IOException {
    ByteBuffer in = stores.content(directory.resolve("log")).orElseThrow();
    long end = 0;
    long appendTime = Long.MIN_VALUE;
    while (isBatch(in, size, end)) {
      BatchMarker marker = BatchMarker.read(in, size);
      add(in, size, BatchMarker.BYTES + marker.bytes(), size);
      size += BatchMarker.BYTES + marker.bytes();
      end += marker.span();
      appendTime = marker.appendTime();
    }
    file = stores.disk.open(directory.resolve("log"), Disk.Mode.WRITE);
    file.truncate(size);
    // Written again: after a failed force the disk may not hold what a read shows.
    file.write(in.slice(0, size), 0);
    file.force();
    // A start above the end: what lies between was trimmed and need not have survived.
    snapshot = new Snapshot(lastEpoch + 1, Math.min(start, end), end, end, appendTime, "");
    writeState(snapshot.start());
  }

  private static boolean isBatch(ByteBuffer in, int at, long offset) {
    if (BatchMarker.check(in, at, in.limit()) != BatchMarker.Check.GOOD) {
      return false;
    }
    BatchMarker marker = BatchMarker.read(in, at);
    int limit = at + BatchMarker.BYTES + marker.bytes();
    if (marker.baseOffset() != offset || marker.offset() != offset || limit > in.limit()) {
      return false;
    }
    for (int i = at + BatchMarker.BYTES; i < limit; i += Entry.bytes(in, i)) {
      if (Entry.problem(in, i, limit) != Entry.Problem.NONE
          || !Entry.checksumHolds(in, i)
          || Entry.offset(in, i) != offset++) {
        return false;
      }
    }
    return true;
  }

  private void writeState(long start) throws IOException {
    ByteBuffer state = ByteBuffer.allocate(STATE_BYTES);
    state.putInt(snapshot.epoch()).putLong(start).flip();
    AtomicFile.replace(stores.disk, directory.resolve("state"), state);
  }

  private void add(ByteBuffer in, int from, int bytes, int position) {
    long appendTime = BatchMarker.read(in, from).appendTime();
    for (int at = from; at < from + bytes; at += Entry.bytes(in, at)) {
      places.add(
          new EntryPlace(
              Entry.offset(in, at),
              Entry.span(in, at),
              position + at - from,
              Entry.bytes(in, at),
              Entry.timestamp(in, at),
              appendTime));
    }
  }

  @Override
  public Snapshot snapshot() {
    return snapshot;
  }

  @Override
  public boolean appendMayBlock(int bytes) {
    return file == null;
  }

  @Override
  public void append(List<StampedBatch> batches) throws IOException {
    checkOnline();
    int before = size;
    try {
      DiskFile out = fileForWriting();
      for (StampedBatch batch : batches) {
        out.write(batch.buffer().slice(batch.markerAt(), batch.bytes()), size);
        size += batch.bytes();
      }
    } catch (IOException e) {
      size = before;
      cutBack();
      throw e instanceof DiskFullException
          ? new NoRoomException(String.valueOf(e.getMessage()), e)
          : e;
    }
    int at = before;
    for (StampedBatch batch : batches) {
      add(batch.buffer(), batch.markerAt(), batch.bytes(), at);
      at += batch.bytes();
    }
    StampedBatch last = batches.getLast();
    snapshot =
        new Snapshot(
            snapshot.epoch(),
            snapshot.start(),
            snapshot.durable(),
            last.nextOffset(),
            last.appendTime(),
            "");
    if (settings.flushPolicy() == FlushPolicy.INTERVAL) {
      stores.timers.after(settings.flushIntervalMs() * INTERVAL_NANOS_PER_MS, this::flush);
    }
  }

  private DiskFile fileForWriting() throws IOException {
    if (file == null) {
      stores.disk.createDirectories(directory);
      Path log = directory.resolve("log");
      stores.disk.delete(log);
      DiskFile created = stores.disk.open(log, Disk.Mode.CREATE);
      try {
        // The parents too: a killed process may have made them without forcing them.
        stores.disk.forceDirectory(stores.directory);
        stores.disk.forceDirectory(stores.topicDirectory(id));
        stores.disk.forceDirectory(directory);
        writeState(snapshot.start());
        file = created;
      } finally {
        if (file == null) {
          created.close();
        }
      }
      return created;
    }
    return file;
  }

  private void cutBack() {
    try {
      if (file != null) {
        file.truncate(size);
        // Or a power loss could bring back what is refused now.
        file.force();
      }
    } catch (IOException e) {
      goOffline("a failed append could not be undone: " + e.getMessage());
    }
  }

  private void checkOnline() throws StoreOfflineException {
    if (!snapshot.isOffline() && stores.fence.keepsOut(id, snapshot.epoch())) {
      goOffline("fenced: another owner has taken " + id);
    }
    if (closed || snapshot.isOffline()) {
      throw new StoreOfflineException(closed ? "closed" : snapshot.offline());
    }
  }

  private void goOffline(String reason) {
    snapshot =
        new Snapshot(
            snapshot.epoch(),
            snapshot.start(),
            snapshot.durable(),
            snapshot.end(),
            snapshot.lastAppendTime(),
            reason);
    if (listener != null) {
      listener.onOffline(reason);
    }
  }

  @Override
  public void flush() {
    if (!flushing) {
      flushing = true;
      if (stores.delayNanos == 0) {
        stores.forcer.execute(this::force);
      } else {
        stores.timers.after(stores.delayNanos, () -> stores.forcer.execute(this::force));
      }
    }
  }

  private void force() {
    flushing = false;
    if (closed || snapshot.isOffline()) {
      return;
    }
    long end = snapshot.end();
    try {
      checkOnline();
      if (file != null) {
        file.force();
      }
    } catch (StoreOfflineException e) {
      return;
    } catch (IOException e) {
      goOffline("a force failed: " + e.getMessage());
      return;
    }
    raiseDurable(end);
  }

  private void raiseDurable(long to) {
    if (to > snapshot.durable()) {
      snapshot =
          new Snapshot(
              snapshot.epoch(),
              snapshot.start(),
              to,
              snapshot.end(),
              snapshot.lastAppendTime(),
              "");
      if (listener != null) {
        listener.onDurable(to);
      }
    }
  }

  @Override
  public ReadResult read(long offset, int maxBytes, boolean atLeastOne, long limitOffset)
      throws IOException {
    if (offset < snapshot.start() || offset > limitOffset) {
      return new ReadResult.OutOfRange(snapshot.start(), limitOffset);
    }
    int first = 0;
    while (first < places.size() && places.get(first).next() <= offset) {
      first++;
    }
    if (first < places.size() && places.get(first).span() == 0) {
      first++;
    }
    if (first == places.size() || places.get(first).next() > limitOffset || file == null) {
      return new ReadResult.Entries(Bytes.EMPTY, offset);
    }
    boolean withMarker = places.get(first - 1).span() == 0;
    int from = withMarker ? places.get(first - 1).position() : places.get(first).position();
    int to = from;
    long next = offset;
    for (EntryPlace place : places.subList(first, places.size())) {
      int upTo = place.position() + place.bytes();
      boolean free = atLeastOne && place == places.get(first);
      if ((upTo - from > maxBytes && !free) || place.next() > limitOffset) {
        break;
      }
      if (place.span() > 0) {
        to = upTo;
        next = place.next();
      }
    }
    ByteBuffer bytes = ByteBuffer.allocate(to - from);
    file.read(bytes, from);
    return new ReadResult.Entries(Bytes.of(bytes.flip()), next);
  }

  @Override
  public boolean readMayBlock(long offset, int maxBytes) {
    return false;
  }

  @Override
  public TimeLookup offsetForTime(long timestamp, long limitOffset) {
    for (EntryPlace place : places) {
      if (place.isRecordIn(snapshot.start(), limitOffset) && place.timestamp() >= timestamp) {
        return new TimeLookup(place.offset(), place.timestamp());
      }
    }
    return TimeLookup.NONE;
  }

  @Override
  public TimeLookup latestTimestamp(long limitOffset) {
    TimeLookup latest = TimeLookup.NONE;
    for (EntryPlace place : places) {
      if (place.isRecordIn(snapshot.start(), limitOffset)
          && (latest.offset() < 0 || place.timestamp() > latest.timestamp())) {
        latest = new TimeLookup(place.offset(), place.timestamp());
      }
    }
    return latest;
  }

  @Override
  public AppendTimeLookup appendTime(long offset, long limitOffset) {
    for (EntryPlace place : places) {
      if (place.isRecordIn(snapshot.start(), limitOffset) && place.offset() >= offset) {
        return place.appended();
      }
    }
    return new AppendTimeLookup.None();
  }

  @Override
  public void trimTo(long offset) throws IOException {
    if (offset > snapshot.durable()) {
      throw new IllegalArgumentException("beyond what is durable");
    }
    if (offset > snapshot.start()) {
      writeState(offset);
      Snapshot before = snapshot;
      snapshot =
          new Snapshot(
              before.epoch(),
              offset,
              before.durable(),
              before.end(),
              before.lastAppendTime(),
              before.offline());
      if (listener != null) {
        listener.onStart(offset);
      }
    }
  }

  @Override
  public Pressure pressure() {
    return Pressure.NONE;
  }

  @Override
  public void configure(StoreSettings changed) {
    settings = changed;
  }

  @Override
  public void listen(Listener progress) {
    listener = progress;
  }

  @Override
  public void close() throws IOException {
    if (!closed) {
      force();
      closed = true;
      stores.closed(id);
      if (file != null) {
        file.close();
      }
    }
  }
}
