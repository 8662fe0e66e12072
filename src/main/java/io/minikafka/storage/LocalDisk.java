package io.minikafka.storage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The file system of this machine, through NIO. Any thread. */
public final class LocalDisk implements Disk {
  /** Lock files this process holds, whichever instance took them. */
  private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

  /**
   * Channels that are never closed: closing any channel of a file drops every lock this process has
   * on it.
   */
  private static final Queue<FileChannel> KEPT_OPEN = new ConcurrentLinkedQueue<>();

  /** One at a time: who finds a directory there may rely on its name being durable. */
  private static final Object CREATING = new Object();

  /** How this system says that there is no room: Java reports errors only as text, translated. */
  private static final List<String> NO_ROOM =
      Stream.concat(Stream.of("No space left on device", "quota exceeded"), wordsOfFullDevice())
          .toList();

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
      if (mode == Mode.READ) {
        refuseAllButRegular(file);
      }
      return new LocalFile(file, FileChannel.open(file, options));
    } catch (IOException e) {
      throw classify(file, e);
    }
  }

  /** What is not there passes. To open a pipe would block for ever. */
  private static void refuseAllButRegular(Path file) throws IOException {
    Optional<BasicFileAttributes> there = attributes(file);
    if (there.isPresent() && !there.get().isRegularFile()) {
      throw new IOException(file + " is no regular file");
    }
  }

  @Override
  public List<String> list(Path directory) throws IOException {
    try (Stream<Path> entries = Files.list(directory)) {
      return entries.map(path -> path.getFileName().toString()).sorted().toList();
    } catch (NotDirectoryException e) {
      throw new NoSuchFileException(directory.toString(), null, "not a directory");
    } catch (UncheckedIOException e) {
      throw new IOException("cannot list " + directory, e);
    } catch (IOException e) {
      throw classify(directory, e);
    }
  }

  @Override
  public boolean isDirectory(Path path) throws IOException {
    return attributes(path).map(BasicFileAttributes::isDirectory).orElse(false);
  }

  @Override
  public boolean isRegularFile(Path path) throws IOException {
    return attributes(path).map(BasicFileAttributes::isRegularFile).orElse(false);
  }

  @Override
  public boolean exists(Path path) throws IOException {
    return attributes(path).isPresent();
  }

  @Override
  public long size(Path file) throws IOException {
    return Files.size(file);
  }

  /** Empty only if there is certainly no such file; one that cannot be looked at is an error. */
  private static Optional<BasicFileAttributes> attributes(Path path) throws IOException {
    try {
      return Optional.of(Files.readAttributes(path, BasicFileAttributes.class));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (FileSystemException e) {
      Path parent = path.getParent();
      if (parent != null && Files.isRegularFile(parent)) {
        return Optional.empty();
      }
      throw e;
    }
  }

  @Override
  public void createDirectories(Path directory) throws IOException {
    synchronized (CREATING) {
      Deque<Path> missing = new ArrayDeque<>();
      for (@Nullable Path at = directory.toAbsolutePath();
          at != null && !isDirectory(at);
          at = at.getParent()) {
        missing.push(at);
      }
      for (Path at : missing) {
        try {
          Files.createDirectory(at);
        } catch (IOException e) {
          throw classify(directory, e);
        }
        Path parent = at.getParent();
        if (parent != null) {
          forceNames(parent);
        }
      }
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
    } catch (IOException e) {
      throw classify(path, e);
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
    try {
      refuseAllButRegular(file);
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel, file);
      if (lock == null) {
        channel.close();
        throw new AlreadyLockedException(file + " is locked by another process");
      }
      AtomicBoolean released = new AtomicBoolean();
      return () -> {
        if (!released.getAndSet(true)) {
          try {
            channel.close();
          } finally {
            HELD.remove(key);
          }
        }
      };
    } catch (IOException e) {
      HELD.remove(key);
      throw classify(file, e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel, Path file) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      KEPT_OPEN.add(channel);
      throw new AlreadyLockedException(file + " is locked by this process under another name");
    }
  }

  /** What the device that is always full answers; nothing where there is none. */
  private static Stream<String> wordsOfFullDevice() {
    try (FileChannel full = FileChannel.open(Path.of("/dev/full"), StandardOpenOption.WRITE)) {
      full.write(ByteBuffer.allocate(1));
      return Stream.empty();
    } catch (NoSuchFileException | AccessDeniedException e) {
      return Stream.empty();
    } catch (IOException e) {
      return Stream.ofNullable(e.getMessage());
    }
  }

  static IOException classify(Path path, IOException e) {
    String message = String.valueOf(e.getMessage());
    if (NO_ROOM.stream().anyMatch(message::contains)) {
      return new DiskFullException(path + ": " + message, e);
    }
    if (message.contains("Too many open files")) {
      return new OpenFileLimitException(path + ": " + message, e);
    }
    return e;
  }
}
