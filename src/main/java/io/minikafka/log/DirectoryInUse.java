package io.minikafka.log;

import io.minikafka.storage.AlreadyLockedException;
import io.minikafka.storage.Disk;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Looks whether a broker has a data directory, and leaves no trace there. Any thread; may block.
 */
public final class DirectoryInUse {
  private DirectoryInUse() {}

  public static boolean isSo(Path data, Disk disk) {
    try {
      Path file = LogFiles.lock(data);
      if (disk.exists(file)) {
        disk.lock(file).close();
      }
      return false;
    } catch (AlreadyLockedException e) {
      return true;
    } catch (IOException e) {
      // Whoever is to use it will say what is wrong.
      return false;
    }
  }
}
