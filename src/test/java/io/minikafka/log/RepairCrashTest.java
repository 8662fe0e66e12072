package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.RepairAction;
import io.minikafka.partition.RepairResult;
import io.minikafka.sim.PowerOff;
import io.minikafka.sim.SimDisk;
import io.minikafka.storage.Disk;
import io.minikafka.storage.ForwardingDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A repair, ended before each of its disk operations in turn: what the next start finds is the log
 * as it was or as it is to be, the copy is there before anything is gone, and the repair can be
 * done (again).
 */
class RepairCrashTest {
  /** What the disk forgets is chance; so many are tried at each point. */
  private static final int POWER_LOSSES = 4;

  private static final Path DATA = Path.of("/data");

  @BeforeAll
  static void quiet() {
    PowerOff.keepOutOfLogs();
  }

  /** What is damaged, and what is to be done about it; all logs reach from 0 to 40. */
  enum Case {
    SKIP_IN_A_SEALED_SEGMENT(RepairAction.SKIP, 15, 20, 40, 40) {
      @Override
      void harm(SimDisk disk, LogBench bench) throws IOException {
        flip(disk, bench.logFile(10), 2);
      }
    },
    SKIP_IN_THE_ACTIVE_SEGMENT(RepairAction.SKIP, 30, 35, 40, 40) {
      @Override
      void harm(SimDisk disk, LogBench bench) throws IOException {
        flip(disk, bench.logFile(30), 4);
      }
    },
    SKIP_A_MISSING_FIRST_SEGMENT(RepairAction.SKIP, 0, 10, 40, 40) {
      @Override
      void harm(SimDisk disk, LogBench bench) throws IOException {
        disk.delete(bench.logFile(0));
        disk.forceDirectory(bench.partition());
      }
    },
    SKIP_A_REFUSED_END(RepairAction.SKIP, 35, 40, 40, 40) {
      @Override
      void harm(SimDisk disk, LogBench bench) throws IOException {
        shorten(disk, bench.logFile(30));
      }
    },
    CUT_A_REFUSED_END(RepairAction.CUT, 35, 40, 35, 35) {
      @Override
      void harm(SimDisk disk, LogBench bench) throws IOException {
        shorten(disk, bench.logFile(30));
      }
    },
    CUT_A_LOG_THAT_IS_SERVED(RepairAction.CUT, 15, 20, 15, 15) {
      @Override
      void harm(SimDisk disk, LogBench bench) throws IOException {
        flip(disk, bench.logFile(10), 2);
      }
    };

    private final RepairAction action;
    private final long from;
    private final long to;

    /** Where the log ends afterwards, and from where on nothing may be served then. */
    private final long end;

    private final long servedTo;

    Case(RepairAction action, long from, long to, long end, long servedTo) {
      this.action = action;
      this.from = from;
      this.to = to;
      this.end = end;
      this.servedTo = servedTo;
    }

    abstract void harm(SimDisk disk, LogBench bench) throws IOException;

    static void flip(SimDisk disk, Path file, int part) throws IOException {
      byte[] bytes = disk.bytes(file);
      int position = bytes.length / part + (part == 2 ? 300 : 0);
      bytes[position] ^= 4;
      disk.replace(file, bytes);
    }

    static void shorten(SimDisk disk, Path file) throws IOException {
      byte[] bytes = disk.bytes(file);
      disk.replace(file, Arrays.copyOf(bytes, bytes.length - 1));
    }
  }

  /** One life up to the damage, which is known. */
  private static final class Life {
    final SimDisk sim;
    final UnaryOperator<Disk> between;
    LogBench bench;
    PartitionStore store;

    /** What was in the segments before the repair, by their base offsets. */
    final Map<Long, byte[]> harmed = new HashMap<>();

    final long bytesToGo;

    Life(Case what, long seed, UnaryOperator<Disk> between) throws IOException {
      this.sim = new SimDisk(seed);
      this.between = between;
      this.bench = new LogBench(DATA, sim);
      PartitionStore written = open();
      for (int i = 0; i < 8; i++) {
        bench.append(written, 5, 100);
      }
      written.flush();
      written.close();
      bench.directory.close();
      what.harm(sim, bench);
      start(between);
      RepairRig.verified(store);
      assertEquals(List.of(what.from), store.damage().stream().map(r -> r.from()).toList());
      for (long base : bench.bases()) {
        harmed.put(base, sim.bytes(bench.logFile(base)));
      }
      bytesToGo =
          assertInstanceOf(RepairResult.Done.class, store.repair(what.action, what.from, true))
              .repair()
              .bytesSetAside();
    }

    void start(UnaryOperator<Disk> disk) throws IOException {
      bench = new LogBench(DATA, disk.apply(sim));
      store = open();
    }

    private PartitionStore open() throws IOException {
      return bench.open(LogBench.segments(1600));
    }
  }

  @ParameterizedTest
  @EnumSource
  void whereverItEndsTheLogIsTheOldOrTheNewOne(Case what) throws IOException {
    int points = everyPoint(what, disk -> disk);
    System.out.println(what + ": " + points + " crash points");
    assertTrue(points > 10, "only " + points);
  }

