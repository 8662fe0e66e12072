package io.minikafka.log;

import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.PartitionId;
import io.minikafka.codec.Blob;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.StampedBatch;
import io.minikafka.partition.StoreSettings;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import io.minikafka.record.PartitionHash;
import io.minikafka.record.RecordReader;
import io.minikafka.record.RecordView;
import io.minikafka.storage.Disk;
import io.minikafka.storage.LocalDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * A data directory, on a real disk if none is given, with clock, timers and executors moved by
 * hand.
 */
final class LogBench implements AutoCloseable {
  static final PartitionId ID = new PartitionId(new UUID(7, 8), 0);
  static final int MIB = 1 << 20;

  final Path data;
  final WatchedDisk disk;
  final HandTimers timers = new HandTimers();
  final HandExecutor worker = new HandExecutor();
  final HandExecutor forcers = new HandExecutor();
  final List<String> fatal = new ArrayList<>();
  EngineObserver observer = EngineObserver.NONE;
  DirectorySettings settings = directorySettings();
  long millis = 1_000_000;

  /** Whose marks batches carry. */
  PartitionId writeAs = ID;

  LogDirectory directory;

  LogBench(Path data) throws IOException {
    this(data, new LocalDisk());
  }

  LogBench(Path data, Disk below) throws IOException {
    this.data = data;
    this.disk = new WatchedDisk(below);
    this.directory = openDirectory();
  }

  static DirectorySettings directorySettings() {
    return directorySettings(256L * MIB, 64L * MIB);
  }

  static DirectorySettings directorySettings(long unflushedBytes, long hotBytes) {
    return new DirectorySettings(
        unflushedBytes,
        4,
        30_000,
        30_000,
        1000,
        16,
        16L * MIB,
        hotBytes,
        1000,
        100,
        16L * MIB,
        MIB,
        0);
  }

  static StoreSettings storeSettings() {
    return new StoreSettings(MIB, Long.MAX_VALUE, 4096, -1, -1, FlushPolicy.COMMIT, 1000);
  }

  /** Small segments, so that rolls come soon. */
  static StoreSettings segments(int segmentBytes) {
    StoreSettings d = storeSettings();
    return new StoreSettings(
        segmentBytes,
        d.segmentMs(),
        d.indexIntervalBytes(),
        d.retentionBytes(),
        d.retentionMs(),
        d.flushPolicy(),
        d.flushIntervalMs());
  }

  static StoreSettings retention(int segmentBytes, long retentionBytes, long retentionMs) {
    StoreSettings d = segments(segmentBytes);
    return new StoreSettings(
        segmentBytes,
        d.segmentMs(),
        d.indexIntervalBytes(),
        retentionBytes,
        retentionMs,
        d.flushPolicy(),
        d.flushIntervalMs());
  }

  static StoreSettings flush(FlushPolicy policy, long intervalMs) {
    StoreSettings d = storeSettings();
    return new StoreSettings(
        d.segmentBytes(),
        d.segmentMs(),
        d.indexIntervalBytes(),
        d.retentionBytes(),
        d.retentionMs(),
        policy,
        intervalMs);
  }

  static StoreSettings segmentMs(long segmentMs, long retentionMs) {
    StoreSettings d = storeSettings();
    return new StoreSettings(
        d.segmentBytes(),
        segmentMs,
        d.indexIntervalBytes(),
        d.retentionBytes(),
        retentionMs,
        d.flushPolicy(),
        d.flushIntervalMs());
  }

  LogDirectory openDirectory() throws IOException {
    return LogDirectory.open(
        data,
        settings,
        new LogDirectory.Surroundings(
            disk,
            () -> Instant.ofEpochMilli(millis),
            timers,
            worker,
            forcers,
            observer,
            fatal::add));
  }

  PartitionStore open(StoreSettings storeSettings) throws IOException {
    return directory.open(ID, storeSettings);
  }

  PartitionStore open() throws IOException {
    return open(storeSettings());
  }

  /** Closes the store and the directory and opens the directory again. */
  void restart(PartitionStore store) throws IOException {
    store.close();
    directory.close();
    directory = openDirectory();
  }

  Path partition() {
    return LogFiles.partition(data, ID);
  }

  Path logFile(long base) {
    return LogFiles.log(partition(), base);
  }

