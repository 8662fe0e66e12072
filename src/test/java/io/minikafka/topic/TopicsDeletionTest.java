package io.minikafka.topic;

import static io.minikafka.topic.Fixtures.append;
import static io.minikafka.topic.Fixtures.done;
import static io.minikafka.topic.Fixtures.refused;
import static io.minikafka.topic.Fixtures.started;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import io.minikafka.partition.AppendResult;
import io.minikafka.partition.AppendResult.Reason;
import io.minikafka.partition.Partition;
import io.minikafka.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Topics that go, and what is left of them. */
class TopicsDeletionTest {
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
  void deletedTopicIsGoneWithItsBytesAndItsIdIsForgotten() {
    TopicEntry entry = create("t", 2);
    append(topics.partition(new TopicPartition("t", 1)).orElseThrow());
    assertEquals(entry, done(topics.delete("t", false)));
    assertEquals(Optional.empty(), topics.topic("t"));
    assertEquals(Optional.empty(), topics.topic(entry.id()));
    assertEquals(List.of(entry.id()), stores.deleted);
    assertEquals(Set.of(), stores.open.keySet());
    restart();
    assertEquals(Set.of(), stores.known.getLast());
  }

  @Test
  void topicCreatedAgainSharesNothingWithTheDeletedOne() {
    TopicEntry first = create("t", 1);
    Partition old = topics.partition(new TopicPartition("t", 0)).orElseThrow();
    append(old);
    done(topics.delete("t", false));
    TopicEntry second = create("t", 1);
    assertNotEquals(first.id(), second.id());
    assertEquals(0, topics.partition(new TopicPartition("t", 0)).orElseThrow().snapshot().end());
    AppendResult late = append(old);
    assertEquals(new AppendResult.Refused(Reason.DELETED, "topic 't' was deleted"), late);
  }

  @Test
  void whoWaitsIsToldOfADeletionWhenLookupsAndPartitionsKnowOfIt() {
    List<String> told = new ArrayList<>();
    TopicListener listener =
        new TopicListener() {
          @Override
          public void onDeleted(Topic topic) {
            boolean found = topics.topic(topic.name()).isPresent();
            told.add("found " + found + ", " + append(topic.partitions().getFirst()));
          }
        };
    topics = Fixtures.topics(stores, Runnable::run, listener);
    topics.start().join();
    create("t", 1);
    done(topics.delete("t", false));
    assertEquals(
        List.of("found false, Refused[reason=DELETED, message=topic 't' was deleted]"), told);
  }

  @Test
  void deletionOfATopicThatIsNotThereIsRefused() {
    TopicError error = refused(topics.delete("t", false));
    assertEquals(TopicError.of(ErrorCode.UNKNOWN_TOPIC, "there is no topic 't'"), error);
  }

  @Test
  void bytesThatCannotBeDeletedNowAreDeletedAtTheNextStart() {
    TopicEntry entry = create("t", 1);
    stores.failDelete = true;
    done(topics.delete("t", false));
    stores.failDelete = false;
    restart();
    assertEquals(Set.of(entry.id()), stores.known.getLast());
    assertEquals(List.of(entry.id()), stores.deleted);
    restart();
    assertEquals(Set.of(), stores.known.getLast());
  }

  @Test
  void partitionThatFailsToCloseDoesNotKeepATopicFromBeingDeleted() {
    TopicEntry entry = create("t", 2);
    stores.store(new PartitionId(entry.id(), 0)).failClose = true;
    done(topics.delete("t", false));
    assertEquals(List.of(entry.id()), stores.deleted);
  }
}
