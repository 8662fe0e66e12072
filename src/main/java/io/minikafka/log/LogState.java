package io.minikafka.log;

import io.minikafka.partition.PartitionStore;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One consistent, immutable state of a log. The log publishes each by one volatile write; whoever
 * reads, measures or deletes works on the one it took and needs no lock.
 *
 * @param durable all below it is on stable storage
 * @param damage what is known to be damaged
 * @param offline empty, or why nothing can be appended any more
 * @param readable false if nothing can be read either
 */
record LogState(
    Content content,
    Epoch epoch,
    long start,
    long durable,
    DamageRanges damage,
    String offline,
    boolean readable) {

  /**
   * What is in the log.
   *
   * @param sealed oldest first
   * @param sealedBytes of these together
   * @param active null as long as nothing was ever written
   * @param endPosition where in the active segment the log ends
   * @param end log end offset
   * @param lastMarkerCrc of the last batch in the active segment; 0 if that is empty
   * @param lastAppendTime of the newest batch, ms; {@code Long.MIN_VALUE} if there is none
   */
  record Content(
      List<SealedSegment> sealed,
      long sealedBytes,
      @Nullable ActiveSegment active,
      int endPosition,
      long end,
      int lastMarkerCrc,
      long lastAppendTime) {

    static Content of(
        List<SealedSegment> sealed,
        @Nullable ActiveSegment active,
        int endPosition,
        long end,
        int lastMarkerCrc,
        long lastAppendTime) {
      long bytes = sealed.stream().mapToLong(SealedSegment::bytes).sum();
      return new Content(sealed, bytes, active, endPosition, end, lastMarkerCrc, lastAppendTime);
    }

    Content withSealed(List<SealedSegment> remaining) {
      return of(remaining, active, endPosition, end, lastMarkerCrc, lastAppendTime);
    }

    /** With one segment in place of some that followed each other. */
    Content replacing(List<SealedSegment> originals, SealedSegment fresh) {
      // Without any it stands in for one that is missing in front.
      int at = originals.isEmpty() ? 0 : sealed.indexOf(originals.getFirst());
      List<SealedSegment> changed = new ArrayList<>(sealed);
      changed.subList(at, at + originals.size()).clear();
      changed.add(at, fresh);
      return withSealed(List.copyOf(changed));
    }

    /** With an end that moved, and segments that were sealed on the way. */
    Content extended(
        List<SealedSegment> justSealed,
        ActiveSegment segment,
        int position,
        long offset,
        int markerCrc,
        long appendTime) {
      return justSealed.isEmpty()
          ? new Content(sealed, sealedBytes, segment, position, offset, markerCrc, appendTime)
          : of(joined(justSealed), segment, position, offset, markerCrc, appendTime);
    }

    /** With an empty active segment; the end stays. */
    Content rolled(SealedSegment justSealed, ActiveSegment next) {
      return of(joined(List.of(justSealed)), next, 0, end, 0, lastAppendTime);
    }

    private List<SealedSegment> joined(List<SealedSegment> justSealed) {
      return Stream.concat(sealed.stream(), justSealed.stream()).toList();
    }

    /** Bytes of all segments. */
    long bytes() {
      return sealedBytes + endPosition;
    }

    int segments() {
      return sealed.size() + (active == null ? 0 : 1);
    }
  }

  /**
   * @param number the log epoch
   * @param openOffset the log end when it began
   */
  record Epoch(int number, long openOffset) {}

  long end() {
    return content.end;
  }

  boolean isOffline() {
    return !offline.isEmpty();
  }

  PartitionStore.Snapshot snapshot() {
    return new PartitionStore.Snapshot(
        epoch.number, start, durable, content.end, content.lastAppendTime, offline);
  }

  LogState withContent(Content changed) {
    return new LogState(changed, epoch, start, durable, damage, offline, readable);
  }

  LogState withEpoch(Epoch changed) {
    return new LogState(content, changed, start, durable, damage, offline, readable);
  }

  LogState withDurable(long risen) {
    return new LogState(content, epoch, start, risen, damage, offline, readable);
  }

  LogState withStart(long risen, Content changed) {
    return new LogState(changed, epoch, risen, durable, damage.from(risen), offline, readable);
  }

  LogState withDamage(DamageRanges changed) {
    return new LogState(content, epoch, start, durable, changed, offline, readable);
  }

  LogState withOffline(String reason) {
    return new LogState(content, epoch, start, durable, damage, reason, readable);
  }

  /** Whether a segment with that file is in the log. */
  boolean holds(SegmentFile file) {
    ActiveSegment active = content.active;
    return (active != null && active.file() == file)
        || content.sealed.stream().anyMatch(segment -> segment.file() == file);
  }

  /** A segment with how far it reaches in this state. */
  record View(Segment segment, long nextOffset, int bytes) {}

  /** How many segments {@link #view} knows. */
  int viewCount() {
    return content.segments();
  }

  /**
   * @param ordinal 0 is the oldest
   */
  View view(int ordinal) {
    if (ordinal < content.sealed.size()) {
      SealedSegment segment = content.sealed.get(ordinal);
      return new View(segment, segment.nextOffset(), segment.bytes());
    }
    ActiveSegment active = content.active;
    if (active == null) {
      throw new IndexOutOfBoundsException(ordinal);
    }
    return new View(active, content.end, content.endPosition);
  }

  /**
   * Ordinal of the segment that holds {@code offset}, which lies in the log or is its end; −1 if
   * the file that held it is missing and none before it is there.
   */
  int ordinalOf(long offset) {
    int low = 0;
    int high = content.segments() - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      if (view(middle).segment().baseOffset() <= offset) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return high;
  }
}
