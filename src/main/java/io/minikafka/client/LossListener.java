package io.minikafka.client;

import io.minikafka.TopicPartition;

/**
 * Hears of offsets without records that were not compacted away: they were damaged, and a repair
 * gave them up. Called inside {@link Consumer#poll}, before it returns what stands behind them. The
 * consumer goes on by itself. Of a server that speaks version 0 only it hears nothing.
 */
public interface LossListener {
  /** Listens to nothing. */
  LossListener NONE = (partition, from, to) -> {};

  /**
   * @param to the offset behind the last that is lost
   */
  void onRecordsLost(TopicPartition partition, long from, long to);
}
