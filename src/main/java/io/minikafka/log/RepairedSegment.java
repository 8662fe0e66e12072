package io.minikafka.log;

import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * The file of a segment with a gap in the place of damage: written from front to back, then forced
 * and read whole. One thread; whoever made the file closes it or gives it away.
 */
final class RepairedSegment {
  private static final int BLOCK_BYTES = 256 << 10;

  private final OpenLog log;
  private final Window window;
  private final DamageRange range;
  private final DiskFile out;
  private int bytes;

  /**
   * @param window for it alone
   * @param range what is repaired
   * @param out empty
   */
  RepairedSegment(OpenLog log, Window window, DamageRange range, DiskFile out) {
    this.log = log;
    this.window = window;
    this.range = range;
    this.out = out;
  }

  int bytes() {
    return bytes;
  }

  void copy(DiskFile in, int from, int to) throws IOException {
    ByteBuffer block = ByteBuffer.allocate(Math.min(BLOCK_BYTES, Math.max(0, to - from)));
    int at = from;
    while (at < to) {
      block.clear().limit(Math.min(block.capacity(), to - at));
      int read = in.read(block, at);
      if (read == 0) {
        throw new IOException("%s ends at %d, not at %d".formatted(in, at, to));
      }
      out.write(block.flip(), bytes);
      bytes += read;
      at += read;
    }
  }

  /** In the place of the damage. */
  void gap() throws IOException {
    ByteBuffer gap = ByteBuffer.allocate(GapEntry.BYTES).order(ByteOrder.LITTLE_ENDIAN);
    for (long offset = range.from(); offset < range.to(); ) {
      int span = (int) Math.min(Integer.MAX_VALUE, range.to() - offset);
      GapEntry.writeLost(gap, 0, offset, span);
      out.write(gap.clear(), bytes);
      bytes += GapEntry.BYTES;
      offset += span;
    }
  }

  /**
   * Forces what was written and reads it.
   *
   * @param offsets what the segment holds now
   * @param isEnd whether the log ends there, which it cannot with damage
   * @return what was found, other damage too
   * @throws IOException if the range that was repaired is not good now
   */
  SegmentCheck checked(OffsetRange offsets, boolean isEnd) throws IOException {
    log.forcing(out::force);
    LogState now = log.state();
    window.open(out, bytes);
    SegmentCheck check =
        new SegmentCheck(
                window,
                LogRules.of(log.id(), now.epoch().openOffset(), now.epoch().number()),
                offsets.from(),
                offsets.to(),
                0,
                log.settings().indexIntervalBytes())
            .run();
    check.indexes().finishTimes();
    for (DamageRange bad : check.damage()) {
      if (bad.overlaps(range) || (isEnd && bad.to() == offsets.to())) {
        throw new IOException(
            "what a repair wrote is not good from offset %d to %d (%s); nothing was changed"
                .formatted(bad.from(), bad.last(), bad.what()));
      }
    }
    return check;
  }

  /** What is damaged in it, each since it was found. */
  List<DamageRange> left(SegmentCheck check) {
    return new DamageRanges(check.damage(), false)
        .notedSince(log.state().damage(), log.context().wallClock().millis())
        .ranges();
  }
}
