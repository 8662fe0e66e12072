package io.minikafka.log;

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
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs with damage, repaired while they are open. */
class RepairTest {
  private static final int SEGMENTS = 4;

  /** Batches of a segment, and records of a batch. */
  private static final int BATCHES = 2;

  private static final int RECORDS = 5;

  @TempDir Path data;
  private LogBench bench;

  @BeforeEach
  void begin() throws IOException {
    bench = new LogBench(data);
  }

  @AfterEach
  void end() throws IOException {
    bench.close();
  }

  /** Four segments of two batches of five records. */
  private PartitionStore written() throws IOException {
    PartitionStore store = open();
    for (int i = 0; i < SEGMENTS * BATCHES; i++) {
      bench.append(store, RECORDS, 100);
    }
    store.flush();
    return store;
  }

  private PartitionStore open() throws IOException {
    return bench.open(LogBench.segments(1600));
  }

  private PartitionStore reopened(PartitionStore store) throws IOException {
    bench.restart(store);
    return open();
  }

  /** Flips a bit in the second batch of a segment. */
  private void flip(long base) throws IOException {
    flip(bench.logFile(base), (int) Files.size(bench.logFile(base)) / 2 + 300);
  }

  private static void flip(Path file, int position) throws IOException {
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.seek(position);
      int value = out.read();
      out.seek(position);
      out.write(value ^ 4);
    }
  }

  static List<Finding> verified(PartitionStore store) throws IOException {
    List<Finding> found = new ArrayList<>();
    try (var check = store.check()) {
      while (!check.isDone()) {
        found.addAll(check.step(1));
      }
    }
    return found;
  }

  private static Repair repaired(PartitionStore store, RepairAction action, long offset)
      throws IOException {
    RepairResult.Done planned =
        assertInstanceOf(RepairResult.Done.class, store.repair(action, offset, true));
    RepairResult.Done done =
        assertInstanceOf(RepairResult.Done.class, store.repair(action, offset, false));
    assertEquals(planned.repair(), done.repair().withCopies(List.of()), "the plan was kept");
    return done.repair();
  }

  private static RepairResult.Refused refused(PartitionStore store, RepairAction action, long at)
      throws IOException {
    return assertInstanceOf(RepairResult.Refused.class, store.repair(action, at, false));
  }

  /** Offsets that can be read; their values are checked. */
  static List<Long> served(PartitionStore store) throws IOException {
    List<Long> offsets = new ArrayList<>();
    long end = store.snapshot().end();
    for (long at = store.snapshot().start(); at < end; ) {
      switch (store.read(at, 300, true, end)) {
        case ReadResult.Damaged damaged -> at = damaged.to();
        case ReadResult.Entries entries -> {
          long next = entries.nextOffset();
          assertTrue(next > at, "no progress at " + at);
          var reader = new io.minikafka.record.RecordReader(LogBench.bytes(entries), at);
          for (var view = reader.next(); view != null; view = reader.next()) {
            String value = new String(view.value().orElseThrow().toArray());
            assertEquals(LogBench.text(view.offset(), value.length()), value);
            offsets.add(view.offset());
          }
          at = next;
        }
        case ReadResult.OutOfRange range -> throw new AssertionError(range + " at " + at);
        case ReadResult.Offline offline -> throw new AssertionError(offline.reason());
      }
    }
    return offsets;
  }

  private static List<Long> offsets(long from, long to) {
    return Stream.iterate(from, offset -> offset < to, offset -> offset + 1).toList();
  }

  private static List<Long> without(long from, long to, long end) {
    List<Long> all = new ArrayList<>(offsets(0, from));
    all.addAll(offsets(to, end));
    return all;
  }

  @Test
  void verifyNamesExactlyTheBatchThatWasHitAndRemembersIt() throws IOException {
    PartitionStore store = reopened(written());
    assertEquals(List.of(), verified(store));
    flip(10);
    bench.millis += 5_000;
    List<Finding> found = verified(store);
    assertEquals(1, found.size());
    Finding.Damaged damaged = assertInstanceOf(Finding.Damaged.class, found.getFirst());
    assertTrue(damaged.isNew());
    assertEquals(15, damaged.range().from());
    assertEquals(20, damaged.range().to());
    assertEquals(10, damaged.range().segmentBase());
    assertEquals(new ReadResult.Damaged(15, 20), store.read(17, 1000, true, 40));
    assertFalse(((Finding.Damaged) verified(store).getFirst()).isNew());
    assertEquals(bench.millis, store.damage().getFirst().foundMs());
    store = reopened(store);
    assertEquals(new ReadResult.Damaged(15, 20), store.read(17, 1000, true, 40));
    assertEquals(bench.millis, store.damage().getFirst().foundMs());
  }

  @Test
  void everyCheckNamesTheKnownDamageOfASegmentWithoutBytes() throws IOException {
    PartitionStore store = written();
    bench.restart(store);
    Files.write(bench.logFile(10), new byte[0]);
    store = open();
    assertEquals(1, store.damage().size());
    Finding known = new Finding.Damaged(store.damage().getFirst(), false);
    assertEquals(List.of(known), verified(store));
    assertEquals(List.of(known), verified(reopened(store)));
  }

  @Test
  void everyCheckNamesTheKnownDamageOfALogWithoutFiles() throws IOException {
    PartitionStore store = written();
    bench.restart(store);
    for (int i = 0; i < SEGMENTS; i++) {
      Files.delete(bench.logFile((long) i * BATCHES * RECORDS));
    }
    store = open();
    assertTrue(store.snapshot().isOffline());
    List<Finding> all = new ArrayList<>();
    store.damage().forEach(range -> all.add(new Finding.Damaged(range, false)));
    assertFalse(all.isEmpty());
    assertEquals(all, verified(store));
  }

  @Test
  void damageInASealedSegmentIsSkippedAndAllElseIsServed() throws IOException {
    PartitionStore store = reopened(written());
    byte[] before = Files.readAllBytes(bench.logFile(10));
    flip(10);
    byte[] hit = Files.readAllBytes(bench.logFile(10));
    verified(store);
    Repair done = repaired(store, RepairAction.SKIP, 16);
    assertEquals(15, done.lostFrom());
    assertEquals(20, done.lostTo());
    assertEquals(40, done.end());
    assertEquals(hit.length / 2, done.bytesSetAside());
    byte[] copy = Files.readAllBytes(data.resolve(done.copies().getFirst()));
    assertArrayEquals(java.util.Arrays.copyOfRange(hit, hit.length / 2, hit.length), copy);
    assertEquals(before.length, hit.length);
    servesAllBut(15, 20, store);
    assertEquals(List.of(new Finding.Skipped(15, 20)), verified(store));
    bench.append(store, RECORDS, 100);
    bench.append(store, RECORDS, 100);
    store.flush();
    store = reopened(store);
    assertEquals(List.of(), store.damage());
    assertFalse(Files.exists(LogFiles.damage(bench.partition())));
    assertEquals(without(15, 20, 50), served(store));
    assertEquals(List.of(new Finding.Skipped(15, 20)), verified(store));
  }

  private void servesAllBut(long from, long to, PartitionStore store) throws IOException {
    assertEquals("", store.snapshot().offline());
    assertEquals(List.of(), store.damage());
    assertEquals(without(from, to, 40), served(store));
  }

  @Test
  void damageInTheActiveSegmentIsSkippedWhenThatWasSealed() throws IOException {
    PartitionStore store = reopened(written());
    flip(bench.logFile(30), 300);
    verified(store);
    repaired(store, RepairAction.SKIP, 30);
    servesAllBut(30, 35, store);
    bench.append(store, RECORDS, 100);
    store.flush();
    assertEquals(without(30, 35, 45), served(reopened(store)));
  }

  @Test
  void oneOfTwoDamagedRangesIsSkippedAndTheOtherStaysKnown() throws IOException {
    PartitionStore store = reopened(written());
    flip(bench.logFile(10), 300);
    flip(10);
    verified(store);
    assertEquals(2, store.damage().size());
    repaired(store, RepairAction.SKIP, 10);
    assertEquals(List.of(15L), store.damage().stream().map(r -> r.from()).toList());
    assertEquals(without(10, 20, 40), served(store));
    store = reopened(store);
    assertEquals(List.of(15L), store.damage().stream().map(r -> r.from()).toList());
    repaired(store, RepairAction.SKIP, 15);
    servesAllBut(10, 20, store);
  }

  @Test
  void aMissingFirstSegmentBecomesAGap() throws IOException {
    PartitionStore store = written();
    bench.restart(store);
    Files.delete(bench.logFile(0));
    store = open();
    Repair done = repaired(store, RepairAction.SKIP, 3);
    assertEquals(List.of(), done.copies());
    servesAllBut(0, 10, store);
    servesAllBut(0, 10, reopened(store));
  }

  @Test
  void aMissingMiddleSegmentBecomesAGap() throws IOException {
    PartitionStore store = written();
    bench.restart(store);
    Files.delete(bench.logFile(20));
    store = open();
    repaired(store, RepairAction.SKIP, 25);
    servesAllBut(20, 30, store);
    servesAllBut(20, 30, reopened(store));
  }

  private PartitionStore withRefusedEnd() throws IOException {
    PartitionStore store = written();
    bench.restart(store);
    try (RandomAccessFile file = new RandomAccessFile(bench.logFile(30).toFile(), "rw")) {
      file.setLength(file.length() - 1);
    }
    PartitionStore refused = open();
    assertTrue(refused.snapshot().isOffline());
    return refused;
  }

  @Test
  void aRefusedEndIsCutAndTheLogGoesOnThereInANewEpoch() throws IOException {
    PartitionStore store = withRefusedEnd();
    int epoch = store.snapshot().epoch();
    Repair done = repaired(store, RepairAction.CUT, 37);
    assertEquals(35, done.end());
    assertEquals(35, done.lostFrom());
    assertEquals(40, done.lostTo());
    assertEquals("", store.snapshot().offline());
    assertEquals(35, store.snapshot().end());
    assertEquals(35, store.snapshot().durable());
    assertTrue(store.snapshot().epoch() > epoch);
    assertEquals(offsets(0, 35), served(store));
    bench.append(store, RECORDS, 100);
    store.flush();
    assertEquals(offsets(0, 40), served(store));
    store = reopened(store);
    assertEquals("", store.snapshot().offline());
    assertEquals(List.of(), store.damage());
    assertEquals(offsets(0, 40), served(store));
  }

  @Test
  void aRefusedEndIsSkippedAndTheLogGoesOnBehindIt() throws IOException {
    PartitionStore store = withRefusedEnd();
    Repair done = repaired(store, RepairAction.SKIP, 35);
    assertEquals(40, done.end());
    assertEquals(without(35, 40, 40), served(store));
    bench.append(store, RECORDS, 100);
    store.flush();
    store = reopened(store);
    assertEquals("", store.snapshot().offline());
    assertEquals(without(35, 40, 45), served(store));
  }

  @Test
  void bytesBehindARefusedEndGoAndNoOffsetIsLost() throws IOException {
    PartitionStore store = written();
    bench.restart(store);
    Files.write(bench.logFile(30), new byte[777], StandardOpenOption.APPEND);
    store = open();
    assertTrue(store.snapshot().isOffline());
    assertEquals(Reason.NOT_DAMAGED, refused(store, RepairAction.CUT, 39).reason());
    Repair done = repaired(store, RepairAction.CUT, 40);
    assertEquals(0, done.lostOffsets());
    assertEquals(777, done.bytesSetAside());
    assertEquals(offsets(0, 40), served(store));
    store = reopened(store);
    assertEquals("", store.snapshot().offline());
    assertEquals(offsets(0, 40), served(store));
  }

  @Test
  void aLogOfWhichAllFilesAreGoneBeginsAgain() throws IOException {
    for (RepairAction action : RepairAction.values()) {
      PartitionStore store = written();
      bench.restart(store);
      for (String name : bench.disk.list(bench.partition())) {
        Files.delete(bench.partition().resolve(name));
      }
      store = open();
      repaired(store, action, 20);
      long end = action == RepairAction.CUT ? 0 : 40;
      assertEquals(end, store.snapshot().end());
      bench.append(store, RECORDS, 100);
      store.flush();
      store = reopened(store);
      assertEquals(offsets(end, end + 5), served(store));
      store.close();
      bench.directory.deleteTopic(LogBench.ID.topicId());
      bench.directory.close();
      bench.directory = bench.openDirectory();
    }
  }

  @Test
  void aLogThatIsServedIsCutInTheMiddle() throws IOException {
    PartitionStore store = reopened(written());
    flip(10);
    verified(store);
    Repair done = repaired(store, RepairAction.CUT, 19);
    assertEquals(15, done.end());
    assertEquals(List.of(20L, 30L), bases(done.removed()));
    assertEquals(3, done.copies().size());
    assertEquals(offsets(0, 15), served(store));
    bench.append(store, RECORDS, 100);
    store.flush();
    assertEquals(offsets(0, 20), served(reopened(store)));
  }

  private static List<Long> bases(List<String> names) {
    return names.stream()
        .map(name -> LogFiles.baseOffset(name, LogFiles.LOG).orElseThrow())
        .toList();
  }

  @Test
  void whatIsBeingSentStaysReadableWhileItsSegmentIsRepaired() throws IOException {
    PartitionStore store = reopened(written());
    flip(10);
    var taken = (ReadResult.Entries) store.read(20, 1 << 20, true, 40);
    var before = (ReadResult.Entries) store.read(10, 100, true, 40);
    verified(store);
    repaired(store, RepairAction.CUT, 15);
    assertEquals(20, count(taken));
    assertEquals(1, count(before));
    assertEquals(0, bench.directory.directoryStats().pinnedBytes());
  }

  private static int count(ReadResult.Entries entries) throws IOException {
    var reader = new io.minikafka.record.RecordReader(LogBench.bytes(entries), 0);
    int count = 0;
    while (reader.next() != null) {
      count++;
    }
    return count;
  }

  @Test
  void repairsThatCannotBeAreRefusedAndChangeNothing() throws IOException {
    PartitionStore store = reopened(written());
    assertEquals(
        "offset 3 is not damaged; nothing in this partition is known to be",
        refused(store, RepairAction.SKIP, 3).message());
    flip(10);
    verified(store);
    TreeMap<String, byte[]> image = image();
    RepairResult.Refused good = refused(store, RepairAction.SKIP, 20);
    assertEquals(Reason.NOT_DAMAGED, good.reason());
    assertEquals("offset 20 is not damaged; damaged are 15 to 19", good.message());
    bench.disk.fault =
        (action, path) -> {
          if (!action.equals("open")) {
            throw new AssertionError(action + " " + path);
          }
        };
    store.repair(RepairAction.SKIP, 15, true);
    store.repair(RepairAction.CUT, 15, true);
    bench.disk.fault = (action, path) -> {};
    same(image, image());
    assertEquals(1, store.damage().size());
  }

  @Test
  void aClosedLogIsNotRepaired() throws IOException {
    PartitionStore store = withRefusedEnd();
    store.close();
    assertEquals(Reason.CLOSED, refused(store, RepairAction.CUT, 37).reason());
    assertEquals(Reason.CLOSED, refused(store, RepairAction.SKIP, 37).reason());
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
  void theSecondOfTwoRepairsFindsNothingToDo() throws IOException {
    PartitionStore store = withRefusedEnd();
    repaired(store, RepairAction.SKIP, 37);
    assertEquals(Reason.NOT_DAMAGED, refused(store, RepairAction.SKIP, 37).reason());
    assertEquals(Reason.NOT_DAMAGED, refused(store, RepairAction.CUT, 37).reason());
  }
}
