package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.MetaStore;
import io.minikafka.partition.PartitionStore;
import io.minikafka.sim.PowerOff;
import io.minikafka.sim.SimDisk;
import io.minikafka.storage.OpenFileLimitException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What one process left undone when it was killed, and the next builds on: it must be on the disk
 * before the power goes. What a disk forgets then is chance, so each test tries many.
 */
class NextLifeTest {
  private static final Path DATA = Path.of("/data");
  private static final int SEEDS = 60;

  @TempDir Path directory;

  private interface Life {
    void on(SimDisk disk) throws IOException;
  }

  private static void onManyDisks(Life life) throws IOException {
    for (long seed = 1; seed <= SEEDS; seed++) {
      SimDisk disk = new SimDisk(seed);
      try {
        life.on(disk);
      } catch (AssertionError e) {
        throw new AssertionError(
            "seed %d: %s%n%s".formatted(seed, e.getMessage(), disk.trace()), e);
      }
    }
  }

  @Test
  void whatAFailedForceLeftIsDurableWhenTheNextProcessServesIt() throws IOException {
    onManyDisks(
        disk -> {
          LogBench first = new LogBench(DATA, disk);
          PartitionStore store = first.open(LogBench.segments(2000));
          for (int i = 0; i < 3; i++) {
            first.append(store, 4, 100);
          }
          store.flush();
          for (int i = 0; i < 6; i++) {
            first.append(store, 4, 100);
          }
          disk.failNextForce("12.log");
          store.flush();
          assertEquals(1, first.fatal.size());
          List<String> written = LogBench.readAll(store, 0, 1000);
          disk.processKill();

          PartitionStore served = new LogBench(DATA, disk).open(LogBench.segments(2000));
          assertEquals(36, served.snapshot().durable());
          disk.powerLoss();

          PartitionStore after = new LogBench(DATA, disk).open(LogBench.segments(2000));
          assertEquals("", after.snapshot().offline());
          assertEquals(36, after.snapshot().end());
          assertEquals(written, LogBench.readAll(after, 0, 1000));
        });
  }

  @Test
  void pagesThatGoBetweenTheScanAndTheForceAreNotServed() throws IOException {
    WrittenLog log = new WrittenLog(directory);
    log.fill(8);
    UnforcedDisk disk = new UnforcedDisk();
    RecoveryRig rig = new RecoveryRig(directory, disk);
    WrittenLog.Batch dropped = log.batch(5);
    AtomicInteger reads = new AtomicInteger();
    disk.fault =
        (action, path) -> {
          // The scan reads first; what is written again is read again.
          if (action.equals("read")
              && path.equals(log.lastFile())
              && reads.incrementAndGet() == 2) {
            rig.overwrite(log.lastFile(), dropped.position(), new byte[dropped.bytes()]);
          }
        };
    RecoveredLog recovered = rig.unclean(log.checkpoint(log.batch(1).base()));
    assertTrue(recovered.offline().contains("changed while"), recovered.offline());

    RecoveredLog next = rig.unclean(log.checkpoint(log.batch(1).base()));
    rig.assertOpenAt(next, dropped.base());
  }

  @Test
  void aCheckpointWhoseForceFailedIsDurableWhenTheNextProcessBelievesIt() throws IOException {
    onManyDisks(
        disk -> {
          disk.createDirectories(DATA);
          CheckpointFile first = new CheckpointFile(disk, DATA);
          first.load();
          first.write(List.of(entry(1)), false);
          disk.failNextForce("checkpoint.tmp");
          assertThrows(IOException.class, () -> first.write(List.of(entry(2)), false));
          disk.processKill();

          CheckpointFile.Loaded believed = new CheckpointFile(disk, DATA).load();
          assertEquals(entry(2), believed.entry(LogBench.ID).orElseThrow());
          disk.powerLoss();

          CheckpointFile.Loaded after = new CheckpointFile(disk, DATA).load();
          assertEquals(List.of(), after.problems());
          assertEquals(believed, after);
        });
  }

  private static CheckpointEntry entry(long durable) {
    return new CheckpointEntry(LogBench.ID, 1, 0, durable, 0, durable, 100, 7);
  }

  @Test
  void aValueWhoseNameAKilledProcessDidNotForceStays() throws IOException {
    onManyDisks(
        disk -> {
          MetaStore first = new LogBench(DATA, disk).directory.meta();
          assertTrue(first.replace("topics", value("one"), 0));
          // Created, written, forced, renamed; then the directory is due.
          disk.stopBefore(disk.operations() + 4);
          assertThrows(PowerOff.class, () -> first.replace("topics", value("two"), 1));
          disk.processKill();

          assertEquals(value("two"), topics(new LogBench(DATA, disk)));
          disk.powerLoss();

          assertEquals(value("two"), topics(new LogBench(DATA, disk)));
        });
  }

  private static ByteBuffer value(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static ByteBuffer topics(LogBench bench) throws IOException {
    return bench.directory.meta().read("topics").orElseThrow().value();
  }

  @Test
  void removingSegmentsKeepsTheLogTogetherWhileTheNewestSegmentsNameIsNotDurable()
      throws IOException {
    onManyDisks(
        disk -> {
          LogBench first = new LogBench(DATA, disk);
          PartitionStore store = first.open(LogBench.segments(2000));
          for (int i = 0; i < 12; i++) {
            first.append(store, 4, 100);
            store.flush();
          }
          first.append(store, 4, 100);
          assertEquals(List.of(0L, 12L, 24L, 36L, 48L), first.bases());
          // Without descriptors the segment that is sealed here can be forced, the new name not.
          first.disk.fault =
              (action, path) -> {
                if (action.equals("force") && path.equals(first.partition())) {
                  throw new OpenFileLimitException("Too many open files", new IOException());
                }
              };
          store.flush();
          first.disk.fault = (action, path) -> {};
          store.trimTo(48);
          assertEquals(List.of(48L), first.bases());
          disk.powerLoss();

          PartitionStore after = new LogBench(DATA, disk).open(LogBench.segments(2000));
          assertEquals("", after.snapshot().offline());
          assertEquals(48, after.snapshot().start());
        });
  }
}
