package io.minikafka.broker;

/**
 * Where the log of a partition begins, or shall begin.
 *
 * @param partition 0-based number
 * @param offset of the first record that is kept; {@link #HIGH_WATERMARK} to keep none that is
 *     visible now
 */
public record LogStart(int partition, long offset) {
  /** Stands for the partition's high watermark. */
  public static final long HIGH_WATERMARK = -1;

  @Override
  public String toString() {
    return "partition " + partition + " from offset " + offset;
  }
}
