package io.minikafka.sim;

import io.minikafka.codec.Blob;
import io.minikafka.codec.Bytes;
import io.minikafka.codec.Chain;
import io.minikafka.storage.FileSlice;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Brings the bytes of any blob into memory, as the network layer would send them. */
final class Blobs {
  private Blobs() {}

  /** The bytes, little-endian; the blob is released, also on failure. */
  static ByteBuffer take(Blob blob) throws IOException {
    try {
      return look(blob);
    } finally {
      blob.release();
    }
  }

  /** The bytes, little-endian; the blob stays as it is. */
  static ByteBuffer look(Blob blob) throws IOException {
    ByteBuffer all = ByteBuffer.allocate(blob.length()).order(ByteOrder.LITTLE_ENDIAN);
    copy(blob, all);
    if (all.hasRemaining()) {
      throw new Violation("a blob of %d bytes ends %d early", blob.length(), all.remaining());
    }
    return all.flip();
  }

  private static void copy(Blob blob, ByteBuffer into) throws IOException {
    switch (blob) {
      case Bytes bytes -> into.put(bytes.buffer());
      case FileSlice slice -> {
        ByteBuffer part = into.slice(into.position(), slice.length());
        int read = slice.file().read(part, slice.position());
        into.position(into.position() + read);
      }
      case Chain chain -> {
        for (Blob part : chain.parts()) {
          copy(part, into);
        }
      }
      default -> throw new Violation("a blob nobody can send: %s", blob.getClass());
    }
  }
}
