package io.minikafka.cli;

import java.io.IOException;
import java.io.OutputStream;

/**
 * Standard output that knows how much of what was written has left the process, also when writing
 * fails in the middle: a reader that goes away leaves the last pieces unwritten. One thread.
 */
final class RecordOutput extends OutputStream {
  private static final int BUFFER_BYTES = 64 << 10;

  /** A pipe takes so much whole or not at all. */
  private static final int PIECE_BYTES = 4 << 10;

  private final OutputStream out;
  private final byte[] buffer = new byte[BUFFER_BYTES];
  private int filled;
  private long putBytes;
  private long goneBytes;

  /**
   * @param out without a buffer of its own
   */
  RecordOutput(OutputStream out) {
    this.out = out;
  }

  /** Everything ever written here. */
  long putBytes() {
    return putBytes;
  }

  /** The part of it that the system has taken. */
  long goneBytes() {
    return goneBytes;
  }

  @Override
  public void write(int b) throws IOException {
    if (filled == buffer.length) {
      empty();
    }
    buffer[filled++] = (byte) b;
    putBytes++;
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    int at = from;
    int left = length;
    while (left > 0) {
      if (filled == buffer.length) {
        empty();
      }
      int taken = Math.min(left, buffer.length - filled);
      System.arraycopy(bytes, at, buffer, filled, taken);
      filled += taken;
      putBytes += taken;
      at += taken;
      left -= taken;
    }
  }

  @Override
  public void flush() throws IOException {
    empty();
    out.flush();
  }

  private void empty() throws IOException {
    int at = 0;
    try {
      while (at < filled) {
        int length = Math.min(PIECE_BYTES, filled - at);
        out.write(buffer, at, length);
        at += length;
        goneBytes += length;
      }
    } finally {
      System.arraycopy(buffer, at, buffer, 0, filled - at);
      filled -= at;
    }
  }
}
