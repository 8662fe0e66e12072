package io.minikafka.log;

import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.LocalDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** The real file system without its slowest part, for tests with thousands of recoveries. */
class UnforcedDisk implements Disk {
  private final LocalDisk real = new LocalDisk();

  @Override
  public DiskFile open(Path file, Mode mode) throws IOException {
    return new Unforced(real.open(file, mode));
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    return real.list(directory);
  }

  @Override
  public boolean isDirectory(Path path) throws IOException {
    return real.isDirectory(path);
  }

  @Override
  public boolean exists(Path path) throws IOException {
    return real.exists(path);
  }

  @Override
  public long size(Path file) throws IOException {
    return real.size(file);
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    real.createDirectories(directory);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    real.rename(from, to);
  }

  @Override
  public void delete(Path path) throws IOException {
    real.delete(path);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {}

  @Override
  public long usableBytes(Path directory) throws IOException {
    return real.usableBytes(directory);
  }

  @Override
  public DiskLock lock(Path file) throws IOException {
    return real.lock(file);
  }

  private record Unforced(DiskFile real) implements DiskFile {
    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      real.write(source, position);
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      return real.read(target, position);
    }

    @Override
    public long size() throws IOException {
      return real.size();
    }

    @Override
    public void truncate(long size) throws IOException {
      real.truncate(size);
    }

    @Override
    public void force() {}

    @Override
    public void close() throws IOException {
      real.close();
    }
  }
}
