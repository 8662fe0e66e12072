package io.minikafka.topic;

import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.DiskFullException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * A disk of which one operation that changes something fails; before it and after it all is well.
 * One thread.
 */
final class FailingDisk implements Disk {
  private final Disk disk;
  private final long failing;
  private final boolean full;
  private long operations;

  /**
   * @param failing number of the operation, from 0
   * @param full whether it fails for want of room
   */
  FailingDisk(Disk disk, long failing, boolean full) {
    this.disk = disk;
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
  public List<String> list(Path directory) throws IOException {
    return disk.list(directory);
  }

  @Override
  public boolean isDirectory(Path path) throws IOException {
    return disk.isDirectory(path);
  }

  @Override
  public boolean isRegularFile(Path path) throws IOException {
    return disk.isRegularFile(path);
  }

  @Override
  public boolean exists(Path path) throws IOException {
    return disk.exists(path);
  }

  @Override
  public long size(Path file) throws IOException {
    return disk.size(file);
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

  @Override
  public long usableBytes(Path directory) throws IOException {
    return disk.usableBytes(directory);
  }

  @Override
  public DiskLock lock(Path file) throws IOException {
    return disk.lock(file);
  }

  private final class FailingFile implements DiskFile {
    private final DiskFile file;

    FailingFile(DiskFile file) {
      this.file = file;
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      change();
      file.write(source, position);
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      return file.read(target, position);
    }

    @Override
    public long size() throws IOException {
      return file.size();
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

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
