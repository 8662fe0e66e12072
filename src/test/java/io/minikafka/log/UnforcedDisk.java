package io.minikafka.log;

import io.minikafka.storage.DiskFile;
import io.minikafka.storage.ForwardingDisk;
import io.minikafka.storage.LocalDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The real file system without its slowest part, for tests with thousands of recoveries; fails
 * where the test says so.
 */
final class UnforcedDisk extends ForwardingDisk {
  /** Asked before each action; may throw. */
  Fault fault = (action, path) -> {};

  /** Called with what is about to be done and to which file or directory. */
  interface Fault {
    void before(String action, Path path) throws IOException;
  }

  UnforcedDisk() {
    super(new LocalDisk());
  }

  @Override
  public DiskFile open(Path file, Mode mode) throws IOException {
    if (mode == Mode.CREATE) {
      fault.before("create", file);
    }
    return new Unforced(file, disk.open(file, mode));
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    fault.before("rename", from);
    disk.rename(from, to);
  }

  @Override
  public void delete(Path path) throws IOException {
    fault.before("delete", path);
    disk.delete(path);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    fault.before("force", directory);
  }

  private final class Unforced extends ForwardingFile {
    private final Path path;

    Unforced(Path path, DiskFile file) {
      super(file);
      this.path = path;
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      fault.before("write", path);
      file.write(source, position);
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      fault.before("read", path);
      return file.read(target, position);
    }

    @Override
    public void truncate(long size) throws IOException {
      fault.before("truncate", path);
      file.truncate(size);
    }

    @Override
    public void force() throws IOException {
      fault.before("force", path);
    }
  }
}
