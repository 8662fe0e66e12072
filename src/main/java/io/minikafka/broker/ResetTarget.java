package io.minikafka.broker;

import java.util.List;

/** Where the offsets of a group are to be reset to; as it was asked for, not yet checked. */
public sealed interface ResetTarget {
  /** None was named. */
  record None() implements ResetTarget {}

  /** The log start. */
  record Earliest() implements ResetTarget {}

  /** The high watermark. */
  record Latest() implements ResetTarget {}

  /** The same offset in every partition. */
  record Offset(long offset) implements ResetTarget {}

  /**
   * The first record of that time or later.
   *
   * @param seconds since the epoch
   * @param nanos within the second
   */
  record Time(long seconds, int nanos) implements ResetTarget {}

  /** The first record of so long ago or later; the two have one sign. */
  record Ago(long seconds, int nanos) implements ResetTarget {}

  /** So many offsets forward, or back if negative, from what is committed. */
  record Shift(long by) implements ResetTarget {}

  /** What another group has committed. */
  record FromGroup(String group) implements ResetTarget {}

  /** An offset for each of some partitions. */
  record Offsets(List<PartitionOffset> offsets) implements ResetTarget {
    public Offsets {
      offsets = List.copyOf(offsets);
    }
  }
}
