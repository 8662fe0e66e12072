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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

  private static List<String> records(FetchAnswer answer) {
    RecordReader reader = new RecordReader(answer.entries().buffer(), 1);
    List<String> records = new ArrayList<>();
    for (RecordView view = reader.next(); view != null; view = reader.next()) {
      records.add(new String(view.value().orElseThrow().toArray()) + "@" + view.offset());
    }
    return records;
  }
}
