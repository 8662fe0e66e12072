package io.minikafka.log;

import io.minikafka.partition.Repair;
import io.minikafka.partition.RepairAction;
import io.minikafka.partition.RepairResult;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What is to be done about damage, worked out from one state of a log.
 *
 * @param offline why the log takes no appends, as far as the plan knows; empty if it does
 * @param range the damage, as narrow as it could be bounded
 * @param segment the one it lies in; empty if there is no file
 * @param way how it is done
 * @param end log end offset afterwards
 * @param pieces what goes, of which copies are made first
 * @param doomed base offsets of segments that go whole, lowest first
 */
record RepairPlan(
    RepairAction action,
    String offline,
    DamageRange range,
    Optional<Segment> segment,
    Way way,
    long lostTo,
    long end,
    List<Piece> pieces,
    List<Long> doomed) {

  /** How a repair is done. */
  enum Way {
    /** A sealed segment, or one that is missing, is put in the place of what is there. */
    SWAP,
    /** The active segment is sealed first; then as {@link #SWAP}. */
    SEAL_AND_SWAP,
    /** The log gets another active segment, and ends there. */
    NEW_END
  }

  /** Bytes of a segment's file. */
  record Piece(long base, int from, int to) {
    int bytes() {
      return to - from;
    }
  }

  /** Either a plan or why there is none. */
  sealed interface Outcome {
    record Planned(RepairPlan plan) implements Outcome {}

    record Refused(RepairResult.Refused why) implements Outcome {}
  }

  boolean cuts() {
    return action == RepairAction.CUT;
  }

  long bytesSetAside() {
    return pieces.stream().mapToLong(Piece::bytes).sum();
  }

  /** Bytes in front of the damage, in its segment. */
  int frontBytes() {
    return segment.isPresent() ? range.fromPosition() : 0;
  }

  /** Base offset of the segment that is written anew. */
  long rewrittenBase() {
    return segment.map(Segment::baseOffset).orElse(range.from());
  }

  /** Whether a file is written: not where all files go. */
  boolean rewrites() {
    return segment.isPresent() || !cuts();
  }

  Repair described() {
    return new Repair(
        action,
        range.described(),
        range.from(),
        lostTo,
        end,
        bytesSetAside(),
        List.of(),
        rewrites() ? List.of(name(rewrittenBase())) : List.of(),
        doomed.stream().map(RepairPlan::name).toList());
  }

  private static String name(long base) {
    return LogFiles.log(Path.of(""), base).toString();
  }
}
