package io.minikafka.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.minikafka.TopicPartition;
import io.minikafka.client.Admin;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerSettings;
import io.minikafka.client.GroupSettings;
import io.minikafka.client.ResetPolicy;
import io.minikafka.client.ServerAddress;
import io.minikafka.it.BrokerProcess;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class GroupConsumeIT {
  private static final TopicPartition T0 = new TopicPartition("t", 0);

  /** On a machine that is busy, polls end before the answers of the broker come. */
  private static final Duration SHORT = Duration.ofNanos(1);

  @TempDir Path dir;

  @Test
  @Timeout(60)
  void anOffsetOutsideTheLogIsRefusedHoweverSlowTheBroker() throws Exception {
    try (BrokerProcess broker = BrokerProcess.start(dir.resolve("data"))) {
      ClientSettings client = ClientSettings.of(new ServerAddress("127.0.0.1", broker.port()));
      try (Admin admin = Admin.open(client)) {
        admin.createTopic("t", 1, Map.of());
      }
      ConsumerSettings settings = ConsumerSettings.builder(client).reset(ResetPolicy.FAIL).build();
      try (Consumer consumer = Consumer.open(settings)) {
        GroupConsume member = memberFrom(consumer, 1);
        consumer.subscribe(
            List.of("t"), GroupSettings.builder("g").autoCommit(false).build(), member);
        try (Interruption never = new Interruption(consumer)) {
          assertEquals(
              "--from is 1, t-0 has no records (the next offset is 0); beginning, end, -N and a"
                  + " time fit every partition",
              assertThrows(IOException.class, () -> member.run(never)).getMessage());
        }
        assertEquals(Map.of(), consumer.committed(List.of(T0)));
      }
    }
  }

  private static GroupConsume memberFrom(Consumer consumer, long offset) {
    RecordPrinter printer =
        new RecordPrinter(
            RecordFormat.raw(), new RecordOutput(OutputStream.nullOutputStream()), null);
    Set<TopicPartition> partitions = Set.of(T0);
    StartPoint from = new StartPoint.Offset(offset);
    DamagePass none = new DamagePass(false, "g", new PrintWriter(Writer.nullWriter()));
    return new GroupConsume(
        consumer, "g", partitions, Ends.of(consumer, partitions), from, none, printer, SHORT);
  }
}
