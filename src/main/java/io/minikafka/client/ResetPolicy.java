package io.minikafka.client;

/**
 * Where a consumer begins in a partition for which it was given no position, and where it goes on
 * when its position lies outside the log (what it pointed at was deleted, or the log was cut). What
 * was deleted unread is told to the {@link LossListener}.
 */
public enum ResetPolicy {
  /** At the first record there is: nothing that can still be read is missed. */
  EARLIEST,
  /** At the next record to be written: what is there is skipped. */
  LATEST,
  /** Nowhere: {@link OffsetOutOfRangeException}, and the application decides. */
  FAIL
}
