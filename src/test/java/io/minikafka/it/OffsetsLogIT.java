package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.TopicPartition;
import io.minikafka.client.Admin;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.CommittedOffset;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerSettings;
import io.minikafka.client.GroupSettings;
import io.minikafka.client.Producer;
import io.minikafka.client.ProducerRecord;
import io.minikafka.client.ProducerSettings;
import io.minikafka.client.RebalanceListener;
import io.minikafka.client.ServerAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The log of committed offsets of a broker as it is shipped. */
@Timeout(120)
class OffsetsLogIT {
  private static final TopicPartition FIRST = new TopicPartition("t", 0);
  private static final int COMMITS = 1000;
  private static final CommittedOffset NONE = CommittedOffset.of(0);

  private static final String[] SMALL_AND_OFTEN = {
    "-Dminikafka.group.offsets-segment-bytes=2048",
    "-Dminikafka.storage.retention-check-interval-ms=50"
  };

  @TempDir Path dir;

  @Test
  void offsetsThatWereOverwrittenAreNotKept() throws Exception {
    Path data = dir.resolve("data");
    try (BrokerProcess broker = BrokerProcess.start(data, SMALL_AND_OFTEN)) {
      try (Admin admin = Admin.open(client(broker));
          Producer producer = Producer.open(ProducerSettings.builder(client(broker)).build())) {
        admin.createTopic("t", 1, Map.of());
        for (int i = 0; i < COMMITS; i++) {
          producer.send(ProducerRecord.of("t", new byte[1]));
        }
        producer.flush();
      }
      long records = bytes(data);
      try (Consumer member = member(broker)) {
        for (int i = 1; i <= COMMITS; i++) {
          member.commitSync(Map.of(FIRST, CommittedOffset.of(i)));
        }
      }
      // A few segments and what is being written: not a hundred bytes for each commit.
      while (bytes(data) - records > COMMITS * 20) {
        Thread.sleep(20);
      }
      broker.kill();
    }
    try (BrokerProcess broker = BrokerProcess.start(data, SMALL_AND_OFTEN);
        Consumer member = member(broker)) {
      assertEquals(COMMITS, member.committed(List.of(FIRST)).getOrDefault(FIRST, NONE).offset());
    }
  }

  /** It has its partition. */
  private static Consumer member(BrokerProcess broker) {
    Consumer member = Consumer.open(ConsumerSettings.builder(client(broker)).build());
    member.subscribe(
        List.of("t"), GroupSettings.builder("g").autoCommit(false).build(), RebalanceListener.NONE);
    while (member.assignment().isEmpty()) {
      member.poll(Duration.ofMillis(100));
    }
    return member;
  }

  /** Of all logs. */
  private static long bytes(Path data) throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      return files
          .filter(file -> file.toString().endsWith(".log"))
          .mapToLong(OffsetsLogIT::size)
          .sum();
    } catch (UncheckedIOException e) {
      return Long.MAX_VALUE; // Something went away meanwhile.
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (NoSuchFileException e) {
      return 0;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static ClientSettings client(BrokerProcess broker) {
    return ClientSettings.of(new ServerAddress("127.0.0.1", broker.port()));
  }
}
