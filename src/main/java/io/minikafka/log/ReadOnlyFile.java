package io.minikafka.log;

import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Another file, to be read only, by somebody who is asked before each reading. */
abstract class ReadOnlyFile implements DiskFile {
  private final DiskFile file;

  ReadOnlyFile(DiskFile file) {
    this.file = file;
  }

  /**
   * @throws IOException to have nothing read
   */
  abstract void beforeRead() throws IOException;

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    beforeRead();
    return file.read(target, position);
  }

  @Override
  public long size() throws IOException {
    return file.size();
  }

  @Override
  public void write(ByteBuffer source, long position) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void truncate(long size) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void force() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException();
  }

  @Override
  public String toString() {
    return file.toString();
  }
}
