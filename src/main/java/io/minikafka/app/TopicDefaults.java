package io.minikafka.app;

import io.minikafka.partition.PartitionSettings;
import io.minikafka.partition.StoreSettings;

/**
 * The defaults of topics as the engine takes them. Not a method of the mapping: it would map it.
 */
final class TopicDefaults {
  private TopicDefaults() {}

  static PartitionSettings of(LogSettings log) {
    return new PartitionSettings(
        new StoreSettings(
            log.segmentBytes(),
            log.segmentMs(),
            log.indexIntervalBytes(),
            log.retentionBytes(),
            log.retentionMs(),
            log.flushPolicy(),
            log.flushIntervalMs()),
        log.maxMessageBytes());
  }
}
