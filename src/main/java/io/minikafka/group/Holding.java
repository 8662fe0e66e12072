package io.minikafka.group;

import io.minikafka.PartitionId;

/** A partition that a member owns. */
final class Holding {
  final PartitionId partition;

  /** The generation of the grant; {@link GroupRecord.Owned#VOID} when nothing can be committed. */
  long grant;

  /**
   * Number of the answer that told the member last about this partition, that it is granted or that
   * it is to be let go. Only a heartbeat at least as new can let it go by leaving it out.
   */
  long toldIn;

  /** Until when the member must have let go; {@link Long#MAX_VALUE} unless it was asked to. */
  long letGoByMs = Long.MAX_VALUE;

  Holding(PartitionId partition, long grant) {
    this.partition = partition;
    this.grant = grant;
  }

  /** Once asked it stays asked until it was let go, whoever the partition is meant for by then. */
  boolean asked() {
    return letGoByMs != Long.MAX_VALUE;
  }

  boolean isVoid() {
    return grant == GroupRecord.Owned.VOID;
  }
}
