package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.client.Ack;
import io.minikafka.client.Admin;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.Producer;
import io.minikafka.client.ProducerRecord;
import io.minikafka.client.ProducerSettings;
import io.minikafka.client.ServerAddress;
import io.minikafka.client.ServerException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The largest topic there can be, and what happens where the process may not open so many files.
 */
class ManyPartitionsIT {
  private static final int MOST = 10_000;

  @TempDir Path dir;

  @Test
  void theLargestTopicOutlivesAKill() throws Exception {
    Path data = dir.resolve("data");
    try (BrokerProcess broker = BrokerProcess.start(data)) {
      try (Admin admin = Admin.open(client(broker))) {
        admin.createTopic("large", MOST, Map.of());
      }
      assertEquals(0, send(broker, MOST - 1).offset());
      broker.kill();
    }
    try (BrokerProcess broker = BrokerProcess.start(data)) {
      assertEquals(1, send(broker, MOST - 1).offset());
      assertEquals(0, send(broker, 0).offset());
    }
  }

  @Test
  void aTopicThatNeedsTooManyFilesIsRefusedWithTheLimitAndLeavesNothing() throws Exception {
    Path data = dir.resolve("data");
    List<String> limited = List.of("sh", "-c", "ulimit -n 2048 && exec \"$0\" \"$@\"");
    try (BrokerProcess broker = BrokerProcess.startBy(limited, data);
        Admin admin = Admin.open(client(broker))) {
      ServerException refused =
          assertThrows(ServerException.class, () -> admin.createTopic("large", MOST, Map.of()));
      assertTrue(String.valueOf(refused.getMessage()).contains("2048"), refused.getMessage());
      assertEquals(List.of(), admin.topics().stream().filter(topic -> !topic.internal()).toList());
      try (var names = Files.list(data)) {
        List<Path> directories =
            names.filter(path -> path.getFileName().toString().length() == 36).toList();
        assertEquals(1, directories.size(), "the offsets log, and nothing else: " + directories);
      }
      admin.createTopic("small", 10, Map.of());
    }
  }

  private static Ack send(BrokerProcess broker, int partition) {
    try (Producer producer = Producer.open(ProducerSettings.builder(client(broker)).build())) {
      return producer
          .send(ProducerRecord.of("large", new byte[] {1}).inPartition(partition))
          .join();
    }
  }

  private static ClientSettings client(BrokerProcess broker) {
    return ClientSettings.of(new ServerAddress("127.0.0.1", broker.port()));
  }
}
