package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.minikafka.client.Admin;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.Producer;
import io.minikafka.client.ProducerRecord;
import io.minikafka.client.ProducerSettings;
import io.minikafka.client.ServerAddress;
import io.minikafka.client.ServerException;
import io.minikafka.protocol.ErrorCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real disk without any room, and producers that do not let go. */
@Timeout(180)
class FullDiskIT {
  /** So often a checkpoint wants the reserve meanwhile. */
  private static final String CHECKPOINTS = "-Dminikafka.storage.checkpoint-interval-ms=20";

  private static final int PRODUCERS = 4;
  private static final int REFUSALS = 400;

  @TempDir Path dir;

  @Test
  void whatMakesRoomIsDoneHoweverManyProducersWantTheLastByte() throws Exception {
    Path disk = Files.createDirectory(dir.resolve("disk"));
    assumeTrue(
        run("mount", "-t", "tmpfs", "-o", "size=12m", "tmpfs", disk.toString()) == 0,
        "may not mount a tmpfs");
    try (BrokerProcess broker = BrokerProcess.start(disk, CHECKPOINTS)) {
      try (Admin admin = Admin.open(client(broker))) {
        admin.createTopic("t", PRODUCERS, Map.of("segment.bytes", "200000"));
        admin.createTopic("victim", 1, Map.of());
      }
      produceUntilRefused(broker);

      assertTrue(Files.exists(disk.resolve("reserve")), "the reserve is there");
      for (List<String> command :
          List.of(
              List.of("topic", "alter", "t", "--config", "retention.ms=600000"),
              List.of("topic", "delete-records", "t", "0", "--before", "-1"),
              List.of("topic", "delete", "victim", "--yes"))) {
        List<String> args = new ArrayList<>(command);
        args.addAll(List.of("--admin", "127.0.0.1:" + broker.httpPort()));
        Launcher.Result done = Launcher.run(args.toArray(String[]::new));
        assertEquals(0, done.exitCode(), done::err);
      }
      try (Producer producer = Producer.open(ProducerSettings.builder(client(broker)).build())) {
        producer.send(ProducerRecord.of("t", new byte[100]).inPartition(0)).join();
      }
      assertEquals(143, broker.terminate());
      assertTrue(broker.output().contains("stopped cleanly"), broker.output());
    } finally {
      run("umount", "-l", disk.toString());
    }
  }

  private static void produceUntilRefused(BrokerProcess broker) throws Exception {
    try (ExecutorService all = Executors.newCachedThreadPool()) {
      List<Future<?>> producers = new ArrayList<>();
      for (int i = 0; i < PRODUCERS; i++) {
        int partition = i;
        producers.add(all.submit(() -> produceUntilRefused(broker, partition)));
      }
      for (Future<?> producer : producers) {
        producer.get();
      }
    }
  }

  /** Small records too: they fit where larger ones do not. */
  private static void produceUntilRefused(BrokerProcess broker, int partition) {
    int[] sizes = {30_000, 2_000, 100};
    try (Producer producer = Producer.open(ProducerSettings.builder(client(broker)).build())) {
      int refused = 0;
      for (int i = 0; refused < REFUSALS; i++) {
        try {
          producer
              .send(ProducerRecord.of("t", new byte[sizes[i % 3]]).inPartition(partition))
              .join();
        } catch (CompletionException e) {
          if (!(e.getCause() instanceof ServerException why)) {
            throw e;
          }
          assertEquals(ErrorCode.DISK_FULL, why.error(), why::getMessage);
          refused++;
        }
      }
    }
  }

  private static ClientSettings client(BrokerProcess broker) {
    return ClientSettings.of(new ServerAddress("127.0.0.1", broker.port()));
  }

  private static int run(String... command) throws Exception {
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .waitFor();
  }
}
