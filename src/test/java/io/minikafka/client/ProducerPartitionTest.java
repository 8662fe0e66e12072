package io.minikafka.client;

import static io.minikafka.client.Clients.bytes;
import static io.minikafka.client.Clients.producer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.HandTimers;
import io.minikafka.client.ProducerSettings.Keyless;
import io.minikafka.protocol.Api;
import io.minikafka.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ProducerPartitionTest {
  private static List<Integer> partitions(List<CompletableFuture<Ack>> futures) {
    return futures.stream().map(future -> future.join().partition().partition()).toList();
  }

  @Test
  void aKeysPartitionIsItsHashModuloTheCount() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 12);
        Producer producer = producer(server)) {
      List<CompletableFuture<Ack>> futures = new ArrayList<>();

      for (String key : List.of("", "a", "b", "foo", "foobar", "key-1", "order-42", "schlüssel")) {
        futures.add(producer.send(ProducerRecord.of("t", bytes(key), bytes("v"))));
      }

      // Computed from the published definition of FNV-1a, outside this program.
      assertEquals(List.of(1, 4, 1, 3, 4, 10, 8, 7), partitions(futures));
    }
  }

  @Test
  void anExplicitPartitionWinsOverTheKey() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 12);
        Producer producer = producer(server)) {

      Ack ack = producer.send(ProducerRecord.of("t", bytes("a"), bytes("v")).inPartition(9)).join();

      assertEquals(9, ack.partition().partition());
    }
  }

  @Test
  void aPartitionThatDoesNotExistIsNamedWithTheCount() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 3);
        Producer producer = producer(server)) {

      CompletableFuture<Ack> future =
          producer.send(ProducerRecord.of("t", bytes("v")).inPartition(3));

      Throwable e = future.handle((ack, thrown) -> thrown).join();
      assertEquals("UNKNOWN_TOPIC: topic 't' has no partition 3; there are 0 … 2", e.getMessage());
    }
  }

  @Test
  void anAddedPartitionIsFoundWhenItIsNamed() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server)) {
      producer.send(ProducerRecord.of("t", bytes("v"))).join();
      server.grow("t", 2);

      Ack ack = producer.send(ProducerRecord.of("t", bytes("v")).inPartition(1)).join();

      assertEquals(1, ack.partition().partition());
    }
  }

  @Test
  void anAddedPartitionGetsRecordsWhenWhatIsKnownHasGrownOld() throws Exception {
    HandTimers timers = new HandTimers();
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer =
            producer(
                server,
                timers,
                s -> s.keyless(Keyless.ROUND_ROBIN).metadataMaxAgeMs(60_000).lingerMs(0))) {
      assertEquals(0, partitionOfNext(producer));
      server.grow("t", 2);
      timers.advanceMs(59_999);
      assertEquals(0, partitionOfNext(producer));
      assertEquals(1, producer.partitionCount("t"));
      timers.advanceMs(1);

      partitionOfNext(producer);

      while (producer.partitionCount("t") == 1) {
        Thread.onSpinWait();
      }
      assertEquals(Set.of(0, 1), Set.of(partitionOfNext(producer), partitionOfNext(producer)));
    }
  }

  @Test
  void whatCouldNotBeAskedIsAskedAgainSoon() throws Exception {
    HandTimers timers = new HandTimers();
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = producer(server, timers, s -> s.metadataMaxAgeMs(60_000))) {
      partitionOfNext(producer);
      server.grow("t", 2);
      server.next(Api.METADATA, request -> request.refuse(ErrorCode.INTERNAL_ERROR, "no luck"));
      timers.advanceMs(60_000);
      partitionOfNext(producer);

      while (producer.partitionCount("t") == 1) {
        timers.advanceMs(2_000);
        partitionOfNext(producer);
      }

      assertTrue(timers.nanoTime() < TimeUnit.MILLISECONDS.toNanos(120_000));
    }
  }

  private static int partitionOfNext(Producer producer) {
    return producer.send(ProducerRecord.of("t", bytes("v"))).join().partition().partition();
  }

  @Test
  void recordsWithoutAKeyStickToAPartitionUntilItsBatchIsSealed() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 3);
        Producer producer = producer(server, s -> s.lingerMs(600_000).batchRecords(4))) {
      List<CompletableFuture<Ack>> futures = new ArrayList<>();

      for (int i = 0; i < 12; i++) {
        futures.add(producer.send(ProducerRecord.of("t", bytes("v"))));
      }

      List<Integer> partitions = partitions(futures);
      for (int batch = 0; batch < 3; batch++) {
        assertEquals(1, new HashSet<>(partitions.subList(4 * batch, 4 * batch + 4)).size());
      }
      assertEquals(Set.of(0, 1, 2), Set.copyOf(partitions));
    }
  }

  @Test
  void roundRobinTakesThePartitionsInTurn() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 3);
        Producer producer = producer(server, s -> s.keyless(Keyless.ROUND_ROBIN))) {
      List<CompletableFuture<Ack>> futures = new ArrayList<>();

      for (int i = 0; i < 9; i++) {
        futures.add(producer.send(ProducerRecord.of("t", bytes("v"))));
      }

      List<Integer> partitions = partitions(futures);
      for (int i = 1; i < 9; i++) {
        assertEquals((partitions.get(i - 1) + 1) % 3, partitions.get(i));
      }
    }
  }

  @Test
  void recordsOfOneKeyStayInOrder() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 4);
        Producer producer = producer(server, s -> s.batchRecords(3))) {
      List<CompletableFuture<Ack>> futures = new ArrayList<>();

      for (int i = 0; i < 100; i++) {
        futures.add(producer.send(ProducerRecord.of("t", bytes("key"), bytes("v" + i))));
      }

      for (int i = 0; i < 100; i++) {
        assertEquals(i, futures.get(i).join().offset());
      }
      assertTrue(Set.copyOf(partitions(futures)).size() == 1);
    }
  }
}
