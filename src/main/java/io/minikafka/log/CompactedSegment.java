package io.minikafka.log;

import io.minikafka.record.BatchMarker;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.DiskFullException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The file that compaction writes, with its indexes. As long as nothing was left out it is only
 * counted, byte for byte as the segment it comes from; {@link #open} then copies that front.
 *
 * <p><b>Room.</b> The last free bytes of the disk are for appends: beyond them writing fails like
 * on a full disk. One thread; whoever made it closes or gives away the file.
 */
final class CompactedSegment {
  private static final int BUFFER_BYTES = 1 << 20;

  /** Left to appends, checkpoints and retention. */
  static final int LEAST_FREE_BYTES = 1 << 20;

  private final Disk disk;
  private final Path directory;
  private final SegmentIndexes indexes;
  private final ByteBuffer buffer =
      ByteBuffer.allocateDirect(BUFFER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final ByteBuffer small =
      ByteBuffer.allocate(BatchMarker.BYTES).order(ByteOrder.LITTLE_ENDIAN);

  private @Nullable DiskFile out;

  /** Where the next entry goes. */
  private int position;

  /** Bytes in the file; what lies between them and {@link #position} is buffered. */
  private int written;

  CompactedSegment(Disk disk, Path directory, long baseOffset, int indexIntervalBytes) {
    this.disk = disk;
    this.directory = directory;
    this.indexes = new SegmentIndexes(baseOffset, indexIntervalBytes);
  }

  boolean isOpen() {
    return out != null;
  }

  int position() {
    return position;
  }

  SegmentIndexes indexes() {
    return indexes;
  }

  /**
   * From here on it is written.
   *
   * @param file empty
   * @param from what it equals up to {@link #position}
   */
  void open(DiskFile file, DiskFile from) throws IOException {
    out = file;
    int to = position;
    position = 0;
    while (position < to) {
      flush();
      buffer.limit(Math.min(BUFFER_BYTES, to - position));
      int read = from.read(buffer, position);
      if (read == 0) {
        throw new IOException("%s ends at %d, not at %d".formatted(from, position, to));
      }
      buffer.limit(BUFFER_BYTES);
      position += read;
    }
  }

  /** A batch begins; its marker is written as it is given. */
  void marker(BatchMarker marker) throws IOException {
    indexes.addMarker(marker.baseOffset(), position, marker.maxTimestamp(), marker.appendTime());
    marker.write(small, 0);
    put(small, 0, BatchMarker.BYTES);
  }

  /** An entry other than a marker, copied as it is. */
  void entry(ByteBuffer in, int at, int bytes, long offset) throws IOException {
    indexes.addEntry(offset, position);
    put(in, at, bytes);
  }

  void gap(long offset, int span) throws IOException {
    GapEntry.write(small, 0, offset, span);
    putGap(offset);
  }

  /** A gap that a repair left. */
  void lostGap(long offset, int span) throws IOException {
    GapEntry.writeLost(small, 0, offset, span);
    putGap(offset);
  }

  private void putGap(long offset) throws IOException {
    indexes.addEntry(offset, position);
    put(small, 0, GapEntry.BYTES);
  }

  private void put(ByteBuffer in, int at, int bytes) throws IOException {
    position += bytes;
    if (out == null) {
      return;
    }
    for (int done = 0; done < bytes; ) {
      if (!buffer.hasRemaining()) {
        flush();
      }
      int part = Math.min(bytes - done, buffer.remaining());
      buffer.put(buffer.position(), in, at + done, part);
      buffer.position(buffer.position() + part);
      done += part;
    }
  }

  /** Writes what is buffered; the file then holds all up to {@link #position}. */
  void flush() throws IOException {
    DiskFile file = out;
    int bytes = buffer.position();
    if (file == null || bytes == 0) {
      return;
    }
    long free = disk.usableBytes(directory);
    if (free - bytes < LEAST_FREE_BYTES) {
      throw new DiskFullException(
          "%s: %d bytes are free, compaction leaves %d of them to appends"
              .formatted(directory, free, LEAST_FREE_BYTES));
    }
    file.write(buffer.flip(), written);
    written += bytes;
    buffer.clear();
  }
}
