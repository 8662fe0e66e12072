package io.minikafka.app;

import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.LocalDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** The real disk, with the test's hand on opening, forcing and locking. */
final class SteeredDisk implements Disk {
  private final LocalDisk disk = new LocalDisk();

  /** Called before it happens; may wait, or fail. */
  @FunctionalInterface
  interface Hand {
    void on(Path file) throws IOException;
  }

  volatile Hand beforeOpen = file -> {};
  volatile Hand beforeForce = file -> {};

  @Override
  public DiskFile open(Path file, Mode mode) throws IOException {
    beforeOpen.on(file);
    return new SteeredFile(file, disk.open(file, mode));
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
    disk.createDirectories(directory);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    disk.rename(from, to);
  }

  @Override
  public void delete(Path path) throws IOException {
    disk.delete(path);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
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

  private final class SteeredFile implements DiskFile {
    private final Path path;
    private final DiskFile file;

    SteeredFile(Path path, DiskFile file) {
      this.path = path;
      this.file = file;
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
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
      file.truncate(size);
    }

    @Override
    public void force() throws IOException {
      beforeForce.on(path);
      file.force();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
