package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.RepairAction;
import io.minikafka.partition.RepairResult;
import io.minikafka.partition.RepairResult.Reason;
import io.minikafka.sim.SimDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Repairs on disks that are full or do not read, and repairs that others get in the way of. */
class RepairFaultTest {
  private static final Path DATA = Path.of("/data");

  private SimDisk disk;
  private LogBench bench;
  private PartitionStore store;

  /** Four segments of ten offsets; of the second the last five are damaged. */
  @BeforeEach
  void begin() throws IOException {
    disk = new SimDisk(3);
    bench = new LogBench(DATA, disk);
    store = open();
    for (int i = 0; i < 8; i++) {
      bench.append(store, 5, 100);
    }
    store.flush();
    byte[] bytes = disk.bytes(bench.logFile(10));
    bytes[bytes.length / 2 + 300] ^= 4;
    disk.replace(bench.logFile(10), bytes);
    RepairRig.verified(store);
    assertEquals(1, store.damage().size());
  }

  private PartitionStore open() throws IOException {
    return bench.open(LogBench.segments(1600));
  }

  private RepairResult.Refused refused(RepairAction action) throws IOException {
    return assertInstanceOf(RepairResult.Refused.class, store.repair(action, 15, false));
  }

  private void nothingHasChanged() throws IOException {
    assertEquals(1, store.damage().size());
    assertEquals("", store.snapshot().offline());
    assertEquals(40, store.snapshot().end());
    assertEquals(35, RepairRig.served(store).size());
    Path quarantine = LogFiles.quarantine(DATA);
    assertEquals(List.of(), disk.exists(quarantine) ? disk.list(quarantine) : List.of());
    assertTrue(
        disk.list(bench.partition()).stream().noneMatch(SegmentSwap::isLeftover), "leftovers");
  }

  @Test
  void aDiskThatIsFullChangesNothing() throws IOException {
    for (RepairAction action : RepairAction.values()) {
      disk.limitFreeBytes(500);
      assertEquals(Reason.NO_ROOM, refused(action).reason());
      nothingHasChanged();
    }
    disk.limitFreeBytes(Long.MAX_VALUE);
    assertInstanceOf(RepairResult.Done.class, store.repair(RepairAction.SKIP, 15, false));
  }

  @Test
  void aDiskThatBecomesFullOnTheWayChangesNothing() throws IOException {
    for (RepairAction action : RepairAction.values()) {
      for (String where : List.of(".cut", LogFiles.CLEANED)) {
        bench.disk.fault =
            (what, path) -> {
              if (what.equals("write") && path.toString().endsWith(where)) {
                throw new io.minikafka.storage.DiskFullException("no room for " + path);
              }
            };
        assertEquals(Reason.NO_ROOM, refused(action).reason());
        nothingHasChanged();
      }
    }
    bench.disk.fault = (what, path) -> {};
    assertInstanceOf(RepairResult.Done.class, store.repair(RepairAction.CUT, 15, false));
  }

  /** As any segment that rolled; nothing was lost, and nothing is to be undone. */
  @Test
  void anActiveSegmentThatWasSealedForARepairWithoutRoomStaysSealed() throws IOException {
    byte[] bytes = disk.bytes(bench.logFile(30));
    bytes[300] ^= 4;
    disk.replace(bench.logFile(30), bytes);
    RepairRig.verified(store);
    bench.disk.fault =
        (what, path) -> {
          if (what.equals("write") && path.toString().endsWith(".cut")) {
            throw new io.minikafka.storage.DiskFullException("no room for " + path);
          }
        };
    RepairResult.Refused refused =
        assertInstanceOf(RepairResult.Refused.class, store.repair(RepairAction.SKIP, 30, false));
    assertEquals(Reason.NO_ROOM, refused.reason());
    assertEquals(List.of(0L, 10L, 20L, 30L, 40L), bench.bases());
    assertEquals(2, store.damage().size());
    bench.disk.fault = (what, path) -> {};
    bench.append(store, 5, 100);
    store.flush();
    assertEquals(45, store.snapshot().durable());
    bench.restart(store);
    store = open();
    assertEquals(35, RepairRig.served(store).size());
    assertInstanceOf(RepairResult.Done.class, store.repair(RepairAction.SKIP, 30, false));
    assertEquals(List.of(15L), store.damage().stream().map(range -> range.from()).toList());
  }