  /** Base offsets of the segments on disk, oldest first. */
  List<Long> bases() throws IOException {
    return disk.list(partition()).stream()
        .map(name -> LogFiles.baseOffset(name, LogFiles.LOG))
        .filter(OptionalLong::isPresent)
        .map(OptionalLong::getAsLong)
        .toList();
  }

  /** Bytes of all segments on disk. */
  long bytesOnDisk() throws IOException {
    long bytes = 0;
    for (long base : bases()) {
      bytes += disk.size(logFile(base));
    }
    return bytes;
  }

  /** Time passes on both clocks; what is due runs. */
  void advanceMs(long ms) {
    millis += ms;
    timers.advanceMs(ms);
  }

  /** A batch of records of so many bytes each that follows the end of the log. */
  StampedBatch batch(PartitionStore store, long baseOffset, int records, int valueBytes) {
    String[] values = new String[records];
    for (int i = 0; i < records; i++) {
      values[i] = text(baseOffset + i, valueBytes);
    }
    return batch(store, baseOffset, values);
  }

  /** The value of a record that knows its offset. */
  static String text(long offset, int bytes) {
    String number = Long.toString(offset) + ";";
    return number.repeat(bytes / number.length() + 1).substring(0, bytes);
  }

  StampedBatch batch(PartitionStore store, long baseOffset, String... values) {
    BatchBuilder builder = new BatchBuilder(64);
    for (String value : values) {
      builder.append(millis, null, value.getBytes(StandardCharsets.UTF_8), List.of());
    }
    return stamped(store, baseOffset, builder);
  }

  StampedBatch stamped(PartitionStore store, long baseOffset, BatchBuilder builder) {
    ByteBuffer version1 = builder.version1();
    ByteBuffer buffer = ByteBuffer.allocate(version1.remaining()).order(ByteOrder.LITTLE_ENDIAN);
    buffer.put(version1).flip();
    BatchMarker produced = BatchMarker.read(buffer, 0);
    long offset = baseOffset;
    for (int at = BatchMarker.BYTES; at < buffer.limit(); at += Entry.bytes(buffer, at)) {
      buffer.putLong(at, offset++);
    }
    PartitionStore.Snapshot now = store.snapshot();
    long appendTime = Math.max(millis, now.lastAppendTime());
    BatchMarker.stamp(
        buffer, 0, baseOffset, now.epoch(), appendTime, now.durable(), PartitionHash.of(writeAs));
    return new StampedBatch(
        buffer,
        0,
        buffer.limit(),
        baseOffset,
        produced.span(),
        produced.maxTimestamp(),
        appendTime);
  }

  /** Appends one batch of so many records of so many bytes each. */
  void append(PartitionStore store, int records, int valueBytes) throws IOException {
    store.append(List.of(batch(store, store.snapshot().end(), records, valueBytes)));
  }

  void append(PartitionStore store, String... values) throws IOException {
    store.append(List.of(batch(store, store.snapshot().end(), values)));
  }

  /** One answer's entries, as they would arrive. */
  static ByteBuffer bytes(ReadResult result) throws IOException {
    Blob blob = ((ReadResult.Entries) result).blob();
    ByteBuffer copy = ByteBuffer.allocate(blob.length()).order(ByteOrder.LITTLE_ENDIAN);
    blob.copyTo(copy);
    blob.release();
    return copy.flip();
  }

  /** Values of all records from an offset to the end, read in answers of so many bytes. */
  static List<String> readAll(PartitionStore store, long from, int maxBytes) throws IOException {
    List<String> values = new ArrayList<>();
    long next = from;
    long end = store.snapshot().end();
    while (next < end) {
      ReadResult.Entries entries = (ReadResult.Entries) store.read(next, maxBytes, true, end);
      long after = entries.nextOffset();
      RecordReader reader = new RecordReader(bytes(entries), next);
      for (RecordView view = reader.next(); view != null; view = reader.next()) {
        if (view.offset() != next) {
          throw new AssertionError("offset %d where %d is due".formatted(view.offset(), next));
        }
        values.add(new String(view.value().orElseThrow().toArray(), StandardCharsets.UTF_8));
        next++;
      }
      if (next != after) {
        throw new AssertionError("the answer ends at %d, not %d".formatted(next, after));
      }
    }
    return values;
  }

  @Override
  public void close() throws IOException {
    directory.close();
  }
}
