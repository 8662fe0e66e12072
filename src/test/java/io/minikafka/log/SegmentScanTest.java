package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.log.WrittenLog.Batch;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.EntriesHash;
import io.minikafka.record.Entry;
import io.minikafka.record.Header;
import io.minikafka.record.PartitionHash;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.LocalDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SegmentScanTest {
  private static final long BASE = 100;

  @TempDir Path data;

  private final ByteBuffer out = ByteBuffer.allocate(1 << 16).order(ByteOrder.LITTLE_ENDIAN);
  private final Disk disk = new LocalDisk();

  @Test
  void everyReservedKindIsWalkedByItsSpan() throws IOException {
    batch(
        BASE,
        100,
        0,
        entry(BASE, 1, 1),
        entry(BASE + 1, Entry.KIND_COMPRESSED, 30),
        entry(BASE + 31, Entry.KIND_KAFKA_BATCH, 7),
        entry(BASE + 38, 77, 1),
        entry(BASE + 39, 126, 60),
        entry(BASE + 99, Entry.PLAIN, 1));
    batch(BASE + 100, 1, 0, entry(BASE + 100, Entry.PLAIN, 1));
    assertEquals(List.of("batch 100+100", "batch 200+1", "end 201"), scan(Long.MAX_VALUE));
  }

  @Test
  void aWrongSpanIsABadBatch() throws IOException {
    batch(BASE, 10, 0, entry(BASE, Entry.KIND_COMPRESSED, 9));
    batch(BASE + 10, 10, 0, entry(BASE + 10, Entry.KIND_COMPRESSED, 11));
    batch(BASE + 20, 5, 0, entry(BASE + 20, Entry.KIND_COMPRESSED, 0x7fffffff));
    batch(BASE + 25, 1, 0, entry(BASE + 25, Entry.PLAIN, 1));
    assertEquals(
        List.of(
            "bad batch 100+10", "bad batch 110+10", "bad batch 120+5", "batch 125+1", "end 126"),
        scan(Long.MAX_VALUE));
  }

  @Test
  void inACompactedBatchOffsetsMaySkipButNeverFall() throws IOException {
    int compacted = BatchMarker.FLAG_COMPACTED;
    batch(BASE, 10, compacted, entry(BASE + 2, Entry.PLAIN, 1), entry(BASE + 7, Entry.PLAIN, 1));
    batch(BASE + 10, 10, compacted);
    batch(BASE + 20, 4, 0, entry(BASE + 20, Entry.PLAIN, 1), entry(BASE + 23, Entry.PLAIN, 1));
    batch(BASE + 24, 9, compacted, entry(BASE + 26, Entry.PLAIN, 1), entry(BASE + 25, 1, 1));
    batch(BASE + 33, 2, compacted, entry(BASE + 35, Entry.PLAIN, 1));
    batch(BASE + 35, 1, 0);
    assertEquals(
        List.of(
            "batch 100+10",
            "batch 110+10",
            "bad batch 120+4",
            "bad batch 124+9",
            "bad batch 133+2",
            "bad batch 135+1",
            "end 136"),
        scan(Long.MAX_VALUE));
  }

  @Test
  void gapsJoinBatches() throws IOException {
    put(entry(BASE, Entry.KIND_GAP, 50));
    batch(BASE + 50, 1, 0, entry(BASE + 50, Entry.PLAIN, 1));
    put(entry(BASE + 51, Entry.KIND_GAP, 9));
    assertEquals(List.of("gap 100+50", "batch 150+1", "gap 151+9", "end 160"), scan(160));
  }

  @Test
  void aDamagedGapIsABadRange() throws IOException {
    put(entry(BASE, Entry.KIND_GAP, 50));
    int damaged = out.position();
    batch(BASE + 50, 1, 0, entry(BASE + 50, Entry.PLAIN, 1));
    put(entry(BASE + 51, Entry.KIND_GAP, 9));
    batch(BASE + 60, 1, 0, entry(BASE + 60, Entry.PLAIN, 1));
    out.put(damaged - 2, (byte) 1);
    assertEquals(
        List.of("bad range 100…150", "batch 150+1", "gap 151+9", "batch 160+1", "end 161"),
        scan(Long.MAX_VALUE));
  }

  @Test
  void nothingReachesBeyondTheNextSegment() throws IOException {
    batch(BASE, 10, 0, entry(BASE, Entry.KIND_COMPRESSED, 10));
    batch(BASE + 10, 10, 0, entry(BASE + 10, Entry.KIND_COMPRESSED, 10));
    assertEquals(List.of("batch 100+10", "bad range 110…?", "end 110"), scan(119));
    assertEquals(List.of("batch 100+10", "batch 110+10", "end 120"), scan(120));
  }

  @Test
  void numbersThatNoBrokerWritesAreBad() throws IOException {
    batch(BASE, 1, 0, entry(BASE, Entry.PLAIN, 1));
    int second = out.position();
    batch(BASE + 1, 1, 0, entry(BASE + 1, Entry.PLAIN, 1));
    batch(BASE + 2, 1, 0, entry(BASE + 2, Entry.PLAIN, 1));
    List<Runnable> wrongs =
        List.of(
            () -> out.putInt(second + BatchMarker.SPAN, 0),
            () -> out.putInt(second + BatchMarker.SPAN, -1),
            () -> out.putInt(second + BatchMarker.ENTRIES_BYTES, -1),
            () -> out.putInt(second + BatchMarker.LOG_EPOCH, -1),
            () -> out.putLong(second + BatchMarker.BASE_OFFSET, -1),
            () -> out.putLong(second + BatchMarker.BASE_OFFSET, BASE),
            () -> out.putLong(second + BatchMarker.BASE_OFFSET, BASE + 2),
            () -> out.putLong(second + BatchMarker.DURABLE_OFFSET, -1),
            () -> out.putLong(second + BatchMarker.DURABLE_OFFSET, BASE + 2),
            () -> out.putLong(second + BatchMarker.PARTITION_HASH, 1));
    byte[] good = new byte[out.position()];
    out.get(0, good);
    for (Runnable wrong : wrongs) {
      out.put(0, good);
      wrong.run();
      Entry.stampChecksum(out, second);
      assertEquals(
          List.of("batch 100+1", "bad range 101…102", "batch 102+1", "end 103"),
          scan(Long.MAX_VALUE));
    }
  }

  @Test
  void theLargestEntryIsReadThroughOneWindow() throws IOException {
    WrittenLog log = new WrittenLog(data);
    log.fill(2);
    int largest = Entry.MAX_PAYLOAD_BYTES - 12;
    BatchBuilder builder = new BatchBuilder(1024);
    builder.append(1, null, new byte[largest], List.of());
    builder.append(1, null, new byte[largest], List.of());
    log.append(builder, List.of("", ""));
    log.fill(2);
    RecoveredLog recovered = new RecoveryRig(data, disk).unclean(log.checkpoint(0));
    assertEquals(log.end, recovered.end());
    assertEquals("", recovered.offline());
  }

  @Test
  void indexesAreThoseTheBrokerMadeWhileItWrote() throws IOException {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println("seed=" + seed);
    Random random = new Random(seed);
    for (int round = 0; round < 40; round++) {
      int interval = 1 + random.nextInt(700);
      WrittenLog log = new WrittenLog(Files.createTempDirectory(data, "log"));
      SegmentIndexes expected = new SegmentIndexes(0, interval);
      for (int i = 0; i < 60; i++) {
        Batch batch = log.append(randomBatch(random), List.of());
        expected.addBatch(
            ByteBuffer.wrap(batch.written()).order(ByteOrder.LITTLE_ENDIAN),
            0,
            batch.bytes(),
            batch.position());
      }
      Window window = new Window(64 + random.nextInt(500));
      try (DiskFile file = disk.open(log.lastFile(), Disk.Mode.READ)) {
        window.open(file, (int) file.size());
        LogRules rules = LogRules.of(WrittenLog.ID, 0, 0);
        SegmentScan scan = new SegmentScan(window, rules, 0, Long.MAX_VALUE, 0, interval);
        while (!(scan.next() instanceof Found.End end)) {
          continue;
        }
        assertEquals(log.end, end.nextOffset());
        assertEquals(expected.offsets().encode(), scan.indexes().offsets().encode());
        assertEquals(expected.times().encode(), scan.indexes().times().encode());
        assertTrue(expected.offsets().count() > 0);
      }
    }
  }

  private static BatchBuilder randomBatch(Random random) {
    BatchBuilder builder = new BatchBuilder(256);
    int records = 1 + random.nextInt(12);
    for (int i = 0; i < records; i++) {
      byte[] value = random.nextInt(9) == 0 ? null : new byte[random.nextInt(300)];
      List<Header> headers =
          random.nextInt(4) == 0 ? List.of(new Header("h", Optional.empty())) : List.of();
      builder.append(random.nextInt(1000), null, value, headers);
    }
    return builder;
  }

  private List<String> scan(long limit) throws IOException {
    Path file = data.resolve("segment");
    byte[] content = new byte[out.position()];
    out.get(0, content);
    Files.write(file, content);
    List<String> steps = new ArrayList<>();
    try (DiskFile in = disk.open(file, Disk.Mode.READ)) {
      Window window = new Window(200);
      window.open(in, content.length);
      LogRules rules = LogRules.of(WrittenLog.ID, 0, 0);
      SegmentScan scan = new SegmentScan(window, rules, BASE, limit, 0, 4096);
      do {
        steps.add(text(scan.next()));
      } while (!steps.getLast().startsWith("end"));
    }
    return steps;
  }

  private static String text(Found found) {
    return switch (found) {
      case Found.Batch batch ->
          "batch %d+%d".formatted(batch.marker().baseOffset(), batch.marker().span());
      case Found.Gap gap -> "gap %d+%d".formatted(gap.offset(), gap.span());
      case Found.BadBatch batch ->
          "bad batch %d+%d".formatted(batch.marker().baseOffset(), batch.marker().span());
      case Found.BadRange range ->
          "bad range %d…%s".formatted(range.from(), range.to() < 0 ? "?" : range.to());
      case Found.NewerVersion newer -> "newer version " + newer.version();
      case Found.End end -> "end " + end.nextOffset();
    };
  }

  private void put(byte[] entry) {
    out.put(entry);
  }

  private void batch(long base, int span, int flags, byte[]... entries) {
    int at = out.position();
    out.position(at + BatchMarker.BYTES);
    long hash = EntriesHash.start(span);
    int bytes = 0;
    for (byte[] entry : entries) {
      out.put(entry);
      bytes += entry.length;
      ByteBuffer in = ByteBuffer.wrap(entry).order(ByteOrder.LITTLE_ENDIAN);
      hash = EntriesHash.add(hash, in.getLong(Entry.LENGTH));
    }
    new BatchMarker(
            base,
            1,
            flags,
            (short) -1,
            -1,
            -1,
            bytes,
            span,
            EntriesHash.finish(hash),
            1,
            base,
            1,
            0,
            PartitionHash.of(WrittenLog.ID))
        .write(out, at);
  }

  /** An entry of any kind with some body. */
  private static byte[] entry(long offset, int kind, int span) {
    if (kind == Entry.PLAIN || kind == Entry.KIND_ATTRIBUTED) {
      BatchBuilder builder = new BatchBuilder(64);
      byte[] value = "value".getBytes(StandardCharsets.UTF_8);
      boolean attributed = kind == Entry.KIND_ATTRIBUTED;
      builder.append(1, value, attributed ? null : value, List.of());
      ByteBuffer made = builder.version0();
      byte[] entry = new byte[made.remaining()];
      made.get(entry);
      ByteBuffer.wrap(entry).order(ByteOrder.LITTLE_ENDIAN).putLong(0, offset);
      return entry;
    }
    ByteBuffer entry = ByteBuffer.allocate(60).order(ByteOrder.LITTLE_ENDIAN);
    entry.putLong(offset).putInt(44).putInt(0).putLong(1).putInt(Entry.kwordOf(kind, 0));
    entry.putInt(span);
    Entry.stampChecksum(entry, 0);
    return entry.array();
  }
}
