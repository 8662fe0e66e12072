package io.minikafka.topic;

import static io.minikafka.topic.Fixtures.done;
import static io.minikafka.topic.Fixtures.refused;
import static io.minikafka.topic.Fixtures.started;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import io.minikafka.partition.AppendResult;
import io.minikafka.partition.AppendResult.Reason;
import io.minikafka.partition.HandExecutor;
import io.minikafka.partition.Partition;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.topic.FakeStores.FakeMeta.Fault;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;

/** Starts, ends, and writes of the catalog that fail. */
class TopicsStartTest {
  private final FakeStores stores = new FakeStores();

  private void make(String name, int partitions) {
    Topics topics = started(stores);
    done(topics.create(name, partitions, List.of(), false));
    topics.close().join();
  }

  private String refusedStart(Topics topics) {
    CompletionException failure =
        assertThrows(CompletionException.class, () -> topics.start().join());
    IOException cause = assertInstanceOf(IOException.class, failure.getCause());
    return String.valueOf(cause.getMessage());
  }

  @Test
  void progressCountsThePartitionsThatAreOpen() {
    make("t", 3);
    HandExecutor worker = new HandExecutor();
    Topics topics =
        new Topics(
            stores,
            Fixtures.DEFAULTS,
            Fixtures.surroundings(worker),
            () -> new UUID(1, 1),
            new Topics.Start(1, false),
            TopicListener.NONE);
    CompletableFuture<Void> started = topics.start();
    assertEquals(new Topics.Progress(0, 0), topics.progress());
    worker.runNext();
    assertEquals(new Topics.Progress(0, 3), topics.progress());
    assertEquals(List.of(), topics.topics());
    assertEquals(Optional.of("t"), topics.nameOf(new UUID(7, 1)), "for the log of recovery");
    worker.runAll();
    assertEquals(new Topics.Progress(3, 3), topics.progress());
    Fixtures.now(started);
    assertEquals(Optional.of("t"), topics.nameOf(new UUID(7, 1)));
  }

  @Test
  void everyDirectoryOfATopicIsKnownBeforeStrangersAreSetAside() {
    make("t", 1);
    make("u", 1);
    Topics topics = started(stores);
    stores.failDelete = true;
    UUID t = topics.topic("t").orElseThrow().id();
    UUID u = topics.topic("u").orElseThrow().id();
    done(topics.delete("t", false));
    topics.close().join();
    started(stores);
    assertEquals(Set.of(t, u), stores.known.getLast());
  }

  @Test
  void damagedCatalogRefusesTheStartAndNothingIsTouched() {
    make("t", 1);
    ByteBuffer damaged = ByteBuffer.allocate(40);
    stores.meta.put("topics", damaged, 9);
    int starts = stores.known.size();
    String message = refusedStart(Fixtures.topics(stores, Runnable::run));
    assertEquals(
        "the topic catalog /data/topics cannot be used: it does not begin with 'MKT1'. Nothing was"
            + " changed. Put back a copy of this file from a backup of the same data directory, or"
            + " start with the version of minikafka that wrote it",
        message);
    assertEquals(starts, stores.known.size());
    assertEquals(Set.of(), stores.open.keySet());
    assertEquals(List.of(), stores.deleted);
    assertEquals(1, stores.meta.replacements);
  }

  @Test
  void catalogThatCannotBeReadRefusesTheStart() {
    make("t", 1);
    stores.meta.failReads = true;
    String message = refusedStart(Fixtures.topics(stores, Runnable::run));
    assertTrue(
        message.startsWith(
            "the topic catalog /data/topics cannot be used: no luck with reading topics. Nothing"),
        message);
  }

  @Test
  void morePartitionsThanTheLimitAllowsRefuseTheStartNamingIt() {
    make("t", 4);
    stores.limit = 3;
    String message = refusedStart(Fixtures.topics(stores, Runnable::run));
    assertTrue(message.endsWith("4 partitions are more than the limit 3"), message);
    assertEquals(Set.of(), stores.open.keySet());
  }

  @Test
  void partitionThatCannotBeOpenedRefusesTheStartAndTheOthersAreClosed() {
    make("t", 20);
    stores.failOpenOf = Optional.of(new PartitionId(new UUID(7, 1), 11));
    assertTrue(refusedStart(Fixtures.topics(stores, Runnable::run)).startsWith("no luck with"));
    assertEquals(Set.of(), stores.open.keySet());
  }

