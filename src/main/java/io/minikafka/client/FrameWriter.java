package io.minikafka.client;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Puts frames on the wire: small ones gathered into one write, large ones from where they lie. One
 * thread at a time.
 */
final class FrameWriter {
  private final OutputStream out;
  private final byte[] staged = new byte[32 << 10];
  private int stagedBytes;

  FrameWriter(OutputStream out) {
    this.out = out;
  }

  void write(Frame frame) throws IOException {
    stage(frame.head());
    ByteBuffer tail = frame.tail();
    if (tail != null) {
      stage(tail);
    }
  }

  /** Sends what is still gathered. */
  void flush() throws IOException {
    if (stagedBytes > 0) {
      out.write(staged, 0, stagedBytes);
      stagedBytes = 0;
    }
  }

  private void stage(ByteBuffer bytes) throws IOException {
    int index = bytes.position();
    int left = bytes.remaining();
    // The staging buffer is always sent full: no small packet in front of a large one.
    int fit = Math.min(left, staged.length - stagedBytes);
    bytes.get(index, staged, stagedBytes, fit);
    stagedBytes += fit;
    left -= fit;
    if (stagedBytes == staged.length) {
      flush();
    }
    if (left >= staged.length) {
      byte @Nullable [] array = bytes.hasArray() ? bytes.array() : null;
      if (array == null) {
        array = new byte[left];
        bytes.get(index + fit, array);
        out.write(array, 0, left);
      } else {
        out.write(array, bytes.arrayOffset() + index + fit, left);
      }
    } else if (left > 0) {
      bytes.get(index + fit, staged, 0, left);
      stagedBytes = left;
    }
  }
}
