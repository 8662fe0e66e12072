package io.minikafka.log;

import io.minikafka.record.BatchMarker;
import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Walks a sealed segment for compaction, checking every byte: what is damaged is named and not
 * walked over, so that it is never cleaned away. Stateless.
 */
final class SegmentPass {
  private SegmentPass() {}

  /** Who looks at what a segment holds, in order. */
  interface Visitor {
    /**
     * A whole batch.
     *
     * @return false to see no more
     */
    boolean batch(BatchMarker marker, int position, int bytes) throws IOException;

    /** Offsets that an earlier compaction emptied. */
    void gap(Found.Gap gap) throws IOException;
  }

  /**
   * @param window turned to the segment's file while this runs
   * @return what is damaged; the visitor then saw only what lies before
   */
  static List<DamageRange> run(Window window, OpenLog log, SealedSegment segment, Visitor visitor)
      throws IOException {
    DiskFile file = segment.file().lease();
    try {
      window.open(file, segment.bytes());
      return run(window, LogRules.of(log.id(), 0, 0), segment, visitor);
    } finally {
      segment.file().unlease();
    }
  }

  private static List<DamageRange> run(
      Window window, LogRules rules, SealedSegment segment, Visitor visitor) throws IOException {
    long base = segment.baseOffset();
    long limit = segment.nextOffset();
    SegmentScan scan = new SegmentScan(window, rules, base, limit, 0, Integer.MAX_VALUE);
    List<DamageRange> damage = new ArrayList<>();
    boolean lost = false;
    while (true) {
      switch (scan.next()) {
        case Found.Batch batch -> {
          if (damage.isEmpty() && !visitor.batch(batch.marker(), batch.position(), batch.bytes())) {
            return damage;
          }
        }
        case Found.Gap gap -> {
          if (damage.isEmpty()) {
            visitor.gap(gap);
          }
        }
        case Found.BadBatch bad -> {
          BatchMarker marker = bad.marker();
          long to = marker.baseOffset() + marker.span();
          damage.add(
              new DamageRange(
                  marker.baseOffset(), to, base, bad.position(), bad.toPosition(), bad.what()));
        }
        case Found.BadRange bad -> {
          lost = bad.to() == Found.BadRange.UNKNOWN;
          damage.add(
              new DamageRange(
                  bad.from(),
                  lost ? limit : bad.to(),
                  base,
                  bad.position(),
                  bad.toPosition(),
                  bad.what()));
        }
        case Found.NewerVersion newer ->
            throw new IOException(
                "%s holds a batch of version %d at position %d"
                    .formatted(segment.file().path(), newer.version(), newer.position()));
        case Found.End end -> {
          if (!lost && end.nextOffset() < limit) {
            int at = segment.bytes();
            damage.add(
                new DamageRange(
                    end.nextOffset(),
                    limit,
                    base,
                    at,
                    at,
                    "nothing up to the next segment's offset"));
          }
          return damage;
        }
      }
    }
  }
}
