package io.minikafka.log;

import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.LocalDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/**
 * The real file system without its slowest part, for tests with thousands of recoveries; fails
 * where the test says so.
 */
final class UnforcedDisk implements Disk {
  private final LocalDisk real = new LocalDisk();

  /** Asked before each action; may throw. */
  Fault fault = (action, path) -> {};

  /** Called with what is about to be done and to which file or directory. */
  interface Fault {
    void before(String action, Path path) throws IOException;
  }

  @Override
  public DiskFile open(Path file, Mode mode) throws IOException {
    if (mode == Mode.CREATE) {
      fault.before("create", file);
    }
    return new Unforced(file, real.open(file, mode));
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
  public boolean isRegularFile(Path path) throws IOException {
    return real.isRegularFile(path);
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
    fault.before("rename", from);
    real.rename(from, to);
  }

  @Override
  public void delete(Path path) throws IOException {
    fault.before("delete", path);
    real.delete(path);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    fault.before("force", directory);
  }

  @Override
  public long usableBytes(Path directory) throws IOException {
    return real.usableBytes(directory);
  }

  @Override
  public DiskLock lock(Path file) throws IOException {
    return real.lock(file);
  }

  private final class Unforced implements DiskFile {
    private final Path path;
    private final DiskFile real;

    Unforced(Path path, DiskFile real) {
      this.path = path;
      this.real = real;
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      fault.before("write", path);
      real.write(source, position);
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      fault.before("read", path);
      return real.read(target, position);
    }

    @Override
    public long size() throws IOException {
      return real.size();
    }

    @Override
    public void truncate(long size) throws IOException {
      fault.before("truncate", path);
      real.truncate(size);
    }

    @Override
    public void force() throws IOException {
      fault.before("force", path);
    }

    @Override
    public void close() throws IOException {
      real.close();
    }
  }
}
