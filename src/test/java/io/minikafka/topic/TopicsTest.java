package io.minikafka.topic;

import static io.minikafka.topic.Fixtures.append;
import static io.minikafka.topic.Fixtures.done;
import static io.minikafka.topic.Fixtures.refused;
import static io.minikafka.topic.Fixtures.started;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import io.minikafka.partition.AppendResult;
import io.minikafka.partition.AppendResult.Reason;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.HandExecutor;
import io.minikafka.partition.Partition;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.topic.TopicError.FieldError;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Creations, lookups, and when changes are taken at all. */
class TopicsTest {
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
  void createdTopicIsFoundByNameAndById() {
    TopicEntry entry = create("t", 3);
    Topic topic = topics.topic("t").orElseThrow();
    assertEquals(entry, topic.entry());
    assertSame(topic, topics.topic(entry.id()).orElseThrow());
    for (int i = 0; i < 3; i++) {
      Partition partition = topics.partition(new TopicPartition("t", i)).orElseThrow();
      assertEquals(new PartitionId(entry.id(), i), partition.id());
      assertSame(partition, topics.partition(partition.id()).orElseThrow());
    }
  }

  @Test
  void partitionThatIsNotThereIsNotFound() {
    TopicEntry entry = create("t", 3);
    for (int number : new int[] {3, -1, Integer.MAX_VALUE, Integer.MIN_VALUE}) {
      assertEquals(Optional.empty(), topics.partition(new TopicPartition("t", number)));
      assertEquals(Optional.empty(), topics.partition(new PartitionId(entry.id(), number)));
    }
    assertEquals(Optional.empty(), topics.partition(new TopicPartition("T", 0)));
    assertEquals(Optional.empty(), topics.partition(new PartitionId(new UUID(1, 1), 0)));
  }

  @Test
  void topicsAreThereAfterARestartAsTheyWere() {
    create("b", 2, SettingChange.set("retention.ms", "5"));
    create("a", 1);
    List<TopicEntry> before = topics.topics().stream().map(Topic::entry).toList();
    restart();
    assertEquals(before, topics.topics().stream().map(Topic::entry).toList());
    assertEquals(List.of("a", "b"), topics.topics().stream().map(Topic::name).toList());
  }

  @Test
  void everyFieldThatIsWrongIsNamedInOneAnswer() {
    TopicError error =
        refused(topics.create("../x", 0, List.of(SettingChange.set("segment.bytes", "1")), false));
    assertEquals(ErrorCode.INVALID_REQUEST, error.code());
    assertEquals(
        List.of("name", "partitions", "settings.segment.bytes"),
        error.fields().stream().map(FieldError::field).toList());
  }

  @Test
  void partitionCountBeyondAnIntIsRefusedAndNotTruncated() {
    TopicError error = refused(topics.create("t", (1L << 32) + 1, List.of(), false));
    assertEquals("partition count 4294967297 is outside 1 … 10000", error.message());
  }

  @Test
  void nameOfATopicThatExistsIsRefused() {
    create("t", 3);
    TopicError error = refused(topics.create("t", 1, List.of(), false));
    assertEquals(TopicError.of(ErrorCode.TOPIC_EXISTS, "topic 't' exists already"), error);
    assertEquals(3, topics.topic("t").orElseThrow().partitions().size());
  }

  @Test
  void clientsCannotCreateTheBrokersTopics() {
    TopicError error = refused(topics.create("__x", 1, List.of(), false));
    assertEquals("topic names starting with '__' are reserved for the broker", error.message());
  }

  @Test
  void topicBeyondALimitIsRefusedNamingItAndNothingHalfMadeRemains() {
    stores.limit = 5;
    create("t", 3);
    TopicError error = refused(topics.create("u", 3, List.of(), false));
    assertEquals(
        TopicError.of(ErrorCode.LIMIT_REACHED, "6 partitions are more than the limit 5"), error);
    assertEquals(3, stores.open.size());
    assertEquals(1, stores.meta.replacements);
  }

  @Test
  void partitionThatCannotBeOpenedUndoesTheCreation() {
    stores.failOpenOf = Optional.of(new PartitionId(new UUID(7, 1), 2));
    TopicError error = refused(topics.create("t", 4, List.of(), false));
    assertEquals(ErrorCode.STORAGE_FAILED, error.code());
    assertTrue(error.message().contains("no luck with"), error.message());
    assertEquals(Set.of(), stores.open.keySet());
    assertEquals(0, stores.meta.replacements);
    stores.failOpenOf = Optional.empty();
    create("t", 4);
  }

