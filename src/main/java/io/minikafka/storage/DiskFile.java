package io.minikafka.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * An open file. All reads and writes name their position, so any number of readers and one writer
 * need no lock between them. Who writes or truncates is one thread at a time.
 *
 * <p>Buffers may be heap or direct; direct ones save a copy. Never interrupt a thread that is in
 * here: that closes the file for everybody.
 */
public interface DiskFile extends Closeable {
  /**
   * Writes all remaining bytes at {@code position}; the file grows as needed.
   *
   * @throws IOException also when only a part could be written; what then lies at and behind {@code
   *     position} is undefined
   */
  void write(ByteBuffer source, long position) throws IOException;

  /**
   * Reads into the buffer's remaining room, as much as there is.
   *
   * @return bytes read, less than asked only at the end of the file; 0 at or beyond the end
   */
  int read(ByteBuffer target, long position) throws IOException;

  long size() throws IOException;

  /** Cuts the file to {@code size} bytes; it must not be shorter. */
  void truncate(long size) throws IOException;

  /** Makes the content and the length durable. A failure is final, see {@link Disk}. */
  void force() throws IOException;

  /** Ends the use of the file. Does not force. Idempotent. */
  @Override
  void close() throws IOException;
}
