package io.minikafka.app;

import io.minikafka.log.DirectoryInUse;
import io.minikafka.storage.Disk;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Sees to it that there is a data directory that can be written. One thread; may block. */
final class DataDirectory {
  private DataDirectory() {}

  /**
   * Makes the directory if it is missing.
   *
   * @throws StartRefused one line with the user, the path, its mode and what to do
   */
  static void prepare(Disk disk, Path directory) {
    try {
      disk.createDirectories(directory);
    } catch (IOException e) {
      throw refused(directory, e);
    }
    if (!Files.isWritable(directory) || !Files.isExecutable(directory)) {
      throw refused(directory, new AccessDeniedException(directory.toString()));
    }
  }

  /**
   * What else is in the way of a start whose port is taken: whoever has the port may have the data
   * directory, too, and another port would not help. Empty if nothing is.
   */
  static String alsoInUse(Disk disk, Path directory) {
    Path data = directory.toAbsolutePath().normalize();
    return DirectoryInUse.isSo(data, disk)
        ? "; the data directory %s is in use, too: another broker runs there".formatted(data)
        : "";
  }

  /** Why a start failed on this directory, in the words of an operator. */
  static StartRefused refused(Path directory, IOException e) {
    Path standing = nearest(directory);
    if (!Files.isDirectory(standing)) {
      return new StartRefused(
          "the data directory %s cannot be made: %s is no directory (--data-dir chooses another)"
              .formatted(directory, standing),
          e);
    }
    Optional<Path> denied = deniedInside(directory, e);
    if (denied.isPresent()) {
      Path file = denied.get();
      return new StartRefused(
          ("%s in the data directory cannot be opened by %s: it has mode %s; let that user read and"
                  + " write it (chown, chmod), or choose another directory with --data-dir")
              .formatted(file, user(System.getProperty("user.name")), mode(file)),
          e);
    }
    if (e instanceof AccessDeniedException || !Files.isWritable(standing)) {
      return new StartRefused(
          ("the data directory %s cannot be written by %s: %s has mode %s; give that user the"
                  + " directory (chown), or choose another with --data-dir")
              .formatted(
                  directory, user(System.getProperty("user.name")), standing, mode(standing)),
          e);
    }
    return new StartRefused(
        "the data directory %s cannot be used: %s (--data-dir chooses another)"
            .formatted(directory, reason(e)),
        e);
  }

  /** The directory itself or the first parent that is there. */
  private static Path nearest(Path directory) {
    Path at = directory.toAbsolutePath().normalize();
    while (!Files.exists(at, LinkOption.NOFOLLOW_LINKS)) {
      Path parent = at.getParent();
      if (parent == null) {
        return at;
      }
      at = parent;
    }
    return at;
  }

  /** What stands below the directory and was denied; not what could not be made there. */
  private static Optional<Path> deniedInside(Path directory, IOException e) {
    if (!(e instanceof AccessDeniedException denied) || denied.getFile() == null) {
      return Optional.empty();
    }
    Path data = directory.toAbsolutePath().normalize();
    Path file = Path.of(denied.getFile()).toAbsolutePath().normalize();
    boolean inside = file.startsWith(data) && !file.equals(data);
    return inside && Files.exists(file, LinkOption.NOFOLLOW_LINKS)
        ? Optional.of(file)
        : Optional.empty();
  }

  /**
   * Who this process is, for people.
   *
   * @param name as Java has it: a question mark where the system knows no name
   */
  static String user(String name) {
    if (!name.equals("?")) {
      return "user " + name;
    }
    try {
      return "the user with uid " + Files.getAttribute(Path.of("/proc/self"), "unix:uid");
    } catch (IOException | UnsupportedOperationException e) {
      return "a user without a name";
    }
  }

  /** As {@code ls} says it, with the owner. */
  private static String mode(Path path) {
    try {
      PosixFileAttributes attributes = Files.readAttributes(path, PosixFileAttributes.class);
      return "%s (owner %s, group %s)"
          .formatted(
              PosixFilePermissions.toString(attributes.permissions()),
              attributes.owner().getName(),
              attributes.group().getName());
    } catch (IOException | UnsupportedOperationException e) {
      return "unknown";
    }
  }

  /** What the system said, without the path that the message begins with. */
  private static String reason(IOException e) {
    @Nullable String said = e instanceof FileSystemException f ? f.getReason() : e.getMessage();
    if (said != null) {
      return said;
    }
    return e instanceof NoSuchFileException missing
        ? "there is no " + missing.getFile()
        : e.getClass().getSimpleName();
  }
}
