package io.minikafka.codec;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Several blobs sent one behind the other as if they were one, for example the slices of a fetch
 * that spans segments.
 *
 * @param parts in the order they are sent; together at most 2³¹−1 bytes
 */
public record Chain(List<Blob> parts, int length) implements Blob {
  public static Chain of(List<Blob> parts) {
    int length = 0;
    for (Blob part : parts) {
      length = Math.addExact(length, part.length());
    }
    return new Chain(List.copyOf(parts), length);
  }

  @Override
  public void copyTo(ByteBuffer out) throws IOException {
    for (Blob part : parts) {
      part.copyTo(out);
    }
  }

  @Override
  public void release() {
    parts.forEach(Blob::release);
  }
}
