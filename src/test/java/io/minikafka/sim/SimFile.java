package io.minikafka.sim;

import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A handle of a {@link SimDisk}; void when the process it belongs to has ended. */
final class SimFile implements DiskFile {
  final SimDisk disk;
  final Path path;
  final FileImage image;
  final int life;
  private final boolean writable;
  boolean closed;

  SimFile(SimDisk disk, Path path, FileImage image, boolean writable) {
    this.disk = disk;
    this.path = path;
    this.image = image;
    this.life = disk.life;
    this.writable = writable;
  }

  @Override
  public void write(ByteBuffer source, long position) throws IOException {
    disk.check(this);
    checkWritable();
    byte[] bytes = new byte[source.remaining()];
    source.get(bytes);
    disk.write(this, bytes, position);
  }

  @Override
  public int read(ByteBuffer target, long position) throws IOException {
    disk.check(this);
    disk.checkRead(this, position, target.remaining());
    return image.read(target, position);
  }

  @Override
  public long size() throws IOException {
    disk.check(this);
    return image.size();
  }

  @Override
  public void truncate(long size) throws IOException {
    disk.check(this);
    checkWritable();
    if (size > image.size()) {
      throw new IllegalArgumentException("%s is shorter than %d bytes".formatted(path, size));
    }
    disk.cut(this, size);
  }

  @Override
  public void force() throws IOException {
    disk.check(this);
    disk.force(this);
  }

  @Override
  public void close() {
    disk.close(this);
    closed = true;
  }

  private void checkWritable() throws IOException {
    if (!writable) {
      throw new java.nio.channels.NonWritableChannelException();
    }
  }

  @Override
  public String toString() {
    return path.toString();
  }
}
