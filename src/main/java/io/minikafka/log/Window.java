package io.minikafka.log;

import io.minikafka.record.Entry;
import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/**
 * A sliding view of a file for whoever walks it from front to back: bytes are read once, in large
 * pieces, into one buffer outside the heap that is reused from file to file.
 *
 * <p>One thread. The buffer is 1 MiB and grows, once, when a larger entry is asked for; it never
 * exceeds {@link #MOST_BYTES}.
 */
final class Window {
  /** The largest entry. */
  static final int MOST_BYTES = Entry.HEADER_BYTES + Entry.MAX_PAYLOAD_BYTES;

  private static final int FIRST_BYTES = 1 << 20;

  private ByteBuffer buffer;
  private @Nullable DiskFile file;
  private int size;

  /** Position in the file of the buffer's first byte. */
  private int start;

  /** Bytes of the file that lie in the buffer. */
  private int filled;

  /** Over nothing until {@link #open}. */
  Window() {
    this(FIRST_BYTES);
  }

  Window(int firstBytes) {
    this.buffer = allocate(firstBytes);
  }

  /**
   * Turns to a file; whoever opened it closes it.
   *
   * @param size how much of the file there is to see; not more than it holds
   */
  void open(DiskFile file, int size) {
    this.file = file;
    this.size = size;
    start = 0;
    filled = 0;
  }

  int size() {
    return size;
  }

  /** Little-endian; what {@link #index} promised lies in it until the next call of that. */
  ByteBuffer buffer() {
    return buffer;
  }

  /**
   * Sees to it that {@code bytes} bytes from {@code position} lie in the buffer.
   *
   * @param position 0 or more; with {@code bytes} within {@link #size}
   * @param bytes at most {@link #MOST_BYTES}
   * @return index in the buffer of the first
   */
  int index(int position, int bytes) throws IOException {
    int index = position - start;
    if (index < 0 || index + bytes > filled) {
      load(position, bytes);
      index = position - start;
    }
    return index;
  }

  /** How many bytes from {@code position} lie in the buffer already. */
  int loaded(int position) {
    int index = position - start;
    return index < 0 ? 0 : Math.max(0, filled - index);
  }

  private void load(int position, int bytes) throws IOException {
    DiskFile from = file;
    if (from == null || position < 0 || bytes > size - position || bytes > MOST_BYTES) {
      throw new IllegalArgumentException(
          "%d bytes at %d of %d bytes".formatted(bytes, position, size));
    }
    int kept = position >= start ? loaded(position) : 0;
    buffer.limit(filled).position(filled - kept);
    buffer = bytes <= buffer.capacity() ? buffer.compact() : allocate(MOST_BYTES).put(buffer);
    start = position;
    filled = kept;
    buffer.limit(Math.min(buffer.capacity(), size - position)).position(kept);
    int read = from.read(buffer, position + (long) kept);
    filled = kept + read;
    buffer.clear();
    if (filled < bytes) {
      filled = 0;
      throw new IOException(
          "%s ends at %d, it had %d bytes before".formatted(from, position + kept + read, size));
    }
  }

  private static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }
}
