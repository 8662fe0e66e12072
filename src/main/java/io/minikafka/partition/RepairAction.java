package io.minikafka.partition;

/** What is to become of damage. */
public enum RepairAction {
  /** Its offsets become a gap that readers pass over; all else stays. */
  SKIP,

  /** The log ends where the damage begins; all behind goes, whether it is good or not. */
  CUT
}
