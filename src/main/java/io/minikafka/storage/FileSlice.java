package io.minikafka.storage;

import io.minikafka.codec.Blob;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A range of a file on its way to a socket. The bytes do not change while the lease is held, even
 * if retention has unlinked the file; {@link #release} ends the lease, once, whatever happened to
 * the bytes.
 */
public final class FileSlice implements Blob {
  private final DiskFile file;
  private final long position;
  private final int length;
  private final AtomicReference<@Nullable Runnable> lease;

  /**
   * @param lease run once when the slice is released; short, never blocks
   */
  public FileSlice(DiskFile file, long position, int length, Runnable lease) {
    this.file = file;
    this.position = position;
    this.length = length;
    this.lease = new AtomicReference<>(lease);
  }

  public DiskFile file() {
    return file;
  }

  public long position() {
    return position;
  }

  @Override
  public int length() {
    return length;
  }

  @Override
  public void copyTo(ByteBuffer out) throws IOException {
    int limit = out.limit();
    out.limit(out.position() + length);
    try {
      int read = file.read(out, position);
      if (read < length) {
        throw new EOFException(
            "%s ends %d bytes before the end of the slice %d+%d"
                .formatted(file, length - read, position, length));
      }
    } finally {
      out.limit(limit);
    }
  }

  @Override
  public void release() {
    Runnable end = lease.getAndSet(null);
    if (end != null) {
      end.run();
    }
  }

  @Override
  public String toString() {
    return "FileSlice[%d+%d]".formatted(position, length);
  }
}
