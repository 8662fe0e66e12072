package io.minikafka.client;

import static io.minikafka.client.Clients.bytes;
import static io.minikafka.client.Clients.producer;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.protocol.Api;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.record.RecordReader;
import io.minikafka.record.RecordView;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random faults, by seed: connections lost before and after a batch was written, refusals, answers
 * that overtake. Whatever happens, the log and what the application was told agree.
 */
@Timeout(120)
class ProducerFaultsTest {
  private static final int PARTITIONS = 3;

  /** What the application was told of one record. */
  private record Told(int number, String outcome, long offset) {}

  @Test
  void logAndReceiptsAgreeWhateverGetsLost() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    System.out.println("ProducerFaultsTest seed " + seed);
    for (int round = 0; round < 30; round++) {
      run(new Random(seed + round), "seed " + seed + " round " + round);
    }
  }

  private static void run(Random random, String name) throws Exception {
    int count = 300;
    Map<Integer, ConcurrentLinkedQueue<Told>> told = new HashMap<>();
    for (int i = 0; i < PARTITIONS; i++) {
      told.put(i, new ConcurrentLinkedQueue<>());
    }
    try (FakeServer server = FakeServer.version1().topic("t", PARTITIONS)) {
      for (int i = 0; i < 200; i++) {
        server.next(Api.PRODUCE, behaviour(random));
      }
      int batchRecords = 1 + random.nextInt(10);
      int maxInFlight = 1 + random.nextInt(5);
      try (Producer producer =
          producer(server, s -> s.batchRecords(batchRecords).maxInFlight(maxInFlight))) {
        for (int i = 0; i < count; i++) {
          int partition = random.nextInt(PARTITIONS);
          ConcurrentLinkedQueue<Told> list =
              told.getOrDefault(partition, new ConcurrentLinkedQueue<>());
          producer.send(
              ProducerRecord.of("t", bytes(Integer.toString(i))).inPartition(partition),
              teller(i, list));
          if (random.nextInt(50) == 0) {
            producer.flush();
          }
        }
      }
      int total = 0;
      for (int i = 0; i < PARTITIONS; i++) {
        List<Told> outcomes = List.copyOf(told.getOrDefault(i, new ConcurrentLinkedQueue<>()));
        total += outcomes.size();
        check(name + " partition " + i, log(server, i), outcomes);
      }
      assertEquals(count, total, name + ": each record is told once");
    }
  }

  private static void check(String name, List<Integer> log, List<Told> outcomes) {
    assertEquals(
        outcomes.stream().map(Told::number).sorted().toList(),
        outcomes.stream().map(Told::number).toList(),
        name + ": told in the order of the records");
    assertEquals(log.stream().sorted().distinct().toList(), log, name + ": in order, none twice");
    for (Told one : outcomes) {
      switch (one.outcome) {
        case "acknowledged" ->
            assertEquals(
                one.number, log.get((int) one.offset), name + ": stands where it was told");
        case "NotSentException", "ServerException" ->
            assertTrue(!log.contains(one.number), name + ": " + one + " is not in the log");
        default -> assertEquals("UnknownOutcomeException", one.outcome, name);
      }
    }
  }

  private static SendCallback teller(int number, ConcurrentLinkedQueue<Told> told) {
    return new SendCallback() {
      @Override
      public void acknowledged(Ack ack) {
        told.add(new Told(number, "acknowledged", ack.offset()));
      }

      @Override
      public void failed(MinikafkaException failure) {
        told.add(new Told(number, failure.getClass().getSimpleName(), -1));
      }
    };
  }

  private static FakeServer.Behaviour behaviour(Random random) {
    int dice = random.nextInt(100);
    if (dice < 5) {
      return FakeServer.Request::drop;
    }
    if (dice < 10) {
      return request -> {
        request.answer();
        request.drop();
      };
    }
    if (dice < 15) {
      return request -> request.refuse(ErrorCode.THROTTLED, "on purpose");
    }
    if (dice < 18) {
      // Written, and yet not acknowledged.
      return request -> {
        request.server().append(request);
        request.refuse(ErrorCode.STORAGE_FAILED, "on purpose");
      };
    }
    if (dice < 30) {
      // Written in order, answered out of it.
      return request -> {
        Runnable answer = request.server().append(request);
        Thread.ofVirtual().start(answer);
      };
    }
    return FakeServer.Request::answer;
  }

  private static List<Integer> log(FakeServer server, int partition) {
    FakeLog log = server.log("t", partition);
    ByteBuffer entries =
        ByteBuffer.wrap(log.read(0, Integer.MAX_VALUE, true)).order(ByteOrder.LITTLE_ENDIAN);
    RecordReader reader = new RecordReader(entries, 0);
    List<Integer> numbers = new ArrayList<>();
    for (RecordView view = reader.next(); view != null; view = reader.next()) {
      byte[] value = view.value().orElseThrow().toArray();
      numbers.add(Integer.valueOf(new String(value, StandardCharsets.UTF_8)));
    }
    return numbers;
  }
}
