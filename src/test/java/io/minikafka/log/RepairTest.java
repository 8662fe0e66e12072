package io.minikafka.log;

import static io.minikafka.log.RepairRig.RECORDS;
import static io.minikafka.log.RepairRig.flip;
import static io.minikafka.log.RepairRig.refused;
import static io.minikafka.log.RepairRig.repaired;
import static io.minikafka.log.RepairRig.served;
import static io.minikafka.log.RepairRig.verified;
import static io.minikafka.log.RepairRig.without;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.LogCheck.Finding;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.Repair;
import io.minikafka.partition.RepairAction;
import io.minikafka.partition.RepairResult;
import io.minikafka.partition.RepairResult.Reason;
import io.minikafka.partition.StoreOfflineException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage in the place of which a gap is put while the log is open. */
class RepairTest {
  @TempDir Path data;
  private RepairRig rig;

  @BeforeEach
  void begin() throws IOException {
    rig = new RepairRig(data);
  }

  @AfterEach
  void end() throws IOException {
    rig.bench.close();
  }

  @Test
  void verifyNamesExactlyTheBatchThatWasHitAndRemembersIt() throws IOException {
    PartitionStore store = rig.reopened(rig.written());
    assertEquals(List.of(), verified(store));
    rig.flip(10);
    rig.bench.millis += 5_000;
    List<Finding> found = verified(store);
    assertEquals(1, found.size());
    Finding.Damaged damaged = assertInstanceOf(Finding.Damaged.class, found.getFirst());
    assertTrue(damaged.isNew());
    assertEquals(15, damaged.range().from());
    assertEquals(20, damaged.range().to());
    assertEquals(10, damaged.range().segmentBase());
    assertEquals(new ReadResult.Damaged(15, 20), store.read(17, 1000, true, 40));
    assertFalse(((Finding.Damaged) verified(store).getFirst()).isNew());
    assertEquals(rig.bench.millis, store.damage().getFirst().foundMs());
    store = rig.reopened(store);
    assertEquals(new ReadResult.Damaged(15, 20), store.read(17, 1000, true, 40));
    assertEquals(rig.bench.millis, store.damage().getFirst().foundMs());
  }

  @Test
  void everyCheckNamesTheKnownDamageOfASegmentWithoutBytes() throws IOException {
    PartitionStore store = rig.written();
    rig.bench.restart(store);
    Files.write(rig.bench.logFile(10), new byte[0]);
    store = rig.open();
    assertEquals(1, store.damage().size());
    Finding known = new Finding.Damaged(store.damage().getFirst(), false);
    assertEquals(List.of(known), verified(store));
    assertEquals(List.of(known), verified(rig.reopened(store)));
  }

  @Test
  void everyCheckNamesTheKnownDamageOfALogWithoutFiles() throws IOException {
    PartitionStore store = rig.written();
    rig.bench.restart(store);
    for (int i = 0; i < 4; i++) {
      Files.delete(rig.bench.logFile(10L * i));
    }
    store = rig.open();
    assertTrue(store.snapshot().isOffline());
    List<Finding> all = new ArrayList<>();
    store.damage().forEach(range -> all.add(new Finding.Damaged(range, false)));
    assertFalse(all.isEmpty());
    assertEquals(all, verified(store));
  }

