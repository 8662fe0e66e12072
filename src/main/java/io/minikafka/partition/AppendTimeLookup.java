package io.minikafka.partition;

/** What came of asking when the first record at or behind an offset was appended. */
public sealed interface AppendTimeLookup {
  /**
   * @param offset of the record: the one asked for, or of a compacted log the first that is left
   *     behind it
   * @param appendTime of its batch, ms since the epoch, by the broker's clock
   */
  record Found(long offset, long appendTime) implements AppendTimeLookup {}

  /** There is no record from the offset up to the limit. */
  record None() implements AppendTimeLookup {}

  /** There may be one, and nobody can tell: it lies in a damaged range, or nothing can be read. */
  record Unknown() implements AppendTimeLookup {}
}
