package io.minikafka.cli;

import io.minikafka.record.Entry;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cuts a stream of bytes into lines at {@code \n}, whatever the bytes between are. One thread.
 *
 * <p>In raw mode a line keeps its {@code \n}, so the lines put together are the stream again, byte
 * for byte, also when the last one has none.
 */
final class LineSource {
  private final InputStream in;
  private final boolean raw;
  private final int maxLineBytes;
  private byte[] buffer = new byte[1 << 16];
  private int from;
  private int to;
  private long lines;

  /**
   * @param maxLineBytes a longer line is an error that names it
   */
  LineSource(InputStream in, boolean raw, int maxLineBytes) {
    this.in = in;
    this.raw = raw;
    this.maxLineBytes = maxLineBytes;
  }

  /** The next line, or null at the end. */
  byte @Nullable [] next() throws IOException {
    int scanned = from;
    while (true) {
      for (; scanned < to; scanned++) {
        if (buffer[scanned] == '\n') {
          byte[] line = line(raw ? scanned + 1 : scanned);
          from = scanned + 1;
          return line;
        }
      }
      if (to - from > maxLineBytes) {
        throw tooLong();
      }
      int consumed = from;
      makeRoom();
      scanned -= consumed - from;
      int read = in.read(buffer, to, buffer.length - to);
      if (read < 0) {
        if (from == to) {
          return null;
        }
        byte[] line = line(to);
        from = to;
        return line;
      }
      to += read;
    }
  }

  /** Lines given so far. */
  long lines() {
    return lines;
  }

  private byte[] line(int end) throws IOException {
    if (end - from > maxLineBytes) {
      throw tooLong();
    }
    lines++;
    return Arrays.copyOfRange(buffer, from, end);
  }

  private IOException tooLong() {
    return new IOException(
        "line %d is longer than %d bytes, the most that fits in a record of %d (16 MiB)"
            .formatted(lines + 1, maxLineBytes, Entry.MAX_PAYLOAD_BYTES));
  }

  /** Whether the next line is there without waiting for the stream. */
  boolean hasBuffered() {
    for (int i = from; i < to; i++) {
      if (buffer[i] == '\n') {
        return true;
      }
    }
    return false;
  }

  private void makeRoom() {
    if (from > 0) {
      System.arraycopy(buffer, from, buffer, 0, to - from);
      to -= from;
      from = 0;
    }
    if (to == buffer.length) {
      buffer = Arrays.copyOf(buffer, buffer.length * 2);
    }
  }
}
