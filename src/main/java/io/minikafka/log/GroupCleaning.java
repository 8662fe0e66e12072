package io.minikafka.log;

import io.minikafka.record.BatchMarker;
import io.minikafka.record.EntriesHash;
import io.minikafka.record.Entry;
import io.minikafka.record.RecordView;
import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes one segment of some that follow each other, without the records that go. Batches keep their
 * markers as long as a record of theirs is left; a run of batches that go becomes one gap. The last
 * entry reaches to where the next segment begins: if the last records of the last batch go, a gap
 * inside that batch takes their place, so that who reads there is led on.
 *
 * <p>One thread, used once. Writes nothing if a single segment would stay as it is.
 */
final class GroupCleaning implements SegmentPass.Visitor {
  private final OpenLog log;
  private final Window window;
  private final Survivors survivors;
  private final List<SealedSegment> group;
  private final SegmentSwap swap;
  private final CompactedSegment out;
  private final long nextOffset;

  // The segment that is being read, and where the log stands.
  private @Nullable SealedSegment segment;
  private long gapFrom;
  private long gapTo;
  private long removedRecords;
  private @Nullable DiskFile file;

  // Of the batch at hand.
  private final BitSet kept = new BitSet();
  private int keptBytes;
  private int keptCount;
  private int removedCount;
  private long keptHash;
  private long keptMaxTimestamp;
  private long keptNext;
  private final ByteBuffer gapBytes =
      ByteBuffer.allocate(GapEntry.BYTES).order(ByteOrder.LITTLE_ENDIAN);

  /** What came of it. */
  sealed interface Result {
    /** There was nothing to be left out, and nothing to be joined. */
    record Unchanged() implements Result {}

    /** A segment is damaged, and none was touched. */
    record Damaged(List<DamageRange> ranges) implements Result {}

    /** Written, not forced; the file is still open. */
    record Written(DiskFile file, int bytes, SegmentIndexes indexes, long removedRecords)
        implements Result {}
  }

  GroupCleaning(
      OpenLog log,
      Window window,
      Survivors survivors,
      List<SealedSegment> group,
      SegmentSwap swap) {
    this.log = log;
    this.window = window;
    this.survivors = survivors;
    this.group = group;
    this.swap = swap;
    this.nextOffset = group.getLast().nextOffset();
    this.out =
        new CompactedSegment(
            log.disk(),
            log.directory(),
            group.getFirst().baseOffset(),
            log.settings().indexIntervalBytes());
  }

  /** On a failure nothing of it is left, unless that fails too: then a start removes it. */
  Result run() throws IOException {
    boolean written = false;
    try {
      List<DamageRange> damage = walk();
      if (!damage.isEmpty()) {
        return new Result.Damaged(damage);
      }
      flushGap();
      DiskFile made = file;
      if (made == null) {
        return new Result.Unchanged();
      }
      out.flush();
      out.indexes().finishTimes();
      written = true;
      return new Result.Written(made, out.position(), out.indexes(), removedRecords);
    } finally {
      DiskFile made = file;
      if (made != null && !written) {
        made.close();
        swap.giveUp();
      }
    }
  }

  private List<DamageRange> walk() throws IOException {
    for (SealedSegment next : group) {
      segment = next;
      if (group.size() > 1) {
        change();
      }
      List<DamageRange> damage = SegmentPass.run(window, log, next, this);
      if (!damage.isEmpty()) {
        return damage;
      }
    }
    return List.of();
  }

  /**
   * The new segment is no longer the same as the old; a gap that was not written yet comes next.
   */
  private void change() throws IOException {
    SealedSegment from = segment;
    if (file != null || from == null) {
      return;
    }
    DiskFile made = swap.create();
    file = made;
    DiskFile in = from.file().lease();
    try {
      out.open(made, in);
    } finally {
      from.file().unlease();
    }
  }

  @Override
  public void gap(Found.Gap gap) throws IOException {
    if (gap.lost()) {
      flushGap();
      out.lostGap(gap.offset(), gap.span());
      return;
    }
    if (gapTo > gapFrom || gap.bytes() != GapEntry.BYTES) {
      change();
    }
    addGap(gap.offset(), gap.span());
  }

