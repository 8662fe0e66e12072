package io.minikafka.partition;

/** The answer to {@link PartitionStore#repair}. */
public sealed interface RepairResult {
  /** It was done, or would be. */
  record Done(Repair repair) implements RepairResult {}

  /** Nothing was changed. */
  record Refused(Reason reason, String message) implements RepairResult {}

  /** Why not. */
  enum Reason {
    /** There is no damage at that offset. */
    NOT_DAMAGED,
    /** This damage cannot be repaired so, or not now; the message says how. */
    NOT_POSSIBLE,
    /** No room on the disk, or none for the copy. */
    NO_ROOM,
    /** The partition was closed, because its topic was deleted. */
    CLOSED,
    /** The partition was closed, because the broker stops. */
    SHUTTING_DOWN
  }

  static RepairResult notDamaged(long offset) {
    return new Refused(Reason.NOT_DAMAGED, "offset %d is not damaged".formatted(offset));
  }
}