  @Test
  void damageInASealedSegmentIsSkippedAndAllElseIsServed() throws IOException {
    PartitionStore store = rig.reopened(rig.written());
    byte[] before = Files.readAllBytes(rig.bench.logFile(10));
    rig.flip(10);
    byte[] hit = Files.readAllBytes(rig.bench.logFile(10));
    verified(store);
    Repair done = repaired(store, RepairAction.SKIP, 16);
    assertEquals(15, done.lostFrom());
    assertEquals(20, done.lostTo());
    assertEquals(40, done.end());
    assertEquals(hit.length / 2, done.bytesSetAside());
    byte[] copy = Files.readAllBytes(data.resolve(done.copies().getFirst()));
    assertArrayEquals(java.util.Arrays.copyOfRange(hit, hit.length / 2, hit.length), copy);
    assertEquals(before.length, hit.length);
    rig.servesAllBut(15, 20, store);
    assertEquals(List.of(new Finding.Skipped(15, 20)), verified(store));
    rig.bench.append(store, RECORDS, 100);
    rig.bench.append(store, RECORDS, 100);
    store.flush();
    store = rig.reopened(store);
    assertEquals(List.of(), store.damage());
    assertFalse(Files.exists(LogFiles.damage(rig.bench.partition())));
    assertEquals(without(15, 20, 50), served(store));
    assertEquals(List.of(new Finding.Skipped(15, 20)), verified(store));
  }

  @Test
  void damageInTheActiveSegmentIsSkippedWhenThatWasSealed() throws IOException {
    PartitionStore store = rig.reopened(rig.written());
    flip(rig.bench.logFile(30), 300);
    verified(store);
    repaired(store, RepairAction.SKIP, 30);
    rig.servesAllBut(30, 35, store);
    rig.bench.append(store, RECORDS, 100);
    store.flush();
    assertEquals(without(30, 35, 45), served(rig.reopened(store)));
  }

  @Test
  void oneOfTwoDamagedRangesIsSkippedAndTheOtherStaysKnown() throws IOException {
    PartitionStore store = rig.reopened(rig.written());
    flip(rig.bench.logFile(10), 300);
    rig.flip(10);
    verified(store);
    assertEquals(2, store.damage().size());
    repaired(store, RepairAction.SKIP, 10);
    assertEquals(List.of(15L), store.damage().stream().map(r -> r.from()).toList());
    assertEquals(without(10, 20, 40), served(store));
    store = rig.reopened(store);
    assertEquals(List.of(15L), store.damage().stream().map(r -> r.from()).toList());
    repaired(store, RepairAction.SKIP, 15);
    rig.servesAllBut(10, 20, store);
  }

  @Test
  void aMissingFirstSegmentBecomesAGap() throws IOException {
    PartitionStore store = rig.written();
    rig.bench.restart(store);
    Files.delete(rig.bench.logFile(0));
    store = rig.open();
    Repair done = repaired(store, RepairAction.SKIP, 3);
    assertEquals(List.of(), done.copies());
    rig.servesAllBut(0, 10, store);
    rig.servesAllBut(0, 10, rig.reopened(store));
  }

  @Test
  void aMissingMiddleSegmentBecomesAGap() throws IOException {
    PartitionStore store = rig.written();
    rig.bench.restart(store);
    Files.delete(rig.bench.logFile(20));
    store = rig.open();
    repaired(store, RepairAction.SKIP, 25);
    rig.servesAllBut(20, 30, store);
    rig.servesAllBut(20, 30, rig.reopened(store));
  }

  @Test
  void repairsThatCannotBeAreRefusedAndChangeNothing() throws IOException {
    PartitionStore store = rig.reopened(rig.written());
    assertEquals(
        "offset 3 is not damaged; nothing in this partition is known to be",
        refused(store, RepairAction.SKIP, 3).message());
    rig.flip(10);
    verified(store);
    TreeMap<String, byte[]> image = image();
    RepairResult.Refused good = refused(store, RepairAction.SKIP, 20);
    assertEquals(Reason.NOT_DAMAGED, good.reason());
    assertEquals("offset 20 is not damaged; damaged are 15 to 19", good.message());
    rig.bench.disk.fault =
        (action, path) -> {
          if (!action.equals("open")) {
            throw new AssertionError(action + " " + path);
          }
        };
    store.repair(RepairAction.SKIP, 15, true);
    store.repair(RepairAction.CUT, 15, true);
    rig.bench.disk.fault = (action, path) -> {};
    same(image, image());
    assertEquals(1, store.damage().size());
  }

