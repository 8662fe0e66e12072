package io.minikafka.log;

import io.minikafka.PartitionId;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import io.minikafka.record.PartitionHash;
import io.minikafka.record.RecordReader;
import io.minikafka.record.RecordView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.UUID;

/**
 * A log written into real files batch by batch, as a broker would, that remembers what it wrote.
 * Fields that a test wants to be other than usual are set before the batch.
 */
final class WrittenLog {
  static final PartitionId ID =
      new PartitionId(UUID.fromString("6f1c2a30-0b51-4b2e-9d3c-5d7a1f20b4aa"), 3);

  /** One batch and where it went. */
  record Batch(
      long base, int span, long segment, int position, byte[] written, List<String> values) {
    int bytes() {
      return written.length;
    }

    long next() {
      return base + span;
    }

    int end() {
      return position + written.length;
    }
  }

  final Path directory;
  final List<Batch> batches = new ArrayList<>();
  final List<Long> segments = new ArrayList<>();

  PartitionId id = ID;
  int epoch = 1;
  long durable;
  long appendTime = 1_000;
  long end;

  WrittenLog(Path data) throws IOException {
    directory = Files.createDirectories(LogFiles.partition(data, ID));
    roll();
  }

  WrittenLog roll() throws IOException {
    segments.add(end);
    Files.createFile(file(end));
    return this;
  }

  Path file(long base) {
    return LogFiles.log(directory, base);
  }

  Path lastFile() {
    return file(segments.getLast());
  }

  /** Appends a batch of records with these values. */
  Batch append(String... values) throws IOException {
    BatchBuilder builder = new BatchBuilder(256);
    for (String value : values) {
      builder.append(appendTime, key(value), value.getBytes(StandardCharsets.UTF_8), List.of());
    }
    return append(builder, List.of(values));
  }

  Batch append(BatchBuilder builder, List<String> values) throws IOException {
    byte[] bytes = stamped(builder);
    int position = (int) Files.size(lastFile());
    Files.write(lastFile(), bytes, StandardOpenOption.APPEND);
    Batch batch = new Batch(end, builder.count(), segments.getLast(), position, bytes, values);
    batches.add(batch);
    end = batch.next();
    appendTime++;
    return batch;
  }

  /** A batch as it would be appended now. */
  byte[] stamped(BatchBuilder builder) {
    ByteBuffer batch = builder.version1();
    byte[] bytes = new byte[batch.remaining()];
    batch.get(bytes);
    ByteBuffer out = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    long offset = end;
    for (int at = BatchMarker.BYTES; at < bytes.length; at += Entry.bytes(out, at)) {
      out.putLong(at, offset++);
    }
    BatchMarker.stamp(out, 0, end, epoch, appendTime, Math.min(durable, end), PartitionHash.of(id));
    return bytes;
  }

  /** Batches of varied size; each value names its offset. */
  WrittenLog fill(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      int records = 1 + (batches.size() * 7 + 3) % 4;
      String[] values = new String[records];
      for (int r = 0; r < records; r++) {
        values[r] = "value of " + (end + r) + "-".repeat((int) (end * 5 + r) % 23);
      }
      append(values);
    }
    return this;
  }

  Batch batch(int ordinal) {
    return batches.get(ordinal < 0 ? batches.size() + ordinal : ordinal);
  }

  CheckpointEntry checkpoint(long durable) {
    return new CheckpointEntry(ID, epoch, 0, durable, 0, end, 0, 0);
  }

  /** What a clean shutdown now would write. */
  CheckpointEntry cleanCheckpoint() throws IOException {
    byte[] content = Files.readAllBytes(lastFile());
    Batch last = batch(-1);
    int crc =
        last.segment() == segments.getLast()
            ? Entry.crc(ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN), last.position())
            : 0;
    return new CheckpointEntry(ID, epoch, 0, end, end, end, content.length, crc);
  }

  /** The indexes a broker would have made of a segment, from what was written. */
  SegmentIndexes indexes(long segment) throws IOException {
    SegmentIndexes indexes = new SegmentIndexes(segment, RecoveryRig.INDEX_INTERVAL_BYTES);
    for (Batch batch : batches) {
      if (batch.segment == segment) {
        indexes.addBatch(
            ByteBuffer.wrap(batch.written).order(ByteOrder.LITTLE_ENDIAN),
            0,
            batch.bytes(),
            batch.position);
      }
    }
    return indexes;
  }

  /** Writes the index files of all segments, as a clean shutdown does. */
  WrittenLog writeIndexes() throws IOException {
    for (long segment : segments) {
      SegmentIndexes indexes = indexes(segment);
      indexes.finishTimes();
      Files.write(LogFiles.offsetIndex(directory, segment), indexes.offsets().encode().array());
      Files.write(LogFiles.timeIndex(directory, segment), indexes.times().encode().array());
    }
    return this;
  }

  /** Values by offset of the batches that satisfy what is asked. */
  TreeMap<Long, String> values(java.util.function.Predicate<Batch> which) {
    TreeMap<Long, String> all = new TreeMap<>();
    for (Batch batch : batches) {
      for (int i = 0; which.test(batch) && i < batch.span; i++) {
        all.put(batch.base + i, batch.values.get(i));
      }
    }
    return all;
  }

  /** Values by offset of all that the recovered log still serves, read from its files. */
  static TreeMap<Long, String> served(Path directory, RecoveredLog log) throws IOException {
    TreeMap<Long, String> all = new TreeMap<>();
    for (RecoveredLog.Sealed sealed : log.sealed()) {
      read(directory, sealed.baseOffset(), sealed.bytes(), log.damage(), all);
    }
    if (log.active().isPresent()) {
      RecoveredLog.Active active = log.active().get();
      read(directory, active.baseOffset(), active.bytes(), log.damage(), all);
    }
    return all;
  }

  private static void read(
      Path directory, long base, int bytes, DamageRanges damage, TreeMap<Long, String> into)
      throws IOException {
    byte[] content = Files.readAllBytes(LogFiles.log(directory, base));
    int at = 0;
    for (DamageRange range : damage.in(base)) {
      read(content, at, range.fromPosition(), into);
      at = range.toPosition();
    }
    read(content, at, bytes, into);
  }

  private static void read(byte[] content, int from, int to, TreeMap<Long, String> into) {
    ByteBuffer in =
        ByteBuffer.wrap(Arrays.copyOfRange(content, from, to)).order(ByteOrder.LITTLE_ENDIAN);
    RecordReader reader = new RecordReader(in, 0);
    for (RecordView view = reader.next(); view != null; view = reader.next()) {
      byte[] value = view.value().orElseThrow().toArray();
      into.put(view.offset(), new String(value, StandardCharsets.UTF_8));
    }
  }

  private static byte[] key(String value) {
    return ("k" + value.length()).getBytes(StandardCharsets.UTF_8);
  }
}
