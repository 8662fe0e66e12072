package io.minikafka.topic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.AppendResult;
import io.minikafka.partition.Durability;
import io.minikafka.partition.Partition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that create, change and delete while others look up and append. */
@Timeout(120)
class TopicsRacesTest {
  private static final int CHANGERS = 3;
  private static final int CHANGES = 300;
  private static final int NAMES = 3;

  private final FakeStores stores = new FakeStores();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean over = new AtomicBoolean();

  @Test
  void lookupsSeeWholeTopicsAndNothingIsAcknowledgedInADeletedOne() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime());
    try (ExecutorService worker = Executors.newFixedThreadPool(2);
        ExecutorService threads = Executors.newFixedThreadPool(CHANGERS + 2)) {
      Topics topics = Fixtures.topics(stores, worker);
      topics.start().join();
      List<Future<?>> looking = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        looking.add(threads.submit(() -> look(topics)));
      }
      List<Future<?>> changing = new ArrayList<>();
      for (int i = 0; i < CHANGERS; i++) {
        Random random = new Random(seed + i);
        changing.add(threads.submit(() -> change(topics, random)));
      }
      for (Future<?> next : changing) {
        next.get();
      }
      over.set(true);
      for (Future<?> next : looking) {
        next.get();
      }
      assertEquals(List.of(), List.copyOf(violations), "-Dseed=" + seed);
      long partitions = topics.topics().stream().mapToLong(t -> t.partitions().size()).sum();
      assertEquals(partitions, stores.open.size(), "-Dseed=" + seed);
      List<TopicEntry> before = topics.topics().stream().map(Topic::entry).toList();
      topics.close().join();
      stores.close();
      Topics again = Fixtures.topics(stores, worker);
      again.start().join();
      assertEquals(before, again.topics().stream().map(Topic::entry).toList());
      assertTrue(stores.deleted.size() > 10, "only " + stores.deleted.size() + " deletions");
    }
  }

  private void change(Topics topics, Random random) {
    for (int i = 0; i < CHANGES; i++) {
      String name = "t" + random.nextInt(NAMES);
      switch (random.nextInt(4)) {
        case 0 -> topics.create(name, 1 + random.nextInt(4), List.of(), false).join();
        case 1 -> topics.addPartitions(name, 1 + random.nextInt(8), false).join();
        case 2 -> {
          String ms = "" + (1 + random.nextInt(9));
          topics.alter(name, List.of(SettingChange.set("retention.ms", ms)), false).join();
        }
        default -> delete(topics, name);
      }
    }
  }

  /** Once the answer is there nothing may be acknowledged in the topic that was deleted. */
  private void delete(Topics topics, String name) {
    Optional<Topic> old = topics.topic(name);
    Outcome<TopicEntry> outcome = topics.delete(name, false).join();
    boolean deletedOld =
        outcome instanceof Outcome.Done<TopicEntry>(TopicEntry gone)
            && old.map(topic -> topic.id().equals(gone.id())).orElse(false);
    if (deletedOld) {
      for (Partition partition : old.orElseThrow().partitions()) {
        if (append(partition) instanceof AppendResult.Appended) {
          violations.add("acknowledged in a deleted topic: " + partition.id());
        }
      }
      if (topics.topic(old.orElseThrow().id()).isPresent()) {
        violations.add("found after it was deleted: " + name);
      }
    }
  }

  private void look(Topics topics) {
    while (!over.get()) {
      for (Topic topic : topics.topics()) {
        if (topic.entry().partitions() != topic.partitions().size()) {
          violations.add("half a topic: " + topic.entry());
        }
        append(topic.partitions().getLast());
      }
    }
  }

  private static AppendResult append(Partition partition) {
    CompletableFuture<AppendResult> answer = new CompletableFuture<>();
    partition.append(Fixtures.batch(1, 10), Durability.TOPIC, answer::complete);
    return answer.join();
  }
}
