package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.TopicPartition;
import io.minikafka.client.Ack;
import io.minikafka.client.Admin;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerRecord;
import io.minikafka.client.ConsumerSettings;
import io.minikafka.client.Durability;
import io.minikafka.client.MinikafkaException;
import io.minikafka.client.Producer;
import io.minikafka.client.ProducerRecord;
import io.minikafka.client.ProducerSettings;
import io.minikafka.client.SendCallback;
import io.minikafka.client.ServerAddress;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A real file through the real command line, and a broker that is killed meanwhile. */
class FileSurvivesKillIT {
  @TempDir Path dir;

  @Test
  void everyAcknowledgedLineOfALargeFileOutlivesAKilledBroker() throws Exception {
    Path text = RealText.write(dir.resolve("text"));
    Path data = dir.resolve("data");
    long lines;
    long acknowledged;
    try (BrokerProcess broker = BrokerProcess.start(data)) {
      createTopics(broker);
      produce(broker, "one", text);
      produce(broker, "eight", text);
      lines = endOffset(broker, "one");
      acknowledged = produceUntilKilled(broker, text);
      assertTrue(acknowledged > 0, "killed before anything was acknowledged");
    }
    try (BrokerProcess broker = BrokerProcess.start(data)) {
      Path out = consume(broker, "one", lines);
      assertEquals(-1, Files.mismatch(text, out), "one partition gives the same file again");
      assertEquals(Sum.of(text), Sum.of(consume(broker, "eight", lines)), "the same lines");
      long survived = endOffset(broker, "one") - lines;
      assertTrue(survived >= acknowledged, survived + " of " + acknowledged + " acknowledged");
      assertSecondRunIsAPrefix(broker, text, lines, survived);
    }
  }

  private static void createTopics(BrokerProcess broker) {
    try (Admin admin = Admin.open(client(broker))) {
      admin.createTopic("one", 1, Map.of());
      admin.createTopic("eight", 8, Map.of());
    }
  }

  private static void produce(BrokerProcess broker, String topic, Path text) throws Exception {
    Launcher.Result result =
        Launcher.run(
            "produce", topic, "--file", text.toString(), "--broker", "127.0.0.1:" + broker.port());
    assertEquals(0, result.exitCode(), result::err);
    assertTrue(result.err().contains("acknowledged as flushed"), result::err);
    System.out.println(topic + ": " + result.err().strip());
  }

  private Path consume(BrokerProcess broker, String topic, long max) throws Exception {
    Path out = dir.resolve(topic + ".out");
    Process process =
        new ProcessBuilder(
                Launcher.path().toString(),
                "consume",
                topic,
                "--max",
                "" + max,
                "--broker",
                "127.0.0.1:" + broker.port())
            .redirectOutput(out.toFile())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    assertEquals(0, process.waitFor());
    return out;
  }

  /** Sends the file once more, kills the broker half way, and returns how much was acknowledged. */
  private static long produceUntilKilled(BrokerProcess broker, Path text) throws Exception {
    AtomicLong acknowledged = new AtomicLong();
    AtomicLong failed = new AtomicLong();
    SendCallback count =
        new SendCallback() {
          @Override
          public void acknowledged(Ack ack) {
            assertEquals(Durability.FLUSHED, ack.durability());
            acknowledged.incrementAndGet();
          }

          @Override
          public void failed(MinikafkaException failure) {
            failed.incrementAndGet();
          }
        };
    ClientSettings impatient = ClientSettings.builder(address(broker)).outageMs(0).build();
    boolean killed = false;
    try (BufferedReader in = Files.newBufferedReader(text, StandardCharsets.ISO_8859_1);
        Producer producer = Producer.open(ProducerSettings.builder(impatient).build())) {
      for (String line = in.readLine(); line != null && failed.get() == 0; line = in.readLine()) {
        byte[] value = line.getBytes(StandardCharsets.ISO_8859_1);
        producer.send(ProducerRecord.of("one", value), count);
        if (!killed && acknowledged.get() > 200_000) {
          killed = true;
          broker.kill();
        }
      }
    }
    assertTrue(killed && failed.get() > 0, "the kill came too late to hit anything in flight");
    return acknowledged.get();
  }

  private static void assertSecondRunIsAPrefix(
      BrokerProcess broker, Path text, long from, long count) throws IOException {
    TopicPartition one = new TopicPartition("one", 0);
    try (BufferedReader in = Files.newBufferedReader(text, StandardCharsets.ISO_8859_1);
        Consumer consumer = Consumer.open(ConsumerSettings.builder(client(broker)).build())) {
      consumer.assign(List.of(one));
      consumer.seek(one, from);
      for (long next = from; next < from + count; ) {
        for (ConsumerRecord record : consumer.poll(Duration.ofSeconds(10))) {
          assertEquals(next, record.offset());
          byte[] value = record.value().orElseThrow().toArray();
          assertEquals(in.readLine(), new String(value, StandardCharsets.ISO_8859_1));
          next++;
        }
      }
    }
  }

  private static long endOffset(BrokerProcess broker, String topic) {
    TopicPartition first = new TopicPartition(topic, 0);
    try (Consumer consumer = Consumer.open(ConsumerSettings.builder(client(broker)).build())) {
      return consumer.endOffsets(List.of(first)).getOrDefault(first, -1L);
    }
  }

  private static ClientSettings client(BrokerProcess broker) {
    return ClientSettings.of(address(broker));
  }

  private static ServerAddress address(BrokerProcess broker) {
    return new ServerAddress("127.0.0.1", broker.port());
  }

  /** What a file's lines are, whatever their order. */
  private record Sum(long lines, long bytes, long hash) {
    static Sum of(Path file) throws IOException {
      long lines = 0;
      long bytes = 0;
      long hash = 0;
      byte[] all = Files.readAllBytes(file);
      int from = 0;
      for (int i = 0; i < all.length; i++) {
        if (all[i] == '\n') {
          CRC32C crc = new CRC32C();
          crc.update(all, from, i - from);
          hash += crc.getValue() * 0x9E3779B97F4A7C15L ^ (i - from);
          lines++;
          bytes += i + 1 - from;
          from = i + 1;
        }
      }
      return new Sum(lines, bytes, hash);
    }
  }
}
