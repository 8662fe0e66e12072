package io.minikafka.storage;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Path;
import java.util.List;

/**
 * A file system as minikafka uses it. The tests' disk loses what was not forced and tears writes;
 * the contract here is what both keep.
 *
 * <p><b>Durability.</b> File content is durable after {@link DiskFile#force}. A created, renamed or
 * deleted name is durable only after {@link #forceDirectory} of the directory that holds it.
 * Nothing else is promised by the order of calls.
 *
 * <p><b>Errors.</b> {@link DiskFullException} when there is no room (or no quota) left, {@link
 * OpenFileLimitException} when the process has no file descriptors left, otherwise {@link
 * IOException}. A failed {@code force} must never be retried: the kernel may report success for
 * pages it has dropped.
 *
 * <p>Safe from any thread; calls may block.
 */
public interface Disk {
  /** How a file is opened. */
  enum Mode {
    /** Reads only; the file must exist and be a regular one, so that nobody waits for a pipe. */
    READ,
    /** Reads and writes; the file must exist. */
    WRITE,
    /** Reads and writes; the file must not exist yet. */
    CREATE
  }

  DiskFile open(Path file, Mode mode) throws IOException;

  /**
   * Names in a directory, sorted.
   *
   * @throws java.nio.file.NoSuchFileException if there is no such directory
   */
  List<String> list(Path directory) throws IOException;

  boolean isDirectory(Path path) throws IOException;

  /**
   * Whether it is a file whose bytes can be read and written at any position, or a link to one. To
   * open anything else, such as a pipe, may block for ever.
   */
  boolean isRegularFile(Path path) throws IOException;

  boolean exists(Path path) throws IOException;

  /** Bytes of a file. */
  long size(Path file) throws IOException;

  /**
   * Creates a directory and any missing parents, and forces each parent that gained a name.
   *
   * @throws ForceFailedException if one could not be forced; that is final, see above
   */
  void createDirectories(Path directory) throws IOException;

  /** Renames within one file system, atomically; an existing target file is replaced. */
  void rename(Path from, Path to) throws IOException;

  /** Deletes a file or an empty directory. It is no error if it is not there. */
  void delete(Path path) throws IOException;

  void forceDirectory(Path directory) throws IOException;

  /**
   * As {@link #forceDirectory}, for names that others will build on: a failure can neither be
   * repeated nor taken for want of room.
   *
   * @throws ForceFailedException if it failed
   * @throws OpenFileLimitException nothing was tried; it may be repeated
   * @throws AccessDeniedException nothing was tried
   */
  default void forceNames(Path directory) throws IOException {
    try {
      forceDirectory(directory);
    } catch (OpenFileLimitException | AccessDeniedException e) {
      throw e;
    } catch (IOException e) {
      throw new ForceFailedException(
          "%s cannot be made durable: %s".formatted(directory, e.getMessage()), e);
    }
  }

  /** Bytes that this process could still write below {@code directory}. */
  long usableBytes(Path directory) throws IOException;

  /**
   * Takes an exclusive lock on a file, creating it if need be. Two processes, or two brokers in one
   * process, cannot both hold it; it is gone when the process is.
   *
   * @throws AlreadyLockedException if somebody holds it
   * @throws IOException also if something else than a regular file has the name
   */
  DiskLock lock(Path file) throws IOException;

  /** Held from {@link #lock} until closed. */
  interface DiskLock extends AutoCloseable {
    @Override
    void close() throws IOException;
  }
}
