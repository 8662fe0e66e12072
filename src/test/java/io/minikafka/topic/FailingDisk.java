package io.minikafka.topic;

import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.DiskFullException;
import io.minikafka.storage.ForwardingDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * A disk of which one operation that changes something fails; before it and after it all is well.
 * One thread.
 */
final class FailingDisk extends ForwardingDisk {
  private final long failing;
  private final boolean full;
  private long operations;

  /**
   * @param failing number of the operation, from 0
   * @param full whether it fails for want of room
   */
  FailingDisk(Disk disk, long failing, boolean full) {
    super(disk);
    this.failing = failing;
    this.full = full;
  }

  boolean hasFailed() {
    return operations > failing;
  }

  private void change() throws IOException {
    if (operations++ == failing) {
      throw full ? new DiskFullException("no room") : new IOException("no luck");
    }
  }

  @Override
  public DiskFile open(Path file, Mode mode) throws IOException {
    if (mode == Mode.CREATE) {
      change();
    }
    return new FailingFile(disk.open(file, mode));
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    if (!disk.isDirectory(directory)) {
      change();
    }
    disk.createDirectories(directory);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    change();
    disk.rename(from, to);
  }

  @Override
  public void delete(Path path) throws IOException {
    if (disk.exists(path)) {
      change();
    }
    disk.delete(path);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    change();
    disk.forceDirectory(directory);
  }

  private final class FailingFile extends ForwardingFile {
    FailingFile(DiskFile file) {
      super(file);
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      change();
      file.write(source, position);
    }

    @Override
    public void truncate(long size) throws IOException {
      change();
      file.truncate(size);
    }

    @Override
    public void force() throws IOException {
      change();
      file.force();
    }
  }
}
