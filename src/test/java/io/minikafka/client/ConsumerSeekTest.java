package io.minikafka.client;

import static io.minikafka.client.Clients.bytes;
import static io.minikafka.client.Clients.consumer;
import static io.minikafka.client.Reading.T0;
import static io.minikafka.client.Reading.T1;
import static io.minikafka.client.Reading.fill;
import static io.minikafka.client.Reading.named;
import static io.minikafka.client.Reading.read;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.minikafka.protocol.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class ConsumerSeekTest {
  private static final Duration LONG = Duration.ofSeconds(10);

  @Test
  void seekGoesToAnOffset() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Consumer consumer = consumer(server)) {
      fill(server, T0, 0, 20);
      consumer.assign(List.of(T0));
      consumer.seek(T0, 10);

      assertEquals(named(10, 20), read(consumer, 10));
    }
  }

  @Test
  void seekDropsWhatWasFetchedAhead() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Consumer consumer = consumer(server, s -> s.maxPollRecords(3).partitionMaxBytes(200))) {
      fill(server, T0, 0, 40);
      consumer.assign(List.of(T0));
      assertEquals(named(0, 3), read(consumer, 3));

      consumer.seek(T0, 1);

      assertEquals(named(1, 40), read(consumer, 39));
    }
  }

  @Test
  void seekOfOnePartitionLeavesTheOthersAlone() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 2);
        Consumer consumer = consumer(server, s -> s.maxPollRecords(1))) {
      fill(server, T0, 0, 5);
      fill(server, T1, 5, 10);
      consumer.assign(List.of(T0, T1));
      read(consumer, 1);

      consumer.seek(T1, 4);

      assertEquals(
          List.of("r1", "r2", "r3", "r4", "r9"), read(consumer, 5).stream().sorted().toList());
    }
  }

  @Test
  void seekEndsAFetchThatIsParkedElsewhere() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Consumer consumer = consumer(server, s -> s.fetchMaxWaitMs(600_000))) {
      fill(server, T0, 0, 5);
      consumer.assign(List.of(T0));
      consumer.seekToEnd(List.of(T0));
      server.pollUntilFetched(consumer, 1);

      consumer.seek(T0, 3);

      assertEquals(named(3, 5), read(consumer, 2));
    }
  }

  @Test
  void aPartitionAssignedWhileAFetchIsParkedIsReadAtOnce() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 2);
        Consumer consumer = consumer(server, s -> s.fetchMaxWaitMs(600_000))) {
      fill(server, T1, 0, 5);
      consumer.assign(List.of(T0));
      server.pollUntilFetched(consumer, 1);

      consumer.assign(List.of(T0, T1));

      assertEquals(named(0, 5), read(consumer, 5));
    }
  }

  @Test
  void partitionsThatStayAssignedKeepTheirPosition() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 2);
        Consumer consumer = consumer(server, s -> s.maxPollRecords(3))) {
      fill(server, T0, 0, 5);
      consumer.assign(List.of(T0));
      read(consumer, 3);

      consumer.assign(List.of(T1, T0));

      assertEquals(3, consumer.position(T0));
      assertEquals(named(3, 5), read(consumer, 2));
    }
  }

  @Test
  void seekToEndSkipsWhatIsThere() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Consumer consumer = consumer(server)) {
      fill(server, T0, 0, 5);
      consumer.assign(List.of(T0));
      consumer.seekToEnd(List.of(T0));
      assertEquals(5, consumer.position(T0));

      fill(server, T0, 5, 7);

      assertEquals(named(5, 7), read(consumer, 2));
    }
  }

  @Test
  void seekToBeginningGoesToTheLogStart() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Consumer consumer = consumer(server)) {
      fill(server, T0, 0, 7);
      server.log("t", 0).trimTo(2);
      consumer.assign(List.of(T0));
      consumer.seek(T0, 6);

      consumer.seekToBeginning(List.of(T0));

      assertEquals(named(2, 7), read(consumer, 5));
    }
  }

  @Test
  void seekToTimeGoesToTheFirstThatIsNotOlderOrElseTheEnd() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Producer producer = Clients.producer(server);
        Consumer consumer = consumer(server)) {
      for (long time : new long[] {10, 20, 30}) {
        producer.send(ProducerRecord.of("t", bytes("v")).inPartition(0).at(time)).join();
      }
      consumer.assign(List.of(T0));

      consumer.seekToTime(T0, 11);

      assertEquals(1, consumer.position(T0));
      consumer.seekToTime(T0, 31);
      assertEquals(3, consumer.position(T0));
    }
  }

  @Test
  void withoutASeekTheResetPolicySaysWhereToBegin() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Consumer earliest = consumer(server, s -> s.reset(ResetPolicy.EARLIEST));
        Consumer latest = consumer(server, s -> s.reset(ResetPolicy.LATEST));
        Consumer fail = consumer(server, s -> s.reset(ResetPolicy.FAIL))) {
      fill(server, T0, 0, 7);
      server.log("t", 0).trimTo(2);
      List.of(earliest, latest, fail).forEach(consumer -> consumer.assign(List.of(T0)));

      assertEquals(2, earliest.position(T0));
      assertEquals(7, latest.position(T0));
      assertThrows(IllegalStateException.class, () -> fail.poll(LONG));
    }
  }

  @Test
  void outOfRangeGoesWhereTheResetPolicySaysAndWhatWasDeletedUnreadIsTold() throws Exception {
    List<String> lost = new ArrayList<>();
    LossListener losses = (partition, from, to) -> lost.add(partition + " " + from + "-" + to);
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Consumer earliest = consumer(server, s -> s.reset(ResetPolicy.EARLIEST).losses(losses));
        Consumer latest = consumer(server, s -> s.reset(ResetPolicy.LATEST).losses(losses));
        Consumer fail = consumer(server, s -> s.reset(ResetPolicy.FAIL))) {
      fill(server, T0, 0, 7);
      server.log("t", 0).trimTo(2);
      for (Consumer consumer : List.of(earliest, latest, fail)) {
        consumer.assign(List.of(T0));
        consumer.seek(T0, 1);
      }

      assertEquals(named(2, 7), read(earliest, 5));
      assertEquals(List.of("t-0 1-2"), lost);
      while (lost.size() < 2) {
        assertEquals(List.of(), latest.poll(Duration.ofMillis(50)));
      }
      fill(server, T0, 7, 8);
      assertEquals(named(7, 8), read(latest, 1));
      assertEquals(List.of("t-0 1-2", "t-0 1-2"), lost);
      latest.seek(T0, 17);
      while (latest.position(T0) == 17) {
        assertEquals(List.of(), latest.poll(Duration.ofMillis(50)));
      }
      assertEquals(2, lost.size(), "nothing was there");
      OffsetOutOfRangeException e =
          assertThrows(OffsetOutOfRangeException.class, () -> fail.poll(LONG));
      assertEquals(
          "t-0: position 1 is outside the log, which has offsets 2 to 7 (the next is 8)",
          e.getMessage());
      fail.seek(T0, e.logStart());
      assertEquals(named(2, 8), read(fail, 6));
    }
  }

  @Test
  void aTopicCreatedAgainIsReadAsTheResetPolicySays() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Consumer earliest = consumer(server, s -> s.fetchMaxWaitMs(20));
        Consumer fail = consumer(server, s -> s.reset(ResetPolicy.FAIL).fetchMaxWaitMs(20))) {
      fill(server, T0, 0, 5);
      for (Consumer consumer : List.of(earliest, fail)) {
        consumer.assign(List.of(T0));
        consumer.seek(T0, 0);
        read(consumer, 5);
      }
      server.logs.clear();
      server.topic("t", 1);
      fill(server, T0, 10, 12);

      assertEquals(named(10, 12), read(earliest, 2));
      ServerException e = assertThrows(ServerException.class, () -> fail.poll(LONG));
      assertEquals(ErrorCode.UNKNOWN_TOPIC, e.error());
      assertThrows(IllegalStateException.class, () -> fail.poll(LONG));
    }
  }

  @Test
  void whatIsNotAssignedCannotBeSought() throws Exception {
    try (FakeServer server = FakeServer.version1();
        Consumer consumer = consumer(server)) {

      assertThrows(IllegalArgumentException.class, () -> consumer.seek(T0, 0));
    }
  }
}
