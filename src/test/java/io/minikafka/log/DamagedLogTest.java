package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.partition.LogCheck;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.StoreOfflineException;
import io.minikafka.partition.TimeLookup;
import io.minikafka.record.RecordReader;
import io.minikafka.record.RecordView;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An open log of which recovery kept a part that cannot be read. */
class DamagedLogTest {
  private static final int RECORDS = 10;

  @TempDir Path data;

  private LogBench bench;
  private final List<Long> scannedBytes = new ArrayList<>();

  @BeforeEach
  void open() throws IOException {
    bench = new LogBench(data);
    bench.observer =
        new EngineObserver() {
          @Override
          public void onRecovered(
              PartitionId partition, long end, long scanned, long cut, int damaged) {
            scannedBytes.add(scanned);
          }
        };
    bench.directory.close();
    bench.directory = bench.openDirectory();
  }

  @AfterEach
  void close() throws IOException {
    bench.close();
  }

  @Test
  void whatIsBeforeAndBehindTheDamageIsServedAndAppendsGoOn() throws IOException {
    PartitionStore store = damagedInTheMiddle();

    assertEquals(List.of(0L, 9L), firstAndLast(store.read(0, 1 << 20, true, end(store))));
    assertEquals(new ReadResult.Damaged(10, 20), store.read(10, 1 << 20, true, end(store)));
    assertEquals(new ReadResult.Damaged(10, 20), store.read(19, 1 << 20, true, end(store)));
    assertEquals(List.of(20L, 39L), firstAndLast(store.read(20, 1 << 20, true, end(store))));
    bench.append(store, "goes on");
    assertEquals(List.of(20L, 40L), firstAndLast(store.read(20, 1 << 20, true, end(store))));
  }

  @Test
  void theEndOfADamagedLogIsCleanAndTheDamageIsKnownAfterIt() throws IOException {
    PartitionStore store = damagedInTheMiddle();
    scannedBytes.clear();
    for (int i = 0; i < 2; i++) {
      bench.restart(store);
      store = bench.open();
      assertEquals(new ReadResult.Damaged(10, 20), store.read(10, 1 << 20, true, end(store)));
    }
    // The active segment holds the damage, so it is read; no other log would be.
    assertEquals(2, scannedBytes.size());
    assertEquals(40, end(store));
  }

