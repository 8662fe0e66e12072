package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.codec.Chain;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.ReadResult.Entries;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import io.minikafka.record.RecordReader;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadTest {
  private static final int RECORD_BYTES = Entry.PLAIN_OVERHEAD_BYTES + 100;

  @TempDir Path data;
  LogBench bench;

  @BeforeEach
  void open() throws IOException {
    bench = new LogBench(data);
  }

  @Test
  void anAnswerStartsWithTheMarkerThatStandsDirectlyBefore() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, 3, 100);
    bench.append(store, 3, 100);

    ByteBuffer first = LogBench.bytes(store.read(3, 10_000, true, 6));
    ByteBuffer inside = LogBench.bytes(store.read(4, 10_000, true, 6));

    assertTrue(BatchMarker.isMarker(first, 0));
    assertEquals(3, Entry.offset(first, 0));
    assertEquals(BatchMarker.BYTES + 3 * RECORD_BYTES, first.remaining());
    assertEquals(4, Entry.offset(inside, 0));
    assertEquals(2 * RECORD_BYTES, inside.remaining());
  }

  @Test
  void anAnswerEndsAtAnEntryBoundaryAndNeverWithAMarker() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, 2, 100);
    bench.append(store, 2, 100);
    int firstBatch = BatchMarker.BYTES + 2 * RECORD_BYTES;

    for (int maxBytes = firstBatch;
        maxBytes < firstBatch + BatchMarker.BYTES + RECORD_BYTES;
        maxBytes++) {
      Entries entries = (Entries) store.read(0, maxBytes, true, 4);
      assertEquals(firstBatch, LogBench.bytes(entries).remaining());
      assertEquals(2, entries.nextOffset());
    }
    assertEquals(
        firstBatch + BatchMarker.BYTES + RECORD_BYTES,
        LogBench.bytes(store.read(0, firstBatch + BatchMarker.BYTES + RECORD_BYTES, true, 4))
            .remaining());
  }

  @Test
  void anOffsetBehindTheEndIsDamageAndNotARecordThatIsYetToBeSeen() throws IOException {
    PartitionStore store = bench.open();
    for (int i = 0; i < 3; i++) {
      bench.append(store, 1, 100);
    }
    int second = BatchMarker.BYTES + RECORD_BYTES + BatchMarker.BYTES;
    try (FileChannel file = FileChannel.open(bench.logFile(0), StandardOpenOption.WRITE)) {
      ByteBuffer offset = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN).putLong(1_000_000);
      file.write(offset.flip(), second);
    }

    assertEquals(new ReadResult.Damaged(1, 2), store.read(1, 10_000, true, 3));
    assertEquals(1, ((Entries) store.read(0, 10_000, true, 3)).nextOffset());
    assertEquals(3, ((Entries) store.read(2, 10_000, true, 3)).nextOffset());
  }

  @Test
  void theFirstEntryComesWholeOnlyIfAsked() throws IOException {
    PartitionStore store = bench.open();
    bench.append(store, 2, 100);

    Entries whole = (Entries) store.read(0, 1, true, 2);
    Entries nothing = (Entries) store.read(0, 1, false, 2);

    assertEquals(BatchMarker.BYTES + RECORD_BYTES, LogBench.bytes(whole).remaining());
    assertEquals(1, whole.nextOffset());
    assertEquals(0, nothing.blob().length());
    assertEquals(0, nothing.nextOffset());
  }

  @Test
  void nothingAtOrAboveTheLimitIsGiven() throws IOException {
    PartitionStore store = bench.open();
    for (int i = 0; i < 100; i++) {
      bench.append(store, 2, 100);
    }

    Entries entries = (Entries) store.read(10, LogBench.MIB, true, 60);

    assertEquals(60, entries.nextOffset());
    RecordReader reader = new RecordReader(LogBench.bytes(entries), 10);
    while (reader.next() != null) {}
    assertEquals(60, reader.nextOffset());
    assertEquals(0, ((Entries) store.read(60, 1000, true, 60)).blob().length());
  }

  @Test
  void aSmallFetchInsideALargeBatchReadsNoMoreThanTwiceWhatItDelivers() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(64 << 20));
    int records = 104;
    bench.append(store, records, 10_000);
    assertTrue(bench.bytesOnDisk() > 1_000_000);

    for (long offset = 0; offset < records; offset++) {
      long before = bench.disk.bytesRead.get();
      Entries entries = (Entries) store.read(offset, 4096, true, records);
      // Asking and delivering: the bytes themselves are read from the file once.
      int delivered = LogBench.bytes(entries).remaining();
      long read = bench.disk.bytesRead.get() - before;
      assertEquals(offset + 1, entries.nextOffset());
      assertTrue(read <= 2L * delivered, "%d read for %d".formatted(read, delivered));
    }
  }

  @Test
  void aLookupReadsAtMostAnIntervalAndAnEntryOfHeaders() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(64 << 20));
    bench.append(store, 10_000, 77);

    for (long offset = 0; offset < 10_000; offset += 7) {
      long before = bench.disk.bytesRead.get();
      store.read(offset, 2, true, 10_000);
      long read = bench.disk.bytesRead.get() - before;
      assertTrue(read <= 4096 + 105 + BatchMarker.BYTES, "%d bytes read".formatted(read));
    }
  }

  @Test
  void aReadFromAnIndexedOffsetGivesExactlyThatRecord() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(64 << 20));
    bench.append(store, 1000, 1000);

    for (long offset = 1; offset < 1000; offset++) {
      ByteBuffer answer = LogBench.bytes(store.read(offset, 1, true, 1000));
      assertEquals(offset, Entry.offset(answer, 0));
      assertEquals(Entry.PLAIN_OVERHEAD_BYTES + 1000, answer.remaining());
    }
  }

  @Test
  void aFetchSpansSegments() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(1024));
    for (int i = 0; i < 20; i++) {
      bench.append(store, 2, 100);
    }
    assertTrue(bench.bases().size() > 5);

    Entries entries = (Entries) store.read(1, 100_000, true, 40);

    assertInstanceOf(Chain.class, entries.blob());
    assertEquals(40, entries.nextOffset());
    RecordReader reader = new RecordReader(LogBench.bytes(entries), 1);
    int records = 0;
    while (reader.next() != null) {
      records++;
    }
    assertEquals(39, records);
  }

  @Test
  void releasedAnswersLeaveNoLeaseAndNoDescriptor() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(1024));
    for (int i = 0; i < 20; i++) {
      bench.append(store, 2, 100);
    }
    store.flush();
    int segments = bench.bases().size();

    for (int i = 0; i < 10_000; i++) {
      Entries aborted = (Entries) store.read(i % 40, 100_000, true, 40);
      aborted.blob().release();
      aborted.blob().release();
    }

    assertEquals(0, bench.directory.directoryStats().pinnedBytes());
    assertEquals(0, bench.directory.directoryStats().pinnedSlices());
    store.trimTo(40);
    assertEquals(1, bench.bases().size());
    assertTrue(segments > 1);
    assertEquals(2, bench.disk.openFiles.get(), "only the active segment and the reserve are open");
  }

  @Test
  void noMoreSealedSegmentsAreOpenThanTheBound() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(1024));
    for (int i = 0; i < 200; i++) {
      bench.append(store, 2, 100);
    }
    store.flush();

    LogBench.readAll(store, 0, 300);

    assertTrue(bench.bases().size() > 60);
    assertEquals(16 + 2, bench.disk.openFiles.get());
    assertEquals(16, bench.directory.directoryStats().openSealedSegments());
  }

  @Test
  void freshBytesAreReadWithoutWaitingAndOldOnesMayWait() throws IOException {
    PartitionStore store = bench.open(LogBench.segments(64 << 20));
    bench.append(store, 100, 100);
    assertFalse(store.readMayBlock(0, 10_000));

    bench.restart(store);
    PartitionStore again = bench.open();

    assertTrue(again.readMayBlock(0, 10_000));
    ((Entries) again.read(0, 10_000, true, 100)).blob().release();
    assertFalse(again.readMayBlock(0, 10_000));
  }

  @Test
  void bytesWrittenLongAgoMayWait() throws IOException {
    bench.directory.close();
    bench.settings = LogBench.directorySettings(LogBench.MIB, LogBench.MIB);
    bench.directory = bench.openDirectory();
    PartitionStore store = bench.open(LogBench.segments(64 << 20));
    for (int i = 0; i < 30; i++) {
      bench.append(store, 10, 10_000);
    }

    assertTrue(store.readMayBlock(0, 1000));
    assertFalse(store.readMayBlock(290, 1000));
  }
}
