package io.minikafka.sim;

import java.util.Random;

/** What is wrong with the disk of a {@link World} for a while: one thing at a time. One thread. */
final class Troubles {
  private final SimDisk disk;
  private final Random random;
  private Trouble now = Trouble.NONE;

  /** With all but {@code NONE}, some calls may fail. */
  enum Trouble {
    NONE,
    FULL,
    FEW_FILES,
    FORCE_FAILED
  }

  Troubles(SimDisk disk, Random random) {
    this.disk = disk;
    this.random = random;
  }

  Trouble now() {
    return now;
  }

  /** Unless there is trouble already. */
  void begin(Trouble next) {
    if (now != Trouble.NONE) {
      return;
    }
    now = next;
    switch (next) {
      case FULL -> disk.limitFreeBytes(random.nextInt(6000));
      case FEW_FILES -> disk.limitOpenFiles(disk.openFiles() + random.nextInt(3));
      case FORCE_FAILED -> disk.failNextForce(random.nextInt(4) == 0 ? "" : "log");
      case NONE -> {}
    }
  }

  /** From a failed force only the end of the process helps. */
  void end() {
    if (now == Trouble.FORCE_FAILED) {
      disk.turnOff();
    } else {
      over();
    }
  }

  /** The next process begins on a disk that works. */
  void over() {
    disk.limitFreeBytes(Long.MAX_VALUE);
    disk.limitOpenFiles(Integer.MAX_VALUE);
    now = Trouble.NONE;
  }
}
