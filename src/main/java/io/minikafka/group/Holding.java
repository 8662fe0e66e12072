package io.minikafka.group;

import io.minikafka.PartitionId;

/** A partition that a member owns. */
final class Holding {
  final PartitionId partition;

  /** The generation of the grant; {@link GroupRecord.Owned#VOID} when nothing can be committed. */
  long grant;

  /** Number of the answer that asked the member to let go: the first that did not name it. */
  long askedIn = Long.MAX_VALUE;

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
