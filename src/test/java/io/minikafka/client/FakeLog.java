package io.minikafka.client;

import io.minikafka.PartitionId;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import io.minikafka.record.PartitionHash;
import io.minikafka.record.RecordView;
import io.minikafka.record.V0Entries;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** One partition in memory: entries with offsets and markers, as a broker would serve them. */
final class FakeLog {
  static final int EPOCH = 7;

  private final PartitionId id;
  private final List<Stored> records = new ArrayList<>();
  private long logStart;

  /** A record, and its batch's marker if it is the first of one. */
  private record Stored(Optional<byte[]> marker, byte[] entry) {}

  FakeLog(PartitionId id) {
    this.id = id;
  }

  /** Appends a produced batch (a marker first or not) and returns its base offset. */
  synchronized long append(ByteBuffer batch) {
    ByteBuffer in = batch.order(ByteOrder.LITTLE_ENDIAN);
    long base = end();
    int at = in.position();
    Optional<byte[]> marker = Optional.empty();
    if (BatchMarker.isMarker(in, at)) {
      ByteBuffer stamped = copy(in, at, BatchMarker.BYTES);
      BatchMarker.stamp(stamped, 0, base, EPOCH, 1_000 + base, base, PartitionHash.of(id));
      marker = Optional.of(stamped.array());
      at += BatchMarker.BYTES;
    }
    while (at < in.limit()) {
      ByteBuffer entry = copy(in, at, Entry.bytes(in, at));
      entry.putLong(Entry.OFFSET, end());
      records.add(new Stored(marker, entry.array()));
      marker = Optional.empty();
      at += entry.capacity();
    }
    notifyAll();
    return base;
  }

  /** Records as they are on the wire, from {@code offset} on; at least one if there is one. */
  synchronized byte[] read(long offset, int maxBytes, boolean version1) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int i = (int) (offset - logStart); i < records.size(); i++) {
      Stored stored = records.get(i);
      byte[] entry = version1 ? stored.entry : version0(stored.entry);
      int markerBytes = version1 ? stored.marker.map(marker -> marker.length).orElse(0) : 0;
      if (out.size() > 0 && out.size() + markerBytes + entry.length > maxBytes) {
        break;
      }
      if (version1) {
        stored.marker.ifPresent(out::writeBytes);
      }
      out.writeBytes(entry);
    }
    return out.toByteArray();
  }

  /** Waits until there is a record at {@code offset}, at most so long. */
  synchronized void await(long offset, long maxWaitMs) throws InterruptedException {
    long deadlineNanos = System.nanoTime() + maxWaitMs * 1_000_000;
    long leftMs = maxWaitMs;
    while (end() <= offset && leftMs > 0) {
      wait(leftMs);
      leftMs = (deadlineNanos - System.nanoTime()) / 1_000_000;
    }
  }

  synchronized long start() {
    return logStart;
  }

  synchronized long end() {
    return logStart + records.size();
  }

  /** The first record that is not older, or −1. */
  synchronized long offsetForTime(long timestamp) {
    for (Stored stored : records) {
      ByteBuffer entry = ByteBuffer.wrap(stored.entry).order(ByteOrder.LITTLE_ENDIAN);
      if (Entry.timestamp(entry, 0) >= timestamp) {
        return Entry.offset(entry, 0);
      }
    }
    return -1;
  }

  /** Forgets records below {@code offset}, as retention does. */
  synchronized void trimTo(long offset) {
    while (logStart < offset) {
      records.removeFirst();
      logStart++;
    }
  }

  private static byte[] version0(byte[] entry) {
    RecordView view = new RecordView(ByteBuffer.wrap(entry).order(ByteOrder.LITTLE_ENDIAN), 0);
    ByteBuffer out =
        ByteBuffer.allocate(V0Entries.convertedBytes(view)).order(ByteOrder.LITTLE_ENDIAN);
    V0Entries.convert(view, out);
    return out.array();
  }

  private static ByteBuffer copy(ByteBuffer in, int at, int bytes) {
    byte[] copy = new byte[bytes];
    in.get(at, copy);
    return ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
  }
}