  @Test
  void aCopyThatQuarantineDoesNotTakeIsNotDoneWithout() throws IOException {
    store.close();
    bench.directory.close();
    DirectorySettingsOf little = new DirectorySettingsOf(100);
    bench.settings = little.settings();
    bench.directory = bench.openDirectory();
    store = open();
    RepairResult.Refused full = refused(RepairAction.SKIP);
    assertEquals(Reason.NO_ROOM, full.reason());
    assertTrue(full.message().contains("minikafka.storage.quarantine-bytes"), full.message());
    nothingHasChanged();
  }

  /** The usual ones with another bound on quarantine. */
  private record DirectorySettingsOf(long quarantineBytes) {
    DirectorySettings settings() {
      DirectorySettings d = LogBench.directorySettings();
      return new DirectorySettings(
          d.unflushedBytes(),
          d.forcers(),
          d.dirtyForceIntervalMs(),
          d.retentionCheckIntervalMs(),
          d.checkpointIntervalMs(),
          d.openSealedSegments(),
          d.indexCacheBytes(),
          d.hotBytes(),
          d.descriptorLimit(),
          d.reservedDescriptors(),
          quarantineBytes,
          d.compactionMemoryBytes(),
          d.compactionBytesPerSecond());
    }
  }

  @Test
  void aDiskThatFailsBeforeTheCopyIsThereChangesAndEndsNothing() throws IOException {
    bench.disk.fault =
        (what, path) -> {
          if (what.equals("create") && path.toString().endsWith(".cut")) {
            throw new IOException("the medium says no");
          }
        };
    assertThrows(IOException.class, () -> store.repair(RepairAction.SKIP, 15, false));
    assertEquals(List.of(), bench.fatal);
    nothingHasChanged();
  }

  @Test
  void aSegmentThatRetentionTookIsNoDamageAnyMore() throws IOException {
    var check = store.check();
    check.step(1);
    store.trimTo(20);
    while (!check.isDone()) {
      check.step(1 << 20);
    }
    check.close();
    assertEquals(List.of(), store.damage());
    assertEquals(Reason.NOT_DAMAGED, refused(RepairAction.SKIP).reason());
  }

  @Test
  void aCheckThatIsClosedReadsNoMoreAndHoldsNothing() throws IOException {
    int before = bench.disk.openFiles.get();
    var check = store.check();
    check.step(1);
    check.close();
    long read = bench.disk.bytesRead.get();
    assertThrows(IOException.class, () -> check.step(1 << 20));
    assertEquals(read, bench.disk.bytesRead.get());
    store.trimTo(40);
    assertTrue(bench.disk.openFiles.get() <= before, "a lease was left");
  }

  @Test
  void whatTookTheLogOfflineDuringACutIsNotUndoneByIt() throws IOException {
    bench.disk.fault =
        (what, path) -> {
          if (what.equals("write") && path.toString().endsWith(LogFiles.CLEANED)) {
            ((PartitionLog) store).openLog().goOffline("something else broke");
          }
        };
    assertInstanceOf(RepairResult.Done.class, store.repair(RepairAction.CUT, 15, false));
    assertEquals("something else broke", store.snapshot().offline());
  }

  @Test
  void aRepairThatAClosePassesSaysThatThePartitionWasClosed() throws IOException {
    boolean[] closed = {false};
    bench.disk.fault =
        (what, path) -> {
          if (!closed[0] && what.equals("write") && path.toString().endsWith(LogFiles.CLEANED)) {
            closed[0] = true;
            store.close();
          }
        };
    assertEquals(Reason.CLOSED, refused(RepairAction.SKIP).reason());
    assertTrue(closed[0]);
  }

  @Test
  void aRepairedTopicMayBeDeleted() throws IOException {
    assertInstanceOf(RepairResult.Done.class, store.repair(RepairAction.CUT, 15, false));
    store.close();
    bench.directory.deleteTopic(LogBench.ID.topicId());
    assertTrue(!disk.exists(bench.partition()));
    store = open();
    assertEquals(0, store.snapshot().end());
  }
}
