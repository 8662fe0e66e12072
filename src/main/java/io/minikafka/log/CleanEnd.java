package io.minikafka.log;

import io.minikafka.PartitionId;
import io.minikafka.storage.Disk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The mark of a clean end: what the one that was found says of a log, and whether the end of this
 * process may be given one, so that the next start need not look. Any thread.
 */
final class CleanEnd {
  private final Disk disk;
  private final Path data;

  /** Whether the end before this start had the mark. */
  private final boolean was;

  /** Closed by this process: the mark that was found says nothing of them any more. */
  private final Set<PartitionId> closedHere = ConcurrentHashMap.newKeySet();

  /** Something happened that the next start must look into. Only ever becomes true. */
  private volatile boolean spoilt;

  CleanEnd(Disk disk, Path data, boolean was) {
    this.disk = disk;
    this.data = data;
    this.was = was;
  }

  /** Whether a log that is about to be opened is as the checkpoint says. */
  boolean holdsFor(PartitionId id) {
    return was && !closedHere.contains(id);
  }

  void closed(PartitionId id, boolean isOffline) {
    if (isOffline) {
      spoil();
    }
    closedHere.add(id);
  }

  void spoil() {
    spoilt = true;
  }

  /**
   * Whether it may, when no log is open any more; blocks.
   *
   * @param known of which the checkpoint says something
   */
  boolean mayBeMarked(Collection<PartitionId> known) throws IOException {
    return !spoilt && (was || everyLogWasOpened(known));
  }

  /**
   * Whether every log was looked at since the last end, which was not clean. If not, because the
   * broker was stopped while it recovered, what the checkpoint says of the others is no promise.
   */
  private boolean everyLogWasOpened(Collection<PartitionId> known) throws IOException {
    if (!closedHere.containsAll(known)) {
      return false;
    }
    for (String topic : disk.list(data)) {
      Path directory = data.resolve(topic);
      Optional<UUID> id = LogFiles.topicId(topic);
      if (id.isEmpty() || !disk.isDirectory(directory)) {
        continue;
      }
      for (String partition : disk.list(directory)) {
        if (LogFiles.isPartition(partition)
            && !closedHere.contains(
                new PartitionId(id.get(), Integer.parseUnsignedInt(partition)))) {
          return false;
        }
      }
    }
    return true;
  }

  void sayItIsNot(String why) {
    System.getLogger(CleanEnd.class.getName())
        .log(
            System.Logger.Level.WARNING,
            "the end of {0} is not marked clean ({1}); the next start reads the ends of all logs",
            data,
            why);
  }
}