  @Test
  void closingWhilePartitionsAreOpenedStopsThat() {
    make("t", 20);
    HandExecutor worker = new HandExecutor();
    Topics topics = Fixtures.topics(stores, worker);
    CompletableFuture<Void> start = topics.start();
    worker.runNext();
    CompletableFuture<Void> closed = topics.close();
    worker.runAll();
    assertThrows(CompletionException.class, start::join);
    Fixtures.now(closed);
    stores.close();
  }

  @Test
  void partitionThatFailsToCloseIsToldButTheOthersAreClosed() {
    make("t", 3);
    Topics topics = started(stores);
    stores.store(new PartitionId(new UUID(7, 1), 1)).failClose = true;
    assertThrows(CompletionException.class, () -> topics.close().join());
    assertEquals(Set.of(), stores.open.keySet());
  }

  @Test
  void endWaitsForBytesThatAreJustBeingDeletedAndBeginsNoMore() {
    make("t", 1);
    HandExecutor worker = new HandExecutor();
    Topics topics = Fixtures.topics(stores, worker);
    topics.start();
    worker.runAll();
    CompletableFuture<Outcome<TopicEntry>> deleted = topics.delete("t", false);
    while (topics.topic("t").isPresent()) {
      worker.runNext();
    }
    CompletableFuture<Void> closed = topics.close();
    worker.runAll();
    Fixtures.now(closed);
    done(deleted);
    assertEquals(List.of(), stores.deleted);
    started(stores);
    assertEquals(List.of(new UUID(7, 1)), stores.deleted);
  }

  @Test
  void writeOfTheCatalogThatFailedBeforeItBeganChangesNothing() {
    Topics topics = started(stores);
    stores.meta.fault = Optional.of(Fault.BEFORE);
    TopicError error = refused(topics.create("t", 2, List.of(), false));
    assertEquals(
        TopicError.of(
            ErrorCode.STORAGE_FAILED,
            "the topic catalog could not be written (no luck); nothing was changed"),
        error);
    assertEquals(Set.of(), stores.open.keySet());
    done(topics.create("t", 2, List.of(), false));
  }

  @Test
  void afterAWriteWhoseOutcomeIsUnknownNothingCanBeChanged() {
    Topics topics = started(stores);
    done(topics.create("t", 1, List.of(), false));
    stores.meta.fault = Optional.of(Fault.AFTER);
    TopicError error = refused(topics.create("u", 2, List.of(), false));
    assertTrue(error.message().contains("whether the last change holds shows at the next start"));
    assertEquals(Optional.empty(), topics.topic("u"));
    assertEquals(1, stores.open.size());
    assertEquals(error, refused(topics.create("v", 1, List.of(), true)));
    assertEquals(error, refused(topics.delete("t", false)));
    assertEquals(error, refused(topics.addPartitions("t", 2, false)));
    assertEquals(
        error, refused(topics.alter("t", List.of(SettingChange.set("retention.ms", "5")), false)));
    topics.close().join();
    Topics next = started(stores);
    assertEquals(List.of("t", "u"), next.topics().stream().map(Topic::name).toList());
  }

  @Test
  void topicWhoseDeletionIsUncertainAcknowledgesNothingMore() {
    Topics topics = started(stores);
    done(topics.create("t", 1, List.of(), false));
    Partition partition = topics.partition(new TopicPartition("t", 0)).orElseThrow();
    stores.meta.fault = Optional.of(Fault.AFTER);
    refused(topics.delete("t", false));
    assertEquals(Optional.empty(), topics.topic("t"));
    AppendResult late = Fixtures.append(partition);
    assertEquals(Reason.DELETED, ((AppendResult.Refused) late).reason());
    assertEquals(List.of(), stores.deleted);
  }

  @Test
  void catalogThatSomebodyElseHasChangedIsNotOverwritten() {
    Topics topics = started(stores);
    stores.meta.fault = Optional.of(Fault.LOST_RACE);
    TopicError error = refused(topics.create("t", 1, List.of(), false));
    assertTrue(error.message().contains("somebody else has changed it"), error.message());
    refused(topics.create("t", 1, List.of(), false));
  }
}
