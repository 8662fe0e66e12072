package io.minikafka.bench;

import io.minikafka.TopicPartition;
import io.minikafka.client.ClientSettings;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Partitions full of records, for those who read them. Written without any flush, so that they lie
 * in the page cache.
 *
 * @param ends of each partition: the offset behind its last record
 */
record Filled(int recordBytes, List<Lane> lanes, Map<TopicPartition, Long> ends) {
  private static final int BATCH_BYTES = 1 << 20;
  private static final int IN_FLIGHT = 4;

  /**
   * @param bytes of each partition
   */
  static Filled of(ClientSettings client, List<Lane> lanes, int recordBytes, long bytes)
      throws IOException {
    long entryBytes = RecordValues.entryBytes(recordBytes);
    int batchRecords = Math.clamp(BATCH_BYTES / entryBytes, 1, 10_000);
    ProduceShape shape = new ProduceShape(recordBytes, batchRecords, IN_FLIGHT);
    Map<TopicPartition, Long> ends = new HashMap<>();
    for (Lane lane : lanes) {
      try (RawProduce load = new RawProduce(client.server(), lane, shape)) {
        ends.put(lane.topicPartition(), load.run(new Limit(Long.MAX_VALUE, bytes)).records());
      }
    }
    return new Filled(recordBytes, lanes, ends);
  }
}