  @Test
  void damageInASealedSegmentCostsNoScan() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(2000));
    for (int i = 0; i < 4; i++) {
      bench.append(store, RECORDS, 100);
    }
    int bytes = (int) Files.size(bench.logFile(10));
    DamageRange known = new DamageRange(10, 20, 10, 0, bytes, "a flipped bit, found before");
    DamageFile.save(bench.disk, bench.partition(), new DamageRanges(List.of(known), false));
    bench.restart(store);
    scannedBytes.clear();
    store = bench.open(LogBench.segments(2000));
    assertEquals(List.of(0L), scannedBytes);
    assertEquals(new ReadResult.Damaged(10, 20), store.read(15, 1 << 20, true, end(store)));
  }

  @Test
  void damageThatARebuildFindsIsKnownAfterARestart() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(2000));
    for (int i = 0; i < 4; i++) {
      bench.append(store, RECORDS, 100);
    }
    bench.restart(store);
    Files.write(bench.logFile(10), new byte[(int) Files.size(bench.logFile(10))]);
    store = bench.open(LogBench.segments(2000));
    assertEquals(new ReadResult.Damaged(10, 20), store.read(15, 1 << 20, true, end(store)));

    bench.restart(store);
    assertEquals(1, DamageFile.load(bench.disk, bench.partition()).orElseThrow().count());
    store = bench.open(LogBench.segments(2000));
    assertEquals(new ReadResult.Damaged(10, 20), store.read(15, 1 << 20, true, end(store)));
    assertEquals(List.of(20L, 39L), firstAndLast(store.read(20, 1 << 20, true, end(store))));
  }

  @Test
  void aBadMarkerFoundByAReadIsDamageUpToTheNextGoodBatchOnly() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(8000));
    for (int i = 0; i < 12; i++) {
      bench.append(store, RECORDS, 100);
    }
    int batch = (int) Files.size(bench.logFile(0)) / (int) (bench.bases().get(1) / RECORDS);
    long sealed = bench.bases().get(0);
    long active = bench.bases().getLast();
    bench.restart(store);
    smash(bench.logFile(sealed), batch, 60);
    smash(bench.logFile(active), 0, 130);
    store = bench.open(LogBench.segments(8000));

    assertEquals(new ReadResult.Damaged(10, 20), store.read(10, 1 << 20, true, end(store)));
    assertEquals(List.of(0L, 9L), firstAndLast(store.read(0, 1 << 20, true, end(store))));
    assertEquals(List.of(20L, active - 1), firstAndLast(store.read(20, 1 << 20, true, end(store))));
    assertEquals(
        new ReadResult.Damaged(active, active + RECORDS),
        store.read(active, 1 << 20, true, end(store)));
    assertEquals(
        List.of(active + RECORDS, 119L),
        firstAndLast(store.read(active + RECORDS, 1 << 20, true, end(store))));
    bench.append(store, "goes on");
    assertEquals(
        List.of(active + RECORDS, 120L),
        firstAndLast(store.read(active + RECORDS, 1 << 20, true, end(store))));
    bench.restart(store);
    assertEquals(2, DamageFile.load(bench.disk, bench.partition()).orElseThrow().count());
  }

  @Test
  void damageIsLookedForOnceAndNotWithEveryRead() throws IOException {
    PartitionStore store = written();
    int batch = (int) Files.size(bench.logFile(0)) / 4;
    bench.restart(store);
    smash(bench.logFile(0), batch, 60);
    store = bench.open();
    assertEquals(new ReadResult.Damaged(10, 20), store.read(10, 1 << 20, true, end(store)));
    long read = bench.disk.bytesRead.get();

    for (int i = 0; i < 10; i++) {
      assertEquals(new ReadResult.Damaged(10, 20), store.read(15, 1 << 20, true, end(store)));
    }

    assertEquals(read, bench.disk.bytesRead.get());
  }

  @Test
  void onAnEventLoopNothingIsLookedForBehindABadMarker() throws IOException {
    PartitionStore store = written();
    int batch = (int) Files.size(bench.logFile(0)) / 4;
    smash(bench.logFile(0), batch, 60);

    assertFalse(store.readMayBlock(10, 1 << 20));
    assertEquals(Optional.empty(), store.readHere(10, 1 << 20, true, end(store)));
    assertFalse(Files.exists(LogFiles.damage(bench.partition())));

    assertEquals(new ReadResult.Damaged(10, 20), store.read(10, 1 << 20, true, end(store)));
    assertEquals(
        Optional.of(new ReadResult.Damaged(10, 20)), store.readHere(10, 1 << 20, true, end(store)));
  }

  @Test
  void aCheckOfEveryByteNarrowsARangeThatIsKnownTooWide() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(8000));
    for (int i = 0; i < 12; i++) {
      bench.append(store, RECORDS, 100);
    }
    int size = (int) Files.size(bench.logFile(0));
    long next = bench.bases().get(1);
    int batch = size / (int) (next / RECORDS);
    bench.restart(store);
    smash(bench.logFile(0), batch, 60);
    DamageRange wide = new DamageRange(10, next, 0, batch, size, "no batch begins there", 77);
    DamageFile.save(bench.disk, bench.partition(), new DamageRanges(List.of(wide), false));
    store = bench.open(LogBench.segments(8000));
    assertEquals(new ReadResult.Damaged(10, next), store.read(20, 1 << 20, true, end(store)));
    List<LogCheck.Finding> found = new ArrayList<>();
    try (LogCheck check = store.check()) {
      while (!check.isDone()) {
        found.addAll(check.step(1 << 20));
      }
    }

    assertEquals(1, found.size(), found::toString);
    assertEquals(new ReadResult.Damaged(10, 20), store.read(10, 1 << 20, true, end(store)));
    assertEquals(List.of(20L, 119L), firstAndLast(store.read(20, 1 << 20, true, end(store))));
    DamageRange left =
        DamageFile.load(bench.disk, bench.partition()).orElseThrow().ranges().getFirst();
    assertEquals(List.of(10L, 20L, 77L), List.of(left.from(), left.to(), left.foundMs()));
  }

  @Test
  void anEntryThatIsAskedForAloneIsCheckedAndItsBatchNamedIfItIsBad() throws IOException {
    PartitionStore store = written();
    int batch = (int) Files.size(bench.logFile(0)) / 4;
    // In the value of offset 12, and in a field of the last marker that leads nobody anywhere.
    flip(bench.logFile(0), batch + 96 + 2 * 128 + 60);
    flip(bench.logFile(0), 3 * batch + 81);

    assertEquals(List.of(10L, 10L), firstAndLast(store.read(10, 1, true, end(store))));
    assertTrue(store.readMayBlock(12, 1));
    assertEquals(new ReadResult.Damaged(10, 20), store.read(12, 1, true, end(store)));
    assertEquals(new ReadResult.Damaged(30, 40), store.read(30, 1, true, end(store)));
    assertEquals(List.of(20L, 29L), firstAndLast(store.read(20, 1 << 20, true, end(store))));
    assertEquals(List.of(0L, 9L), firstAndLast(store.read(0, 1 << 20, true, end(store))));
    assertEquals(2, DamageFile.load(bench.disk, bench.partition()).orElseThrow().count());
  }

  @Test
  void anEntryThatIsGoodIsGivenAsOftenAsItIsAskedForAndNothingElseIsRead() throws IOException {
    PartitionStore store = written();
    store.read(15, 1, true, end(store));
    long before = bench.disk.bytesRead.get();

    assertEquals(List.of(15L, 15L), firstAndLast(store.read(15, 1, true, end(store))));

    assertTrue(bench.disk.bytesRead.get() - before < 10_000, "the segment was read");
  }

  private static void smash(Path file, int position, int bytes) throws IOException {
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      byte[] before = new byte[bytes];
      out.seek(position);
      out.readFully(before);
      for (int i = 0; i < bytes; i++) {
        before[i] ^= 0x55;
      }
      out.seek(position);
      out.write(before);
    }
  }

  @Test
  void aDamagedEndRefusesAppendsUntilItIsRepaired() throws IOException {
    PartitionStore store = written();
    bench.restart(store);
    try (RandomAccessFile file = new RandomAccessFile(bench.logFile(0).toFile(), "rw")) {
      file.setLength(file.length() - 1);
    }
    PartitionStore damaged = bench.open();

    assertEquals(40, end(damaged));
    assertTrue(damaged.snapshot().offline().contains("until it is repaired"));
    assertEquals(List.of(0L, 29L), firstAndLast(damaged.read(0, 1 << 20, true, 40)));
    assertEquals(new ReadResult.Damaged(30, 40), damaged.read(30, 1 << 20, true, 40));
    StoreOfflineException refused =
        assertThrows(StoreOfflineException.class, () -> bench.append(damaged, "x"));
    assertTrue(String.valueOf(refused.getMessage()).contains("until it is repaired"));

    bench.restart(damaged);
    assertEquals(40, end(bench.open()));
  }

  @Test
  void aMissingFirstSegmentIsDamageForEveryRequest() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(2000));
    for (int i = 0; i < 4; i++) {
      bench.append(store, RECORDS, 100);
    }
    TimeLookup latest = store.latestTimestamp(40);
    bench.restart(store);
    Files.delete(bench.logFile(0));
    PartitionStore gap = bench.open(LogBench.segments(2000));

    for (long offset : List.of(0L, 9L)) {
      assertFalse(gap.readMayBlock(offset, 1 << 20));
      assertEquals(new ReadResult.Damaged(0, 10), gap.read(offset, 1 << 20, true, 40));
    }
    assertEquals(List.of(10L, 39L), firstAndLast(gap.read(10, 1 << 20, true, 40)));
    assertEquals(10, gap.offsetForTime(0, 40).offset());
    assertEquals(TimeLookup.NONE, gap.offsetForTime(0, 5));
    assertEquals(TimeLookup.NONE, gap.latestTimestamp(5));
    assertEquals(latest.timestamp(), gap.latestTimestamp(40).timestamp());

    gap.trimTo(5);
    assertFalse(gap.readMayBlock(5, 1 << 20));
    assertEquals(new ReadResult.OutOfRange(5, 40), gap.read(4, 1 << 20, true, 40));
    assertTrue(gap.read(5, 1 << 20, true, 40) instanceof ReadResult.Damaged);
    bench.restart(gap);
    PartitionStore again = bench.open(LogBench.segments(2000));
    assertEquals(new ReadResult.Damaged(5, 10), again.read(5, 1 << 20, true, 40));
    again.trimTo(15);
    assertEquals(List.of(15L, 39L), valuesFrom(15, again.read(15, 1 << 20, true, 40)));
    assertEquals(15, again.offsetForTime(0, 40).offset());
  }

  @Test
  void aMissingDirectoryIsDamageForEveryRequest() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(2000));
    for (int i = 0; i < 4; i++) {
      bench.append(store, RECORDS, 100);
    }
    bench.restart(store);
    for (String name : bench.disk.list(bench.partition())) {
      Files.delete(bench.partition().resolve(name));
    }
    Files.delete(bench.partition());
    PartitionStore gone = bench.open(LogBench.segments(2000));
    for (int i = 0; i < 2; i++) {
      PartitionStore now = gone;
      assertFalse(now.readMayBlock(0, 1 << 20));
      assertFalse(now.readMayBlock(39, 1 << 20));
      assertEquals(new ReadResult.Damaged(0, 40), now.read(0, 1 << 20, true, 40));
      assertEquals(TimeLookup.NONE, now.offsetForTime(0, 40));
      assertEquals(TimeLookup.NONE, now.latestTimestamp(40));
      assertThrows(StoreOfflineException.class, () -> now.trimTo(20));
      bench.restart(now);
      gone = bench.open(LogBench.segments(2000));
    }
  }

  @Test
  void anEndThatWasRefusedIsNeverCutByALaterStart() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(2000));
    for (int i = 0; i < 4; i++) {
      bench.append(store, RECORDS, 100);
    }
    bench.restart(store);
    Path renamed = bench.logFile(99_999);
    Files.move(bench.logFile(30), renamed);
    byte[] before = Files.readAllBytes(renamed);
    for (int i = 0; i < 3; i++) {
      PartitionStore damaged = bench.open(LogBench.segments(2000));
      assertTrue(damaged.snapshot().offline().contains("until it is repaired"));
      assertEquals(40, end(damaged), "a name proves no offset");
      assertEquals(40, damaged.snapshot().durable());
      assertEquals(new ReadResult.Damaged(30, 40), damaged.read(30, 1 << 20, true, 40));
      assertEquals(List.of(0L, 29L), firstAndLast(damaged.read(0, 1 << 20, true, 40)));
      assertTrue(damaged.latestTimestamp(40).offset() < 30);
      bench.restart(damaged);
      assertArrayEquals(before, Files.readAllBytes(renamed));
    }
    Files.move(renamed, bench.logFile(30));
    PartitionStore repaired = bench.open(LogBench.segments(2000));
    assertEquals("", repaired.snapshot().offline());
    assertEquals(List.of(0L, 39L), firstAndLast(repaired.read(0, 1 << 20, true, 40)));
  }

  @Test
  void anEndThatWasRefusedIsNotCutWhenItsSegmentIsRenamedLater() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(2000));
    for (int i = 0; i < 4; i++) {
      bench.append(store, RECORDS, 100);
    }
    bench.restart(store);
    Files.write(bench.logFile(30), new byte[777], StandardOpenOption.APPEND);
    byte[] before = Files.readAllBytes(bench.logFile(30));
    PartitionStore refused = bench.open(LogBench.segments(2000));
    assertTrue(refused.snapshot().offline().contains("until it is repaired"));
    bench.restart(refused);
    Path renamed = bench.logFile(40);
    Files.move(bench.logFile(30), renamed);
    PartitionStore again = bench.open(LogBench.segments(2000));
    assertTrue(again.snapshot().offline().contains("until it is repaired"));
    assertEquals(40, end(again));
    assertArrayEquals(before, Files.readAllBytes(renamed));
  }

  @Test
  void bytesBehindACleanEndStayRefusedOverStarts() throws IOException {
    PartitionStore store = written();
    bench.restart(store);
    Files.write(bench.logFile(0), new byte[5000], StandardOpenOption.APPEND);
    long bytes = Files.size(bench.logFile(0));
    for (int i = 0; i < 3; i++) {
      PartitionStore damaged = bench.open();
      assertTrue(damaged.snapshot().offline().contains("until it is repaired"));
      assertEquals(40, end(damaged));
      assertEquals(List.of(0L, 39L), firstAndLast(damaged.read(0, 1 << 20, true, 40)));
      bench.restart(damaged);
      assertEquals(bytes, Files.size(bench.logFile(0)));
    }
    try (RandomAccessFile file = new RandomAccessFile(bench.logFile(0).toFile(), "rw")) {
      file.setLength(bytes - 5000);
    }
    PartitionStore repaired = bench.open();
    assertEquals("", repaired.snapshot().offline());
    assertFalse(Files.exists(LogFiles.damage(bench.partition())));
  }

  @Test
  void aFileWithOnlyANameBehindACleanEndIsNoPartOfTheLog() throws IOException {
    PartitionStore store = written();
    bench.restart(store);
    Files.createFile(bench.logFile(99_999));
    PartitionStore refused = bench.open();
    assertEquals(40, end(refused));
    assertTrue(refused.snapshot().offline().contains("until it is repaired"));
    bench.restart(refused);
    Files.delete(bench.logFile(99_999));
    assertEquals("", bench.open().snapshot().offline());
  }

  @Test
  void aDamageFileThatCannotBeReadLetsNothingBeCut() throws IOException {
    PartitionStore store = written();
    bench.restart(store);
    Files.write(bench.logFile(0), new byte[5000], StandardOpenOption.APPEND);
    bench.restart(bench.open());
    long bytes = Files.size(bench.logFile(0));
    flip(LogFiles.damage(bench.partition()), 9);
    PartitionStore damaged = bench.open();
    assertTrue(damaged.snapshot().offline().contains("until it is repaired"));
    assertEquals(bytes, Files.size(bench.logFile(0)));
  }

  /** First and last offset of an answer at or above one that was asked for. */
  private static List<Long> valuesFrom(long offset, ReadResult result) throws IOException {
    List<Long> found = firstAndLast(result);
    return List.of(Math.max(offset, found.getFirst()), found.getLast());
  }

  private PartitionStore damagedInTheMiddle() throws IOException {
    PartitionStore store = written();
    bench.restart(store);
    int batch = (int) Files.size(bench.logFile(0)) / 4;
    flip(bench.logFile(0), batch + 300);
    // Without its index the segment is read again.
    Files.delete(LogFiles.offsetIndex(bench.partition(), 0));
    return bench.open();
  }

  private PartitionStore written() throws IOException {
    PartitionStore store = bench.open();
    for (int i = 0; i < 4; i++) {
      bench.append(store, RECORDS, 100);
    }
    return store;
  }

  private static long end(PartitionStore store) {
    return store.snapshot().end();
  }

  private static void flip(Path file, int position) throws IOException {
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.seek(position);
      int value = out.read();
      out.seek(position);
      out.write(value ^ 4);
    }
  }

  private static List<Long> firstAndLast(ReadResult result) throws IOException {
    if (!(result instanceof ReadResult.Entries entries)) {
      throw new AssertionError(result.toString());
    }
    ByteBuffer in = ByteBuffer.allocate(entries.blob().length()).order(ByteOrder.LITTLE_ENDIAN);
    entries.blob().copyTo(in);
    entries.blob().release();
    List<Long> offsets = new ArrayList<>();
    RecordReader reader = new RecordReader(in.flip(), 0);
    for (RecordView record = reader.next(); record != null; record = reader.next()) {
      offsets.add(record.offset());
    }
    return List.of(offsets.getFirst(), offsets.getLast());
  }
}
