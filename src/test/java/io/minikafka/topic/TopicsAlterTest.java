package io.minikafka.topic;

import static io.minikafka.topic.Fixtures.done;
import static io.minikafka.topic.Fixtures.refused;
import static io.minikafka.topic.Fixtures.started;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import io.minikafka.PartitionId;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.Partition;
import io.minikafka.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Changed settings and added partitions. */
class TopicsAlterTest {
  private final FakeStores stores = new FakeStores();

  private Topics topics = started(stores);

  private void restart() {
    topics.close().join();
    stores.close();
    topics = started(stores);
  }

  private TopicEntry create(String name, int partitions, SettingChange... settings) {
    return done(topics.create(name, partitions, List.of(settings), false));
  }

  @Test
  void changedSettingsAreInForceWhenTheChangeIsAnswered() {
    TopicEntry entry = create("t", 2);
    done(
        topics.alter(
            "t",
            List.of(
                SettingChange.set("retention.ms", "5"),
                SettingChange.set("flush.policy", "commit"),
                SettingChange.set("max.message.bytes", "1024")),
            false));
    for (int i = 0; i < 2; i++) {
      PartitionId id = new PartitionId(entry.id(), i);
      assertEquals(5, stores.store(id).settings.retentionMs());
      assertEquals(FlushPolicy.COMMIT, stores.store(id).settings.flushPolicy());
      assertEquals(1024, topics.partition(id).orElseThrow().settings().maxMessageBytes());
    }
    restart();
    assertEquals(5, stores.store(new PartitionId(entry.id(), 0)).settings.retentionMs());
  }

  @Test
  void illegalSettingsChangeNothing() {
    create("t", 1);
    Topic before = topics.topic("t").orElseThrow();
    TopicError error =
        refused(
            topics.alter(
                "t",
                List.of(
                    SettingChange.set("retention.ms", "5"), SettingChange.set("segment.ms", "0")),
                false));
    assertEquals("segment.ms is 0, must be at least 1 ms", error.message());
    assertSame(before, topics.topic("t").orElseThrow());
  }

  @Test
  void listenerIsToldWhatChangedFromWhatToWhat() {
    List<String> told = new ArrayList<>();
    topics =
        Fixtures.topics(
            stores,
            Runnable::run,
            new TopicListener() {
              @Override
              public void onCreated(Topic topic) {
                told.add("created " + topic.name());
              }

              @Override
              public void onChanged(Topic before, Topic after) {
                told.add(
                    "changed %s%d to %s%d"
                        .formatted(
                            before.entry().own(),
                            before.partitions().size(),
                            after.entry().own(),
                            after.partitions().size()));
              }
            });
    topics.start().join();
    create("t", 1);
    done(topics.alter("t", List.of(SettingChange.set("retention.ms", "5")), false));
    done(topics.addPartitions("t", 4, false));
    assertEquals(
        List.of(
            "created t",
            "changed {}1 to {retention.ms=5}1",
            "changed {retention.ms=5}1 to {retention.ms=5}4"),
        told);
  }

  @Test
  void addedPartitionsStandBehindThoseThatWereThere() {
    create("t", 2, SettingChange.set("retention.ms", "5"));
    List<Partition> before = topics.topic("t").orElseThrow().partitions();
    done(topics.addPartitions("t", 4, false));
    List<Partition> after = topics.topic("t").orElseThrow().partitions();
    assertEquals(before, after.subList(0, 2));
    assertEquals(4, after.size());
    assertEquals(5, after.get(3).settings().store().retentionMs());
    restart();
    assertEquals(4, topics.topic("t").orElseThrow().partitions().size());
  }

  @Test
  void partitionsCannotBeTakenAwayNorGoBeyondTheBound() {
    create("t", 2);
    for (long count : new long[] {1, 2}) {
      TopicError error = refused(topics.addPartitions("t", count, false));
      assertEquals("partitions", error.fields().getFirst().field());
      assertEquals(
          "partition count %d must be more than the 2 there are; partitions cannot be taken away"
              .formatted(count),
          error.message());
    }
    assertEquals(
        "partition count 10001 is outside 1 … 10000",
        refused(topics.addPartitions("t", 10_001, false)).message());
  }

  @Test
  void partitionsBeyondALimitAreRefusedNamingIt() {
    stores.limit = 5;
    create("t", 3);
    TopicError error = refused(topics.addPartitions("t", 6, false));
    assertEquals(
        TopicError.of(ErrorCode.LIMIT_REACHED, "6 partitions are more than the limit 5"), error);
    assertEquals(3, topics.topic("t").orElseThrow().partitions().size());
  }
}