  @Test
  void trialsAnswerLikeTheChangeAndChangeNothing() {
    create("t", 3);
    int replacements = stores.meta.replacements;
    Topic before = topics.topic("t").orElseThrow();
    List<SettingChange> settings = List.of(SettingChange.set("retention.ms", "5"));
    TopicEntry created = done(topics.create("u", 2, settings, true));
    assertEquals(new UUID(0, 0), created.id());
    assertEquals(2, created.partitions());
    assertEquals(
        "5", done(topics.alter("t", settings, true)).own().own().get(SettingKey.RETENTION_MS));
    assertEquals(7, done(topics.addPartitions("t", 7, true)).partitions());
    assertEquals(before.entry(), done(topics.delete("t", true)));
    assertEquals(ErrorCode.TOPIC_EXISTS, refused(topics.create("t", 1, List.of(), true)).code());
    assertEquals(replacements, stores.meta.replacements);
    assertEquals(3, stores.open.size());
    assertSame(before, topics.topic("t").orElseThrow());
    assertEquals(Optional.empty(), topics.topic("u"));
  }

  @Test
  void brokersOwnTopicIsMadeOnceAndKeepsEverythingSafely() {
    TopicEntry made = done(topics.ensureInternal("__offsets", 1, List.of()));
    TopicEntry again = done(topics.ensureInternal("__offsets", 1, List.of()));
    assertEquals(made, again);
    var settings = topics.topic("__offsets").orElseThrow().settings().store();
    assertEquals(-1, settings.retentionBytes());
    assertEquals(-1, settings.retentionMs());
    assertEquals(FlushPolicy.COMMIT, settings.flushPolicy());
  }

  @Test
  void ordinaryNameIsNoneForTheBrokersOwnTopic() {
    assertThrows(
        IllegalArgumentException.class, () -> topics.ensureInternal("offsets", 1, List.of()));
  }

  @Test
  void cancelledChangeThatWasNotBegunIsNotMade() {
    HandExecutor worker = new HandExecutor();
    topics = Fixtures.topics(stores, worker);
    topics.start();
    CompletableFuture<Outcome<TopicEntry>> created = topics.create("t", 1, List.of(), false);
    CompletableFuture<Outcome<TopicEntry>> deleted = topics.delete("t", false);
    CompletableFuture<Outcome<TopicEntry>> other = topics.create("u", 1, List.of(), false);
    deleted.cancel(false);
    other.cancel(false);
    worker.runAll();
    assertInstanceOf(Outcome.Done.class, created.join());
    assertEquals(List.of("t"), topics.topics().stream().map(Topic::name).toList());
  }

  @Test
  void oneThreadIsEnoughForEverything() {
    HandExecutor worker = new HandExecutor();
    topics = Fixtures.topics(stores, worker);
    CompletableFuture<Void> started = topics.start();
    List<CompletableFuture<? extends Outcome<?>>> answers =
        List.of(
            topics.create("t", 50, List.of(), false),
            topics.alter("t", List.of(SettingChange.set("flush.policy", "commit")), false),
            topics.addPartitions("t", 60, false),
            topics.delete("t", false),
            topics.create("t", 50, List.of(), false));
    CompletableFuture<Void> closed = topics.close();
    worker.runAll();
    started.join();
    answers.forEach(answer -> assertInstanceOf(Outcome.Done.class, Fixtures.now(answer)));
    Fixtures.now(closed);
    stores.close();
  }

  @Test
  void changesBeforeTheStartAndAfterTheEndAreRefused() {
    topics = Fixtures.topics(stores, Runnable::run);
    assertEquals(ErrorCode.SHUTTING_DOWN, refused(topics.create("t", 1, List.of(), false)).code());
    topics.start().join();
    topics.close().join();
    assertEquals(ErrorCode.SHUTTING_DOWN, refused(topics.create("t", 1, List.of(), false)).code());
    assertEquals(ErrorCode.SHUTTING_DOWN, refused(topics.delete("t", false)).code());
  }

  @Test
  void partitionsRefuseAppendsOnceTheBrokerShutsDown() {
    create("t", 1);
    Partition partition = topics.partition(new TopicPartition("t", 0)).orElseThrow();
    topics.close().join();
    AppendResult late = append(partition);
    assertEquals(Reason.SHUTTING_DOWN, ((AppendResult.Refused) late).reason());
  }
}
