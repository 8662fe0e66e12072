package io.minikafka.client;

import io.minikafka.TopicPartition;

/**
 * Hears of offsets that the consumer passes over although records may have stood there that it was
 * to have: they were damaged, and a repair gave them up; or they were deleted, by retention or by
 * somebody, before it read them, and the {@link ResetPolicy} says to go on. What was compacted away
 * is none of them. Called inside {@link Consumer#poll}, before it returns what stands behind them.
 * Of a server that speaks version 0 only it hears of deletions alone.
 */
public interface LossListener {
  /** Listens to nothing. */
  LossListener NONE = (partition, from, to) -> {};

  /**
   * @param to the offset behind the last that is lost
   */
  void onRecordsLost(TopicPartition partition, long from, long to);
}