  private TreeMap<String, byte[]> image() throws IOException {
    TreeMap<String, byte[]> files = new TreeMap<>();
    try (Stream<Path> all = Files.walk(data)) {
      for (Path file : all.filter(Files::isRegularFile).toList()) {
        if (!file.getFileName().toString().startsWith("lock")) {
          files.put(data.relativize(file).toString(), Files.readAllBytes(file));
        }
      }
    }
    return files;
  }

  private static void same(TreeMap<String, byte[]> expected, TreeMap<String, byte[]> found) {
    assertEquals(expected.keySet(), found.keySet());
    expected.forEach((name, bytes) -> assertArrayEquals(bytes, found.get(name), name));
  }

  @Test
  void aLogThatIsClosedWaitsForARepairUnderWayWhichChangesNothingThen() throws Exception {
    PartitionStore store = rig.reopened(rig.written());
    rig.flip(10);
    verified(store);
    TreeMap<String, byte[]> image = image();
    Thread closing = closedAtTheFirst("create", LogFiles.CLEANED, store);
    assertEquals(Reason.CLOSED, refused(store, RepairAction.SKIP, 15).reason());
    closing.join();
    image().forEach((name, bytes) -> assertArrayEquals(image.getOrDefault(name, bytes), bytes));
    assertTrue(Files.exists(rig.bench.logFile(10)));
    deletedTracelessly();
  }

  private void deletedTracelessly() throws IOException {
    rig.bench.directory.deleteTopic(LogBench.ID.topicId());
    assertFalse(Files.exists(rig.bench.partition().getParent()));
    assertEquals(List.of(), rig.bench.fatal);
  }

  /** Somebody closes the log when the repair does that; it goes on when the log says it is. */
  private Thread closedAtTheFirst(String deed, String nameEnd, PartitionStore store) {
    Thread closing =
        new Thread(
            () -> {
              try {
                store.close();
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    rig.bench.disk.fault =
        (action, path) -> {
          if (action.equals(deed) && path.toString().endsWith(nameEnd)) {
            closing.start();
            while (!(store.repair(RepairAction.SKIP, 15, true)
                    instanceof RepairResult.Refused(Reason reason, String message)
                && reason == Reason.CLOSED)) {
              Thread.onSpinWait();
            }
          }
        };
    return closing;
  }

  @Test
  void damageThatIsFoundInALogThatIsGoneIsNotWrittenDown() throws IOException {
    PartitionStore store = rig.reopened(rig.written());
    rig.flip(10);
    try (var check = store.check()) {
      rig.bench.disk.readFault =
          (action, path) -> {
            if (path.equals(rig.bench.logFile(10))) {
              rig.bench.disk.readFault = (other, name) -> {};
              store.close();
              rig.bench.directory.deleteTopic(LogBench.ID.topicId());
            }
          };
      while (!check.isDone()) {
        check.step(1);
      }
    } catch (StoreOfflineException e) {
      assertEquals("the log was closed", e.getMessage());
    }
    deletedTracelessly();
  }

  @Test
  void aLogIsNotGoneBeforeDamageThatIsBeingWrittenDownIs() throws Exception {
    PartitionStore store = rig.reopened(rig.written());
    rig.flip(10);
    Thread deleting =
        new Thread(
            () -> {
              try {
                store.close();
                rig.bench.directory.deleteTopic(LogBench.ID.topicId());
              } catch (IOException e) {
                throw new java.io.UncheckedIOException(e);
              }
            });
    rig.bench.disk.fault =
        (action, path) -> {
          if (action.equals("create") && path.endsWith("damage.tmp")) {
            deleting.start();
            while (deleting.getState() != Thread.State.BLOCKED
                && Files.exists(rig.bench.partition())) {
              Thread.onSpinWait();
            }
          }
        };
    try {
      verified(store);
    } catch (StoreOfflineException e) {
      assertEquals("the log was closed", e.getMessage());
    }
    deleting.join();
    deletedTracelessly();
  }
}
