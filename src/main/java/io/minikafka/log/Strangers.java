package io.minikafka.log;

import io.minikafka.EngineObserver;
import io.minikafka.storage.Disk;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Files and directories below a data directory that no broker made, or that lost what they belonged
 * to. They are moved to {@code set-aside/} where they would be in the way, otherwise left alone;
 * never deleted; each is told once; and none ever fails a start.
 *
 * <p>Any thread.
 */
final class Strangers {
  private final Disk disk;
  private final Path data;
  private final EngineObserver observer;
  private final Set<Path> told = ConcurrentHashMap.newKeySet();

  Strangers(Disk disk, Path data, EngineObserver observer) {
    this.disk = disk;
    this.data = data;
    this.observer = observer;
  }

  /** Leaves something where it is. */
  void leave(Path stranger, String what) {
    tell(stranger, what + "; left alone");
  }

  /** Goes on without what a file of ours should say, since it cannot be read. */
  void passOver(Path file, String instead) {
    tell(file, "cannot be read as what its name says; " + instead);
  }

  /** Moves something out of the way, or leaves it if that fails. */
  void setAside(Path stranger, String what) {
    try {
      move(stranger, what);
    } catch (IOException e) {
      tell(stranger, "%s; left alone, moving it failed: %s".formatted(what, e.getMessage()));
    }
  }

  /**
   * Moves something out of the way that must not stay where it is; durable when this returns.
   *
   * @throws IOException if it may still be there, or again after a crash
   */
  void move(Path stranger, String what) throws IOException {
    Path target = unused(stranger);
    disk.createDirectories(LogFiles.setAside(data));
    disk.rename(stranger, target);
    disk.forceDirectory(LogFiles.setAside(data));
    disk.forceDirectory(stranger.resolveSibling("").normalize());
    tell(stranger, "%s; moved to %s".formatted(what, target));
  }

  /**
   * Looks through the data directory.
   *
   * @param topics that exist; directories of other topics are set aside
   */
  void lookThrough(Set<UUID> topics) {
    for (String name : names(data)) {
      Path path = data.resolve(name);
      Optional<UUID> topic = LogFiles.topicId(name);
      if (topic.isPresent() && !topics.contains(topic.get())) {
        setAside(path, "belongs to no topic");
      } else if (topic.isPresent()) {
        lookThroughTopic(path);
      } else if (!LogFiles.belongsInData(name)) {
        leave(path, "is nothing of a broker's");
      }
    }
  }

  private void lookThroughTopic(Path topic) {
    names(topic).stream()
        .filter(name -> !LogFiles.isPartition(name))
        .forEach(name -> leave(topic.resolve(name), "is no partition"));
  }

  private List<String> names(Path directory) {
    try {
      return disk.list(directory);
    } catch (NoSuchFileException e) {
      return List.of();
    } catch (IOException e) {
      tell(directory, "cannot be listed: " + e.getMessage());
      return List.of();
    }
  }

  /** The path below the data directory in one word, with a number if that is taken. */
  private Path unused(Path stranger) throws IOException {
    String separator = data.getFileSystem().getSeparator();
    String name = data.relativize(stranger).toString().replace(separator, "_");
    Path target = LogFiles.setAside(data).resolve(name);
    for (int ordinal = 1; disk.exists(target); ordinal++) {
      target = LogFiles.setAside(data).resolve(name + "." + ordinal);
    }
    return target;
  }

  private void tell(Path stranger, String what) {
    if (told.add(stranger)) {
      observer.onStranger(stranger.toString(), what);
    }
  }
}
