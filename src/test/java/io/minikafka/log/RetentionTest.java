package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.ReadResult.Entries;
import io.minikafka.record.RecordReader;
import io.minikafka.storage.DiskFullException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RetentionTest {
  private static final int SEGMENT = 4096;
  private static final long TARGET = 20_000;

  @TempDir Path data;
  LogBench bench;

  @BeforeEach
  void open() throws IOException {
    bench = new LogBench(data);
  }

  private void fill(PartitionStore store, int batches) throws IOException {
    for (int i = 0; i < batches; i++) {
      bench.append(store, 5, 100);
      store.flush();
    }
  }

  private void assertWithinTarget() throws IOException {
    long bytes = bench.bytesOnDisk();
    assertTrue(bytes >= TARGET, "%d bytes remain".formatted(bytes));
    assertTrue(bytes < TARGET + SEGMENT, "%d bytes remain".formatted(bytes));
  }

  @Test
  void whatRemainsIsTheTargetAndLessThanASegmentMore() throws IOException {
    PartitionStore store = bench.open(LogBench.retention(SEGMENT, TARGET, -1));
    fill(store, 30);

    for (int i = 0; i < 40; i++) {
      fill(store, 1);
      assertWithinTarget();
    }

    assertEquals((long) bench.bases().getFirst(), store.snapshot().start());
    assertEquals(bench.bytesOnDisk(), store.stats().orElseThrow().bytes());
    assertEquals(bench.bases().size(), store.stats().orElseThrow().segments());
  }

  @Test
  void retentionHoldsAcrossARestart() throws IOException {
    PartitionStore store = bench.open(LogBench.retention(SEGMENT, -1, -1));
    fill(store, 100);
    bench.restart(store);

    PartitionStore again = bench.open(LogBench.retention(SEGMENT, TARGET, -1));
    bench.advanceMs(1000);

    assertWithinTarget();
    assertEquals((long) bench.bases().getFirst(), again.snapshot().start());
    bench.restart(again);
    PartitionStore third = bench.open(LogBench.retention(SEGMENT, TARGET, -1));
    assertWithinTarget();
    assertEquals((long) bench.bases().getFirst(), third.snapshot().start());
    assertEquals(500, third.snapshot().end());
  }

  @Test
  void theStartIsOnDiskBeforeAnyFileIsRemoved() throws IOException {
    PartitionStore store = bench.open(LogBench.retention(SEGMENT, -1, -1));
    fill(store, 30);
    bench.disk.events.clear();

    store.trimTo(100);

    List<String> events = bench.disk.events;
    int forced = events.indexOf("force checkpoint.tmp");
    int renamed = events.indexOf("rename checkpoint");
    int unlinked = events.indexOf("delete 00000000000000000000.log");
    assertTrue(forced >= 0 && forced < renamed && renamed < unlinked, events.toString());
    assertTrue(events.subList(renamed, unlinked).contains("force " + data.getFileName()));
  }

  @Test
  void deletingEveryRecordGivesBackItsBytes() throws IOException {
    PartitionStore store = bench.open(LogBench.retention(SEGMENT, -1, -1));
    fill(store, 30);
    long end = store.snapshot().end();

    store.trimTo(end);

    assertEquals(0, bench.bytesOnDisk());
    assertEquals(List.of(end), bench.bases());
    assertEquals(0, store.stats().orElseThrow().bytes());
    fill(store, 3);
    assertEquals(15, LogBench.readAll(store, end, 1000).size());
    bench.restart(store);
    PartitionStore again = bench.open(LogBench.retention(SEGMENT, -1, -1));
    assertEquals(end, again.snapshot().start());
    assertEquals(15, LogBench.readAll(again, end, 1000).size());
  }

  @Test
  void withoutRoomForASegmentTheRecordsAreDeletedAllTheSame() throws IOException {
    PartitionStore store = bench.open(LogBench.retention(SEGMENT, -1, -1));
    fill(store, 3);
    bench.disk.fault =
        (action, path) -> {
          if (path.toString().endsWith(".log") && action.equals("create")) {
            throw new DiskFullException("No space left on device");
          }
        };
    store.trimTo(15);
    assertEquals(15, store.snapshot().start());
    bench.disk.fault = (action, path) -> {};
    store.trimTo(15);
    assertEquals(0, bench.bytesOnDisk());
  }

  @Test
  void segmentsGoOldestFirst() throws IOException {
    PartitionStore store = bench.open(LogBench.retention(SEGMENT, -1, -1));
    fill(store, 30);
    List<Long> before = bench.bases();
    bench.disk.events.clear();

    store.trimTo(store.snapshot().durable());

    List<String> unlinked =
        bench.disk.events.stream()
            .filter(e -> e.startsWith("delete") && e.endsWith(".log") && !e.contains("spare"))
            .toList();
    assertEquals(
        before.stream().map(base -> "delete %020d.log".formatted(base)).toList(), unlinked);
  }

  @Test
  void timeRetentionGoesByAppendTimeAndNotByTheFilesTime() throws IOException {
    PartitionStore store = bench.open(LogBench.retention(SEGMENT, -1, 60_000));
    fill(store, 6);
    bench.millis += 50_000;
    fill(store, 10);
    for (long base : bench.bases()) {
      Files.setLastModifiedTime(bench.logFile(base), FileTime.fromMillis(1));
    }

    bench.advanceMs(30_000);

    long start = store.snapshot().start();
    assertTrue(start > 0 && start <= 30, "start " + start);
    assertTrue(bench.bases().size() > 1);
  }

  @Test
  void timeRetentionReachesAnIdlePartition() throws IOException {
    PartitionStore store = bench.open(LogBench.segmentMs(10_000, 45_000));
    fill(store, 1);

    bench.advanceMs(30_000);
    assertEquals(List.of(0L, 5L), bench.bases());
    bench.advanceMs(30_000);

    assertEquals(List.of(5L), bench.bases());
    assertEquals(5, store.snapshot().start());
    assertEquals(5, store.snapshot().end());
  }

  @Test
  void theActiveSegmentNeverGoes() throws IOException {
    PartitionStore store = bench.open(LogBench.retention(SEGMENT, 0, 0));
    fill(store, 4);

    bench.advanceMs(120_000);

    assertEquals(0, store.snapshot().start());
    assertEquals(20, LogBench.readAll(store, 0, 1000).size());
  }

  @Test
  void whatIsNotDurableIsNotGivenUp() throws IOException {
    PartitionStore store = bench.open(LogBench.retention(SEGMENT, 0, -1));
    bench.forcers.hold();
    for (int i = 0; i < 30; i++) {
      bench.append(store, 5, 100);
    }

    assertEquals(0, store.snapshot().start());
    bench.forcers.release();
    store.flush();
    bench.advanceMs(30_000);
    assertTrue(store.snapshot().start() > 0);
  }

  @Test
  void aSliceStillBeingSentSurvivesRetention() throws IOException {
    PartitionStore store = bench.open(LogBench.retention(4 * SEGMENT, -1, -1));
    fill(store, 120);
    Entries slow = (Entries) store.read(0, 3 * SEGMENT, true, 600);

    store.trimTo(600);

    assertTrue(bench.directory.directoryStats().pinnedBytes() > 0);
    assertEquals(1, bench.bases().size());
    ByteBuffer late = ByteBuffer.allocate(slow.blob().length()).order(ByteOrder.LITTLE_ENDIAN);
    slow.blob().copyTo(late);
    RecordReader reader = new RecordReader(late.flip(), 0);
    while (reader.next() != null) {}
    assertEquals(slow.nextOffset(), reader.nextOffset());
    int open = bench.disk.openFiles.get();
    slow.blob().release();
    assertEquals(open - 1, bench.disk.openFiles.get());
  }

  @Test
  void deletedRecordsAreGoneForGood() throws IOException {
    PartitionStore store = bench.open(LogBench.retention(SEGMENT, -1, -1));
    fill(store, 30);

    store.trimTo(77);

    assertEquals(77, store.snapshot().start());
    assertEquals(new ReadResult.OutOfRange(77, 150), store.read(76, 100, true, 150));
    assertInstanceOf(Entries.class, store.read(77, 100, true, 150));
    assertEquals(73, LogBench.readAll(store, 77, 1000).size());
    store.trimTo(10);
    assertEquals(77, store.snapshot().start(), "the start never falls");
    bench.restart(store);
    assertEquals(77, bench.open().snapshot().start());
  }

  @Test
  void whatIsNotDurableCannotBeDeleted() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, "a");

    assertThrows(IllegalArgumentException.class, () -> store.trimTo(1));
  }

  @Test
  void aFailedCheckpointGivesUpNothing() throws IOException {
    PartitionStore store = bench.open(LogBench.retention(SEGMENT, -1, -1));
    fill(store, 30);
    List<Long> before = bench.bases();
    bench.disk.fault =
        (action, path) -> {
          if (action.equals("create")) {
            throw new DiskFullException("full");
          }
        };

    assertThrows(IOException.class, () -> store.trimTo(100));

    assertEquals(0, store.snapshot().start());
    assertEquals(before, bench.bases());
    bench.disk.fault = (action, path) -> {};
    store.trimTo(100);
    assertEquals(100, store.snapshot().start());
  }

  @Test
  void readersNeverSeeAnythingButRecordsOrOutOfRangeWhileRetentionRuns() throws Exception {
    PartitionStore store = bench.open(LogBench.retention(1024, 8000, -1));
    fill(store, 20);
    AtomicReference<Throwable> failed = new AtomicReference<>();
    AtomicBoolean stop = new AtomicBoolean();
    Thread[] readers = new Thread[3];
    for (int t = 0; t < readers.length; t++) {
      readers[t] =
          new Thread(
              () -> {
                try {
                  while (!stop.get()) {
                    readOnce(store);
                  }
                } catch (Throwable e) {
                  failed.compareAndSet(null, e);
                }
              });
      readers[t].start();
    }

    fill(store, 600);

    stop.set(true);
    for (Thread reader : readers) {
      reader.join();
    }
    assertEquals(null, failed.get());
    assertTrue(store.snapshot().start() > 2000);
    assertEquals(0, bench.directory.directoryStats().pinnedSlices());
  }

  private static void readOnce(PartitionStore store) throws IOException {
    PartitionStore.Snapshot now = store.snapshot();
    switch (store.read(now.start(), 3000, true, now.end())) {
      case Entries entries -> {
        long next = entries.nextOffset();
        RecordReader reader = new RecordReader(LogBench.bytes(entries), now.start());
        long count = 0;
        while (reader.next() != null) {
          count++;
        }
        assertEquals(next - now.start(), count);
      }
      case ReadResult.OutOfRange range -> assertTrue(range.start() > now.start());
      case ReadResult.Damaged damaged -> throw new AssertionError(damaged.toString());
      case ReadResult.Offline offline -> throw new AssertionError(offline.reason());
    }
  }
}
