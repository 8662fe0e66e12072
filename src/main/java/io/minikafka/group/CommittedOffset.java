package io.minikafka.group;

/**
 * What a group committed for a partition.
 *
 * @param offset the next to read
 * @param epoch the log epoch of the last record read; 0 unknown
 * @param committedAtMs wall clock, ms since the epoch
 * @param metadata the client's own words, at most 4 KiB
 */
public record CommittedOffset(long offset, int epoch, long committedAtMs, String metadata) {
  CommittedOffset at(long changed) {
    return new CommittedOffset(changed, epoch, committedAtMs, metadata);
  }
}
