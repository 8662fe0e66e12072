package io.minikafka.client;

import static io.minikafka.client.Clients.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.TopicPartition;
import io.minikafka.it.BrokerProcess;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.ListOffsets;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.RecordReader;
import io.minikafka.record.RecordView;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The client's version 0 against the real broker, which would rather be spoken to in version 1. */
@Timeout(120)
class Version0IT {
  private static final TopicPartition T0 = new TopicPartition("t", 0);

  @TempDir Path dir;

  @Test
  void createProduceFetchAndOffsetsWork() throws Exception {
    try (BrokerProcess broker = BrokerProcess.start(dir.resolve("data"));
        Link link =
            new Link(
                ClientSettings.of(new ServerAddress("127.0.0.1", broker.port())),
                ClientRuntime.real("version0"))) {
      Version0 dialect = new Version0(link.session().join().connection(), 30_000);
      dialect.createTopic("t", 1, false, Map.of()).join();
      TopicInfo topic = dialect.topic("t").join();
      ProducerBatch batch = new ProducerBatch(topic, T0, new BatchBuilder(64));
      for (String value : List.of("a", "b", "c")) {
        batch.append(1, new byte[0], bytes(value), List.of(), 0, new Receipt());
      }
      assertEquals(Optional.empty(), dialect.objection(batch));

      ProduceReceipt receipt =
          dialect.produce(batch, Durability.TOPIC_POLICY, 30_000).answer().join();

      assertEquals(new ProduceReceipt(0, 0, -1, Durability.TOPIC_POLICY), receipt);
      FetchQuestion question =
          new FetchQuestion(
              1_000,
              1,
              1 << 20,
              List.of(new FetchQuestion.Part(T0, TopicInfo.NO_ID, 1, 0, 1 << 20)));
      FetchAnswer answer = dialect.fetch(question, 30_000).join().getFirst();
      assertEquals(ErrorCode.NONE, answer.error());
      assertEquals(List.of("b@1", "c@2"), records(answer));
      List<OffsetQuestion> ends =
          List.of(
              new OffsetQuestion(T0, TopicInfo.NO_ID, ListOffsets.START),
              new OffsetQuestion(T0, TopicInfo.NO_ID, ListOffsets.HIGH_WATERMARK));
      assertEquals(List.of(0L, 3L), dialect.offsets(ends).join());
    }
  }

  @Test
  void aGroupOfBothVersionsSharesAndCommits() throws Exception {
    try (BrokerProcess broker = BrokerProcess.start(dir.resolve("data"))) {
      ClientSettings settings = ClientSettings.of(new ServerAddress("127.0.0.1", broker.port()));
      try (Link link = new Link(settings, ClientRuntime.real("version0"));
          Consumer consumer = Consumer.open(ConsumerSettings.builder(settings).build())) {
        Connection connection = link.session().join().connection();
        new Version0(connection, 30_000).createTopic("t", 2, false, Map.of()).join();
        GroupVersion0 dialect = new GroupVersion0(connection, 30_000);
        GroupSettings group = GroupSettings.builder("g").sessionMs(10_000).build();
        GroupList alone = dialect.join(group, dialect.newMember(), List.of("t")).join();
        assertEquals(2, alone.granted().size());
        dialect.heartbeat(beat(alone), 30_000).join();
        consumer.subscribe(List.of("t"), group, RebalanceListener.NONE);

        ServerException told = null;
        while (told == null) {
          consumer.poll(Duration.ofMillis(10));
          told = refusal(dialect.heartbeat(beat(alone), 30_000));
        }
        GroupList shared = alone;
        while (consumer.assignment().isEmpty()) {
          shared = dialect.join(group, alone.member(), List.of("t")).join();
          consumer.poll(Duration.ofMillis(10));
        }

        assertEquals(ErrorCode.REBALANCE_IN_PROGRESS, told.error());
        assertEquals(1, shared.granted().size());
        TopicPartition own = new TopicPartition("t", shared.granted().getFirst().partition());
        Seat seat = new Seat(own, TopicInfo.NO_ID, 0);
        Map<Seat, CommittedOffset> offsets = Map.of(seat, CommittedOffset.of(0));
        dialect.commit("g", shared.member(), shared.generation(), offsets).join();
        assertEquals(
            Map.of(own, CommittedOffset.of(0)),
            dialect.committed("g", Map.of(own, TopicInfo.NO_ID)).join());
        dialect.leave("g", shared.member(), false).join();
        while (consumer.assignment().size() < 2) {
          consumer.poll(Duration.ofMillis(10));
        }
      }
    }
  }

  private static GroupDialect.Beat beat(GroupList joined) {
    return new GroupDialect.Beat("g", joined.member(), joined.generation(), 0, 0, List.of());
  }

  private static @Nullable ServerException refusal(CompletableFuture<?> answer) {
    return answer.handle((ok, thrown) -> thrown).join() instanceof Throwable thrown
            && Failures.of(thrown) instanceof ServerException refusal
        ? refusal
        : null;
  }

  private static List<String> records(FetchAnswer answer) {
    RecordReader reader = new RecordReader(answer.entries().buffer(), 1);
    List<String> records = new ArrayList<>();
    for (RecordView view = reader.next(); view != null; view = reader.next()) {
      records.add(new String(view.value().orElseThrow().toArray()) + "@" + view.offset());
    }
    return records;
  }
}
