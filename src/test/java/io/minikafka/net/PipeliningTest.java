package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.net.WireClient.Answer;
import io.minikafka.topic.Topic;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PipeliningTest extends DataPortHarness {
  private static final byte[] RECORD = Wire.record(0, "k", "v");

  @Test
  void version0AnswersComeInTheOrderOfTheRequests() throws Exception {
    Topic topic = create("t", 1);
    broker.store(topic, 0).cold = true; // The fetch is read elsewhere, and takes longer.
    WireClient client = connect();
    client.send(Requests.produce0(0, "t", 0, RECORD)).read();
    client.send(
        Requests.fetch0(1, 0, "t", 0, 0, 1 << 20),
        Requests.produce0(2, "t", 0, RECORD),
        Requests.metadata0(3, "nope"),
        Requests.fetch0(4, 0, "t", 0, 1, 1 << 20),
        Requests.metadata0(5, "t"));
    for (int id = 1; id <= 5; id++) {
      assertEquals(id, client.read().correlationId());
    }
  }

  @Test
  void version0FetchThatWaitsHoldsBackTheAnswersBehindIt() throws Exception {
    create("t", 1);
    WireClient client = connect();
    client.send(
        Requests.fetch0(1, 5_000, "t", 0, 0, 1 << 20), Requests.produce0(2, "t", 0, RECORD));
    Answer fetched = client.read();
    assertEquals(1, fetched.correlationId());
    assertEquals(1, fetched.body().getInt(), "one partition");
    assertEquals(2, client.read().correlationId());
  }

  @Test
  void version1FetchThatWaitsHoldsBackNothing() throws Exception {
    Topic topic = create("t", 1);
    WireClient client = connect();
    client.send(Requests.fetch1(1, 5_000, 1, topic.id(), 0, 0), Requests.hello(2));
    assertEquals(2, client.read().correlationId());
    await("parked", () -> broker.parkedFetches.count() == 1);
    client.send(Requests.produce1(3, topic.id(), 0, Wire.batch(RECORD)));
    Map<Integer, Integer> errors = new HashMap<>();
    for (int i = 0; i < 2; i++) {
      Answer answer = client.read();
      errors.put(answer.correlationId(), answer.error());
    }
    assertEquals(Map.of(1, 0, 3, 0), errors);
  }

  @Test
  void producesOfOneReadAreOneWrite() throws Exception {
    Topic topic = create("t", 1);
    WireClient client = connect();
    byte[][] requests = new byte[8][];
    for (int i = 0; i < requests.length; i++) {
      requests[i] = Requests.produce0(i, "t", 0, RECORD);
    }
    client.send(requests);
    for (int i = 0; i < requests.length; i++) {
      Answer answer = client.read();
      assertEquals(i, answer.correlationId());
      assertEquals(i, answer.body().getLong(), "base offset");
    }
    // The kernel may have cut the bytes in two, but hardly into eight.
    assertEquals(
        true, broker.store(topic, 0).bursts.size() < 8, broker.store(topic, 0).bursts.toString());
  }

  @Test
  void manyRequestsInOneWriteAreAllAnswered() throws Exception {
    Topic topic = create("t", 4);
    WireClient client = connect();
    int count = 5_000;
    Thread sender =
        Thread.ofPlatform()
            .start(
                () -> {
                  try {
                    for (int i = 0; i < count; i += 50) {
                      byte[][] requests = new byte[50][];
                      for (int j = 0; j < 50; j++) {
                        requests[j] = Requests.produce0(i + j, "t", (i + j) % 4, RECORD);
                      }
                      client.send(requests);
                    }
                  } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                  }
                });
    for (int i = 0; i < count; i++) {
      Answer answer = client.read();
      assertEquals(i, answer.correlationId());
      assertEquals(i / 4, answer.body().getLong());
    }
    sender.join();
    assertEquals(count / 4, topic.partition(3).orElseThrow().highWatermark());
  }

  @Test
  void lookupsSeeTheProducesSentAheadOfThem() throws Exception {
    create("t", 1);
    WireClient client = connect();
    client.send(Requests.produce0(1, "t", 0, RECORD), Wire.body().str("t").u32(0).frame(5, 0, 2));
    client.read();
    Answer offsets = client.read();
    assertEquals(0, offsets.body().getLong());
    assertEquals(1, offsets.body().getLong());
  }
}
