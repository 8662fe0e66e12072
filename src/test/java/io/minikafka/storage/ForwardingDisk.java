package io.minikafka.storage;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** A disk that passes everything on; a test's own one overrides what it watches or breaks. */
public abstract class ForwardingDisk implements Disk {
  protected final Disk disk;

  protected ForwardingDisk(Disk disk) {
    this.disk = disk;
  }

  @Override
  public DiskFile open(Path file, Mode mode) throws IOException {
    return disk.open(file, mode);
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

  /** A file that passes everything on. */
  public abstract static class ForwardingFile implements DiskFile {
    protected final DiskFile file;

    protected ForwardingFile(DiskFile file) {
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
      file.force();
    }

    @Override
    public void close() throws IOException {
      file.close();
    }
  }
}
