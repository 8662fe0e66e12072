package io.minikafka.storage;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The file system of this machine, through NIO. Any thread. */
public final class LocalDisk implements Disk {
  /** Lock files this process holds, whichever instance took them. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  @Override
  public DiskFile open(Path file, Mode mode) throws IOException {
    Set<StandardOpenOption> options =
        switch (mode) {
          case READ -> Set.of(StandardOpenOption.READ);
          case WRITE -> Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE);
          case CREATE ->
              Set.of(
                  StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        };
    try {
      return new LocalFile(file, FileChannel.open(file, options));
    } catch (IOException e) {
      throw classify(file, e);
    }
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.map(path -> path.getFileName().toString()).sorted().toList();
    } catch (NotDirectoryException e) {
      throw new NoSuchFileException(directory.toString(), null, "not a directory");
    } catch (IOException e) {
      throw classify(directory, e);
    }
  }

  @Override
  public boolean isDirectory(Path path) {
    return Files.isDirectory(path);
  }

  @Override
  public boolean exists(Path path) {
    return Files.exists(path);
  }

  @Override
  public long size(Path file) throws IOException {
    return Files.size(file);
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    Deque<Path> missing = new ArrayDeque<>();
    for (@Nullable Path at = directory.toAbsolutePath();
        at != null && !Files.isDirectory(at);
        at = at.getParent()) {
      missing.push(at);
    }
    try {
      for (Path at : missing) {
        Files.createDirectory(at);
        Path parent = at.getParent();
        if (parent != null) {
          forceDirectory(parent);
        }
      }
    } catch (IOException e) {
      throw classify(directory, e);
    }
  }

  @Override
  public void rename(Path from, Path to) throws IOException {
    try {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw classify(from, e);
    }
  }

  @Override
  public void delete(Path path) throws IOException {
    try {
      Files.deleteIfExists(path);
    } catch (DirectoryNotEmptyException e) {
      throw new IOException(path + " is not empty", e);
    }
  }

  @Override
  public void forceDirectory(Path directory) throws IOException {
    try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
      channel.force(true);
    } catch (IOException e) {
      throw classify(directory, e);
    }
  }

  @Override
  public long usableBytes(Path directory) throws IOException {
    return Files.getFileStore(directory).getUsableSpace();
  }

  @Override
  public DiskLock lock(Path file) throws IOException {
    Path key = file.toAbsolutePath().resolveSibling("").toRealPath().resolve(file.getFileName());
    // Asked before the file is opened: closing any channel on it would drop this process's lock.
    if (!HELD.add(key)) {
      throw new AlreadyLockedException(file + " is locked by another broker in this process");
    }
    @Nullable FileChannel channel = null;
    boolean locked = false;
    try {
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = channel.tryLock();
      if (lock == null) {
        throw new AlreadyLockedException(file + " is locked by another process");
      }
      locked = true;
      FileChannel held = channel;
      return () -> {
        held.close();
        HELD.remove(key);
      };
    } catch (IOException e) {
      throw classify(file, e);
    } finally {
      if (!locked) {
        if (channel != null) {
          channel.close();
        }
        HELD.remove(key);
      }
    }
  }

  /** Java reports errno only as text; these texts are glibc's and musl's. */
  static IOException classify(Path path, IOException e) {
    String message = String.valueOf(e.getMessage());
    if (message.contains("No space left on device") || message.contains("quota exceeded")) {
      return new DiskFullException(path + ": " + message, e);
    }
    if (message.contains("Too many open files")) {
      return new OpenFileLimitException(path + ": " + message, e);
    }
    return e;
  }
}
