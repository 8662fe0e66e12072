package io.minikafka.log;

import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.ForwardingDisk;
import io.minikafka.storage.LocalDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The local disk; writes down what is done to it, counts, and fails or waits where the test says
 * so. Any thread.
 */
public final class WatchedDisk extends ForwardingDisk {
  /** Forces, renames and deletions by file name, in order. */
  final List<String> events = Collections.synchronizedList(new ArrayList<>());

  public final AtomicLong bytesRead = new AtomicLong();
  final AtomicInteger writes = new AtomicInteger();
  public final AtomicInteger openFiles = new AtomicInteger();

  /** Asked before each action but reading; may throw. */
  public volatile Fault fault = (action, path) -> {};

  /** Asked before each reading; may throw. */
  public volatile Fault readFault = (action, path) -> {};

  /** No more is said to be free. */
  public volatile long mostFreeBytes = Long.MAX_VALUE;

  /** Called with what is about to be done and to which file. */
  public interface Fault {
    void before(String action, Path path) throws IOException;
  }

  public WatchedDisk() {
    this(new LocalDisk());
  }

  WatchedDisk(Disk disk) {
    super(disk);
  }

  private void note(String action, Path path) throws IOException {
    fault.before(action, path);
    events.add(action + " " + path.getFileName());
  }

  @Override
  public DiskFile open(Path file, Mode mode) throws IOException {
    fault.before(mode == Mode.CREATE ? "create" : "open", file);
    DiskFile opened = disk.open(file, mode);
    openFiles.incrementAndGet();
    return new WatchedFile(file, opened);
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    fault.before("make", directory);
    disk.createDirectories(directory);
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    note("rename", to);
    disk.rename(from, to);
  }

  @Override
  public void delete(Path path) throws IOException {
    if (disk.exists(path)) {
      note("delete", path);
    }
    disk.delete(path);
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    note("force", directory);
    disk.forceDirectory(directory);
  }

  @Override
  public long usableBytes(Path directory) throws IOException {
    return Math.min(mostFreeBytes, disk.usableBytes(directory));
  }

  private final class WatchedFile extends ForwardingFile {
    private final Path path;
    private boolean closed;

    WatchedFile(Path path, DiskFile file) {
      super(file);
      this.path = path;
    }

    @Override
    public void write(ByteBuffer source, long position) throws IOException {
      fault.before("write", path);
      writes.incrementAndGet();
      file.write(source, position);
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
      readFault.before("read", path);
      int read = file.read(target, position);
      bytesRead.addAndGet(read);
      return read;
    }

    @Override
    public void truncate(long size) throws IOException {
      note("truncate", path);
      file.truncate(size);
    }

    @Override
    public void force() throws IOException {
      note("force", path);
      file.force();
    }

    @Override
    public synchronized void close() throws IOException {
      if (!closed) {
        closed = true;
        openFiles.decrementAndGet();
      }
      file.close();
    }
  }
}
