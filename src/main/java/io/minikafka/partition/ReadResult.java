package io.minikafka.partition;

import io.minikafka.codec.Blob;

/** What came of a read. Whoever gets {@link Entries} releases the blob, once. */
public sealed interface ReadResult {
  /**
   * Entries, or none if there is nothing (yet).
   *
   * @param blob entries in log order; may be of length 0
   * @param nextOffset behind the last entry of the blob; the asked offset if it is empty
   */
  record Entries(Blob blob, long nextOffset) implements ReadResult {}

  /** The offset is below the log start or above the log end. */
  record OutOfRange(long start, long end) implements ReadResult {}

  /**
   * The offset lies in a range of which the bytes are known to be damaged.
   *
   * @param from first damaged offset
   * @param to first good offset behind it
   */
  record Damaged(long from, long to) implements ReadResult {}

  /** The partition cannot be read at all. */
  record Offline(String reason) implements ReadResult {}
}
