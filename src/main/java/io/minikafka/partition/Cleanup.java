package io.minikafka.partition;

/**
 * How a store cleans up.
 *
 * @param policy see {@link CleanupPolicy}
 * @param deleteRetentionMs a tombstone stays so long after the compaction that first saw it
 * @param minDirtyRatio of the bytes that can be compacted, the part that was not looked at yet from
 *     which on compaction runs; 0 to 1
 * @param minLagMs a segment is left alone until its newest batch is so old
 */
public record Cleanup(
    CleanupPolicy policy, long deleteRetentionMs, double minDirtyRatio, long minLagMs) {
  /** What a topic gets that says nothing. */
  public static final Cleanup DEFAULT =
      new Cleanup(CleanupPolicy.DELETE, 24 * 60 * 60 * 1000L, 0.5, 0);

  public boolean deletes() {
    return policy.deletes();
  }

  public boolean compacts() {
    return policy.compacts();
  }
}