  private static int everyPoint(Case what, UnaryOperator<Disk> between) throws IOException {
    int point = 0;
    while (play(what, point, -1, between)) {
      for (int loss = 0; loss < POWER_LOSSES; loss++) {
        play(what, point, loss, between);
      }
      point++;
    }
    return point;
  }

  /**
   * @param loss of power with that seed; −1 to kill the process only
   * @return whether the repair has so many operations
   */
  private static boolean play(Case what, int point, int loss, UnaryOperator<Disk> between)
      throws IOException {
    Life life = new Life(what, 1_000L * point + loss, between);
    life.sim.stopBefore(life.sim.operations() + point);
    boolean whole = false;
    try {
      assertInstanceOf(RepairResult.Done.class, life.store.repair(what.action, what.from, false));
      whole = true;
    } catch (PowerOff e) {
      assertFalse(whole);
    }
    if (loss < 0) {
      life.sim.processKill();
    } else {
      life.sim.powerLoss();
    }
    String where = "%s, point %d, loss %d%n%s".formatted(what, point, loss, life.sim.trace());
    life.start(disk -> disk);
    looksRight(what, life, whole, where);
    return !whole;
  }

  private static void looksRight(Case what, Life life, boolean whole, String where)
      throws IOException {
    RepairRig.verified(life.store);
    boolean isNew = life.store.damage().isEmpty() && !life.store.snapshot().isOffline();
    if (whole) {
      assertTrue(isNew, () -> "done, and undone by a crash: " + where);
    }
    List<Long> served = RepairRig.served(life.store);
    for (long offset = 0; offset < 40; offset++) {
      boolean lost = offset >= what.from && (offset < what.to || isNew && offset >= what.servedTo);
      assertEquals(!lost, served.contains(offset), "offset " + offset + " of " + where);
    }
    if (isNew) {
      assertEquals(what.end, life.store.snapshot().end(), where);
      hasCopy(what, life, where);
    } else {
      assertEquals(40, life.store.snapshot().end(), where);
      assertInstanceOf(ReadResult.Damaged.class, life.store.read(what.from, 100, true, 40), where);
      assertInstanceOf(
          RepairResult.Done.class, life.store.repair(what.action, what.from, false), where);
    }
    goesOn(what, life, where);
  }

  /** All that is not in the log any more lies in quarantine, byte for byte. */
  private static void hasCopy(Case what, Life life, String where) throws IOException {
    long bytes = 0;
    Path quarantine = LogFiles.quarantine(DATA);
    boolean isThere = life.sim.exists(quarantine);
    for (String name : isThere ? life.sim.list(quarantine) : List.<String>of()) {
      byte[] copy = life.sim.bytes(quarantine.resolve(name));
      String[] parts = name.split("-");
      long base = Long.parseLong(parts[parts.length - 3]);
      int position = Integer.parseInt(parts[parts.length - 2]);
      byte[] original = life.harmed.getOrDefault(base, new byte[0]);
      if (copy.length == 0 || position + copy.length > original.length) {
        continue;
      }
      // A crash may have left the front of a first copy beside the second.
      bytes +=
          Arrays.equals(copy, Arrays.copyOfRange(original, position, position + copy.length))
              ? copy.length
              : 0;
    }
    long least = life.bytesToGo;
    long found = bytes;
    assertTrue(
        bytes >= least,
        () -> "good copies of %d bytes, %d went: %s".formatted(found, least, where));
  }

  private static void goesOn(Case what, Life life, String where) throws IOException {
    assertEquals("", life.store.snapshot().offline(), where);
    assertEquals(what.end, life.store.snapshot().end(), where);
    life.bench.append(life.store, 5, 100);
    life.store.flush();
    life.store.close();
    life.bench.directory.close();
    life.start(disk -> disk);
    assertEquals(List.of(), life.store.damage(), where);
    assertEquals("", life.store.snapshot().offline(), where);
    List<Long> served = RepairRig.served(life.store);
    assertTrue(served.contains(what.end) && served.contains(what.end + 4), where);
    assertEquals(what.end + 5, life.store.snapshot().end(), where);
  }

  /** A disk that leaves one kind of force out. */
  private static UnaryOperator<Disk> without(String action) {
    return below ->
        new ForwardingDisk(below) {
          @Override
          public io.minikafka.storage.DiskFile open(Path file, Mode mode) throws IOException {
            var opened = disk.open(file, mode);
            String name = file.getFileName().toString();
            boolean left =
                action.equals("new segment") && name.endsWith(LogFiles.CLEANED)
                    || action.equals("copy") && name.endsWith(".cut");
            return !left
                ? opened
                : new ForwardingFile(opened) {
                  @Override
                  public void force() {}
                };
          }
        };
  }

  /** The same over a repair that forgets to force must fail. */
  @Test
  void aRepairThatForcesTooLittleIsFound() {
    for (String action : List.of("new segment", "copy")) {
      try {
        everyPoint(Case.SKIP_IN_A_SEALED_SEGMENT, without(action));
      } catch (AssertionError | IOException e) {
        System.out.println(
            action + ": " + String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        continue;
      }
      fail("nothing was found without forcing the " + action);
    }
  }
}
