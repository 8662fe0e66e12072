package io.minikafka.log;

import io.minikafka.partition.SegmentDescription;
import io.minikafka.partition.StoreOfflineException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Says of segments what there is to say, for operators. Stateless; blocks. */
final class SegmentListing {
  private SegmentListing() {}

  /**
   * @param from base offset of the first, or below it
   * @param most segments at most
   * @param cleanTo compaction has seen all below it
   * @throws StoreOfflineException if the log cannot be read
   */
  static List<SegmentDescription> of(OpenLog log, long from, int most, long cleanTo)
      throws IOException {
    LogState state = log.state();
    if (!state.readable()) {
      throw new StoreOfflineException(state.offline());
    }
    List<SegmentDescription> found = new ArrayList<>();
    for (int i = 0; i < state.viewCount() && found.size() < most; i++) {
      LogState.View view = state.view(i);
      if (view.segment().baseOffset() >= from) {
        describe(log, view, cleanTo).ifPresent(found::add);
      }
    }
    return found;
  }

  /** Empty if it was given up meanwhile. */
  private static Optional<SegmentDescription> describe(
      OpenLog log, LogState.View view, long cleanTo) throws IOException {
    Segment segment = view.segment();
    SegmentIndexes indexes;
    try {
      indexes = segment.indexes();
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    log.used(segment);
    boolean active = segment instanceof ActiveSegment;
    return Optional.of(
        new SegmentDescription(
            segment.baseOffset(),
            view.nextOffset(),
            view.bytes(),
            indexes.maxTimestamp(),
            indexes.lastAppendTime(),
            active,
            !active && view.nextOffset() <= cleanTo,
            // Afterwards: whoever loads the indexes may find damage.
            log.state().damage().in(segment.baseOffset()).stream()
                .map(DamageRange::described)
                .toList()));
  }
}
