package io.minikafka.sim;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import java.util.function.BooleanSupplier;

/** Compaction is in nobody's way, so nobody else would learn of its troubles. One thread. */
final class CompactionWatch implements EngineObserver {
  private final BooleanSupplier mayFail;

  /** Compactions that removed anything. */
  int compactions;

  /** The first failure without cause; empty if there was none. */
  String trouble = "";

  /**
   * @param mayFail whether something is wrong with the disk at present
   */
  CompactionWatch(BooleanSupplier mayFail) {
    this.mayFail = mayFail;
  }

  @Override
  public void onCompacted(
      PartitionId partition, long bytesBefore, long bytesAfter, long removed, long nanos) {
    compactions += removed > 0 ? 1 : 0;
  }

  @Override
  public void onCompactionFailed(PartitionId partition, boolean full, String reason) {
    if (trouble.isEmpty() && !mayFail.getAsBoolean()) {
      trouble = "a compaction failed without cause: " + reason;
    }
  }
}
