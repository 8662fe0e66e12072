package io.minikafka.bench;

import io.minikafka.TopicPartition;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerRecord;
import io.minikafka.client.ConsumerSettings;
import io.minikafka.client.GroupSettings;
import io.minikafka.client.RebalanceListener;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Polls through the Java client, by hand or as a member of a group; the client checks every
 * checksum. At the end of its partitions it begins again.
 */
final class ApiConsume implements Load {
  private static final Duration POLL = Duration.ofMillis(250);
  private static final Duration JOIN_POLL = Duration.ofMillis(10);
  private static final long JOIN_LIMIT_NANOS = 30_000_000_000L;

  private final Consumer consumer;
  private final Lane lane;
  private final Seats seats;
  private final int recordBytes;
  private final Map<TopicPartition, Long> ends;

  /**
   * @param group empty: the lane's partition, by hand; else whatever the group gives
   * @param seats shared by all consumers of the point
   * @param ends of each partition: the offset behind its last record
   */
  ApiConsume(
      ClientSettings client,
      Lane lane,
      Optional<String> group,
      Seats seats,
      int fetchBytes,
      int recordBytes,
      Map<TopicPartition, Long> ends) {
    this.lane = lane;
    this.seats = seats;
    this.recordBytes = recordBytes;
    this.ends = ends;
    this.consumer = Consumer.open(settings(client, fetchBytes));
    if (group.isPresent()) {
      consumer.subscribe(
          List.of(lane.topic()), GroupSettings.of(group.get()), RebalanceListener.NONE);
    } else {
      consumer.assign(List.of(lane.topicPartition()));
    }
  }

  private static ConsumerSettings settings(ClientSettings client, int fetchBytes) {
    return ConsumerSettings.builder(client)
        .fetchMaxBytes(fetchBytes)
        .partitionMaxBytes(fetchBytes)
        .maxPollRecords(Integer.MAX_VALUE)
        .build();
  }

  /** In a group: until each member has its partition. */
  @Override
  public void prepare() throws IOException {
    long deadline = System.nanoTime() + JOIN_LIMIT_NANOS;
    while (!seats.areTaken(lane.partition(), consumer.assignment().size())) {
      consumer.poll(JOIN_POLL);
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("the members of the group did not get a partition each within 30 s");
      }
    }
    consumer.assignment().forEach(partition -> consumer.seek(partition, 0));
  }

  @Override
  public Work run(Limit limit) throws IOException {
    long began = System.nanoTime();
    long records = 0;
    long entryBytes = RecordValues.entryBytes(recordBytes);
    while (records == 0 || !limit.isReached(began, System.nanoTime(), records * entryBytes)) {
      List<ConsumerRecord> polled = consumer.poll(POLL);
      records += polled.size();
      if (polled.isEmpty()) {
        checkProgress(began, limit);
      }
      rewind(polled);
    }
    return new Work(
        records, records * recordBytes, records * entryBytes, System.nanoTime() - began);
  }

  private static void checkProgress(long began, Limit limit) throws IOException {
    if (System.nanoTime() - began > limit.nanos() + JOIN_LIMIT_NANOS) {
      throw new IOException("polls bring no records");
    }
  }

  private void rewind(List<ConsumerRecord> polled) {
    for (int i = polled.size() - 1; i >= 0; i--) {
      ConsumerRecord record = polled.get(i);
      if (record.offset() + 1 == ends.getOrDefault(record.source(), 0L)) {
        consumer.seek(record.source(), 0);
      }
      // Records of a partition stand together: look at the last of each only.
      i = firstOf(polled, i);
    }
  }

  private static int firstOf(List<ConsumerRecord> polled, int last) {
    TopicPartition partition = polled.get(last).source();
    int i = last;
    while (i > 0 && polled.get(i - 1).source().equals(partition)) {
      i--;
    }
    return i;
  }

  @Override
  public void close() {
    consumer.wakeup();
    consumer.close();
  }
}