  private void addGap(long offset, int span) {
    gapFrom = gapTo == gapFrom ? offset : gapFrom;
    gapTo = offset + span;
  }

  private void flushGap() throws IOException {
    if (gapTo > gapFrom) {
      out.gap(gapFrom, Math.toIntExact(gapTo - gapFrom));
      gapFrom = gapTo;
    }
  }

  @Override
  public boolean batch(BatchMarker marker, int position, int bytes) throws IOException {
    int from = position + BatchMarker.BYTES;
    int to = position + bytes;
    choose(marker, from, to);
    if (removedCount == 0 && (keptCount > 0 || Survivors.keepsEmpty(marker))) {
      flushGap();
      out.marker(marker);
      copy(from, to, false);
      return true;
    }
    change();
    removedRecords += removedCount;
    if (keptCount == 0 && !Survivors.keepsEmpty(marker)) {
      addGap(marker.baseOffset(), marker.span());
      return true;
    }
    flushGap();
    long end = marker.baseOffset() + marker.span();
    boolean closes = end == nextOffset && keptNext < end;
    if (closes) {
      GapEntry.write(gapBytes, 0, keptNext, (int) (end - keptNext));
      keptHash = EntriesHash.add(keptHash, gapBytes.getLong(Entry.LENGTH));
      keptBytes += GapEntry.BYTES;
    }
    out.marker(compacted(marker));
    copy(from, to, true);
    if (closes) {
      out.gap(keptNext, (int) (end - keptNext));
    }
    return true;
  }

  /** Decides which entries of a batch stay. */
  private void choose(BatchMarker marker, int from, int to) throws IOException {
    kept.clear();
    keptBytes = 0;
    keptCount = 0;
    removedCount = 0;
    keptHash = EntriesHash.start(marker.span());
    keptMaxTimestamp = Long.MIN_VALUE;
    keptNext = marker.baseOffset();
    int ordinal = 0;
    for (int at = from; at < to; ordinal++) {
      int index = entryAt(at);
      ByteBuffer in = window.buffer();
      int kind = Entry.kind(Entry.kword(in, index));
      if (kind != Entry.KIND_GAP) {
        boolean isRecord = kind == Entry.PLAIN || kind == Entry.KIND_ATTRIBUTED;
        if (isRecord && !survivors.keeps(new RecordView(in, index))) {
          removedCount++;
        } else {
          kept.set(ordinal);
          keptCount++;
          keptBytes += Entry.bytes(in, index);
          keptHash = EntriesHash.add(keptHash, in.getLong(index + Entry.LENGTH));
          keptMaxTimestamp = Math.max(keptMaxTimestamp, Entry.timestamp(in, index));
          keptNext = Entry.offset(in, index) + Entry.span(in, index);
        }
      }
      at += Entry.bytes(window.buffer(), index);
    }
  }

  private void copy(int from, int to, boolean onlyKept) throws IOException {
    int ordinal = 0;
    for (int at = from; at < to; ordinal++) {
      int index = entryAt(at);
      ByteBuffer in = window.buffer();
      int bytes = Entry.bytes(in, index);
      if (!onlyKept || kept.get(ordinal)) {
        out.entry(in, index, bytes, Entry.offset(in, index));
      }
      at += bytes;
    }
  }

  private int entryAt(int position) throws IOException {
    int index = window.index(position, Entry.PLAIN_OVERHEAD_BYTES);
    return window.index(position, Entry.bytes(window.buffer(), index));
  }

  private BatchMarker compacted(BatchMarker whole) {
    return new BatchMarker(
        whole.offset(),
        keptMaxTimestamp,
        whole.flags() | BatchMarker.FLAG_COMPACTED,
        whole.producerEpoch(),
        whole.baseSequence(),
        whole.producerId(),
        keptBytes,
        whole.span(),
        EntriesHash.finish(keptHash),
        whole.logEpoch(),
        whole.baseOffset(),
        whole.appendTime(),
        whole.durableOffset(),
        whole.partitionHash());
  }
}
