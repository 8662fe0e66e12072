package io.minikafka.coordinator;

import io.minikafka.HeldOffsets;
import io.minikafka.codec.Blob;
import io.minikafka.codec.Bytes;
import io.minikafka.codec.MalformedException;
import io.minikafka.partition.Partition;
import io.minikafka.partition.ReadResult;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.CorruptEntryException;
import io.minikafka.record.RecordReader;
import io.minikafka.record.RecordView;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads the offsets log from its start to its high watermark. Damaged ranges are passed over and
 * named; anything else that cannot be read ends it. So do bytes that are not what was written and
 * that the log does not know as damaged, unless they were looked for before: then the rest of their
 * batch is passed over. Blocks; one thread; used once.
 */
final class Replay {
  private static final int READ_BYTES = 1 << 20;

  private final Partition partition;
  private final Sink sink;
  private final boolean afterCheck;
  private final List<Damage> damage = new ArrayList<>();

  private ByteBuffer buffer = allocate(READ_BYTES);

  /** Whether the entries that are read next may skip offsets. */
  private boolean insideCompacted = true;

  private long records;
  private long bytes;
  private long lastTimestamp;

  /** Takes the records. */
  interface Sink {
    /**
     * @param value empty for a tombstone
     * @throws MalformedException if this build does not know what it says
     */
    void replay(Bytes key, Optional<Bytes> value);

    /** A range of offsets is missing: what the log said there is not known. */
    void missing(Damage damage);
  }

  /**
   * A range of offsets that is damaged.
   *
   * @param from the first damaged offset
   * @param to the first good one behind it
   * @param sinceMs time of the last record before it, 0 if there is none: nothing that was written
   *     earlier is missing
   */
  record Damage(long from, long to, long sinceMs) {}

  /** What was read. */
  record Result(long records, long bytes, List<Damage> damage) {}

  /** The log holds bytes that are not what was written, as it seems. */
  static final class CorruptException extends IOException {
    private static final long serialVersionUID = 1;

    CorruptException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  private Replay(Partition partition, Sink sink, boolean afterCheck) {
    this.partition = partition;
    this.sink = sink;
    this.afterCheck = afterCheck;
  }

  /**
   * @param afterCheck whether all damage that a check of the log finds is known to it
   * @throws CorruptException if a check may help
   * @throws IOException if the log cannot be read on; the message is for the operator
   */
  static Result of(Partition partition, Sink sink, boolean afterCheck) throws IOException {
    return new Replay(partition, sink, afterCheck).run();
  }

  private Result run() throws IOException {
    long end = partition.highWatermark();
    long next = partition.snapshot().start();
    while (next < end) {
      switch (readAt(next)) {
        case ReadResult.Entries(Blob blob, long behind) -> {
          if (behind <= next) {
            blob.release();
            throw new IOException("the offsets log gives nothing at offset %d".formatted(next));
          }
          next = read(blob, next, behind);
        }
        case ReadResult.Damaged(long from, long to) -> {
          pass(from, to);
          next = to;
        }
        case ReadResult.OutOfRange(long start, long limit) ->
            throw new IOException(
                "the offsets log does not have offset %d, it has %s"
                    .formatted(next, HeldOffsets.inWords(start, limit)));
        case ReadResult.Offline(String reason) ->
            throw new IOException("the offsets log is offline: " + reason);
      }
    }
    return new Result(records, bytes, List.copyOf(damage));
  }

  private ReadResult readAt(long offset) throws IOException {
    try {
      return partition.read(offset, READ_BYTES, true);
    } catch (IOException e) {
      throw new CorruptException("the offsets log cannot be read: " + e.getMessage(), e);
    }
  }

  private void pass(long from, long to) {
    Damage missing = new Damage(from, to, lastTimestamp);
    damage.add(missing);
    sink.missing(missing);
    insideCompacted = true;
  }

  /**
   * @return where to read on
   */
  private long read(Blob blob, long from, long behind) throws IOException {
    try {
      if (buffer.capacity() < blob.length()) {
        buffer = allocate(blob.length());
      }
      blob.copyTo(buffer.clear());
      bytes += blob.length();
    } finally {
      blob.release();
    }
    RecordReader reader = new RecordReader(buffer.flip(), from, insideCompacted);
    int checkedMarker = -1;
    try {
      while (true) {
        RecordView record = reader.next();
        if (reader.markerAt() != checkedMarker) {
          checkedMarker = reader.markerAt();
          checkMarker(checkedMarker);
        }
        if (record == null) {
          break;
        }
        take(record);
      }
    } catch (CorruptEntryException e) {
      long good = behindBatch(checkedMarker, e.offset());
      if (good < 0 || !afterCheck) {
        throw new CorruptException("the offsets log cannot be read: " + e.getMessage(), e);
      }
      pass(e.offset(), good);
      return good;
    }
    insideCompacted = reader.insideCompacted();
    return behind;
  }

  /**
   * Where the batch that holds a corrupt entry ends, as its marker says, which is whole; −1 if the
   * marker is not of that batch.
   */
  private long behindBatch(int markerAt, long offset) {
    if (markerAt < 0) {
      return -1;
    }
    long base = buffer.getLong(markerAt + BatchMarker.BASE_OFFSET);
    long end = base + Integer.toUnsignedLong(buffer.getInt(markerAt + BatchMarker.SPAN));
    return offset >= base && offset < end ? end : -1;
  }

  private void take(RecordView record) throws IOException {
    Optional<Bytes> key = record.key();
    if (key.isEmpty()) {
      throw new IOException(
          "the offsets log holds a record without a key at offset " + record.offset());
    }
    try {
      sink.replay(key.get(), record.value());
    } catch (MalformedException e) {
      throw new IOException(
          ("the offsets log holds a record at offset %d that this build cannot read (%s); a newer"
                  + " one wrote it. Nothing was changed")
              .formatted(record.offset(), e.getMessage()),
          e);
    }
    records++;
    lastTimestamp = record.timestamp();
  }

  /** A marker says which partition it was written to. */
  private void checkMarker(int at) throws IOException {
    if (buffer.getLong(at + BatchMarker.PARTITION_HASH) != partition.hash()) {
      throw new IOException(
          "the batch at offset %d of the offsets log belongs to another partition"
              .formatted(buffer.getLong(at + BatchMarker.BASE_OFFSET)));
    }
  }

  private static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
