package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.TopicPartition;
import io.minikafka.client.Admin;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.CommittedOffset;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerRecord;
import io.minikafka.client.ConsumerSettings;
import io.minikafka.client.GroupSettings;
import io.minikafka.client.Producer;
import io.minikafka.client.ProducerRecord;
import io.minikafka.client.ProducerSettings;
import io.minikafka.client.RebalanceListener;
import io.minikafka.client.ServerAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Members of a group, in one process, against the real broker. */
@Timeout(180)
class GroupClientIT {
  private static final int PARTITIONS = 6;

  @TempDir Path dir;
  private BrokerProcess broker;
  private final List<Member> members = new ArrayList<>();

  @BeforeEach
  void start() throws IOException, InterruptedException {
    broker = BrokerProcess.start(dir.resolve("data"));
    try (Admin admin = Admin.open(client())) {
      admin.createTopic("t", PARTITIONS, Map.of());
    }
  }

  @AfterEach
  void stop() {
    members.forEach(member -> member.consumer.close());
    broker.close();
  }

  private ClientSettings client() {
    return ClientSettings.of(new ServerAddress("127.0.0.1", broker.port()));
  }

  /** A member whose polls the test makes, all on one thread. */
  private final class Member implements RebalanceListener {
    final Consumer consumer = Consumer.open(ConsumerSettings.builder(client()).build());
    final List<String> read = new ArrayList<>();
    final List<String> heard = new ArrayList<>();
    boolean commitsRevoked;

    Member(GroupSettings settings) {
      consumer.subscribe(List.of("t"), settings, this);
      members.add(this);
    }

    void poll() {
      for (ConsumerRecord record : consumer.poll(Duration.ofMillis(20))) {
        read.add(new String(record.value().orElseThrow().toArray(), StandardCharsets.UTF_8));
      }
    }

    int owns() {
      return consumer.assignment().size();
    }

    @Override
    public void onRevoked(Set<TopicPartition> partitions) {
      heard.add("revoked " + partitions.size());
      if (commitsRevoked) {
        consumer.commitSync();
      }
    }

    @Override
    public void onLost(Set<TopicPartition> partitions) {
      heard.add("lost " + partitions.size());
    }
  }

  private static GroupSettings manual() {
    return GroupSettings.builder("g").autoCommit(false).sessionMs(3_000).build();
  }

  private void pollUntil(BooleanSupplier condition) {
    long deadlineNanos = System.nanoTime() + 60_000_000_000L;
    while (!condition.getAsBoolean()) {
      assertTrue(
          System.nanoTime() < deadlineNanos,
          () -> "polled in vain: " + members.stream().map(member -> member.heard).toList());
      List.copyOf(members).forEach(Member::poll);
    }
  }

  private void produce(int from, int until) {
    try (Producer producer = Producer.open(ProducerSettings.builder(client()).build())) {
      for (int i = from; i < until; i++) {
        byte[] value = Integer.toString(i).getBytes(StandardCharsets.UTF_8);
        producer.send(ProducerRecord.of("t", value).inPartition(i % PARTITIONS));
      }
    }
  }

  private List<String> readByAll() {
    List<String> all = new ArrayList<>();
    members.forEach(member -> all.addAll(member.read));
    return all;
  }

  @Test
  void membersComeAndGoAndWhatStaysIsReadOn() {
    Member first = new Member(manual());
    Member second = new Member(manual());
    pollUntil(() -> first.owns() == 3 && second.owns() == 3);
    produce(0, 600);
    pollUntil(() -> readByAll().size() == 600);
    Member third = new Member(manual());
    first.commitsRevoked = true;
    second.commitsRevoked = true;
    third.commitsRevoked = true;
    pollUntil(() -> first.owns() == 2 && second.owns() == 2 && third.owns() == 2);
    produce(600, 1_200);
    pollUntil(() -> readByAll().size() == 1_200);
    first.consumer.commitSync();

    first.consumer.unsubscribe();
    members.remove(first);
    pollUntil(() -> second.owns() == 3 && third.owns() == 3);
    produce(1_200, 1_800);
    pollUntil(() -> readByAll().size() + first.read.size() == 1_800);

    List<String> all = readByAll();
    all.addAll(first.read);
    assertEquals(1_800, new HashSet<>(all).size(), "all of it, and nothing twice");
    assertTrue(second.heard.stream().noneMatch(heard -> heard.startsWith("lost")));
    first.consumer.close();
  }

  @Test
  void aRestartOfTheBrokerCostsNobodyAnything() throws Exception {
    Member first = new Member(GroupSettings.builder("g").autoCommit(false).build());
    Member second = new Member(GroupSettings.builder("g").autoCommit(false).build());
    pollUntil(() -> first.owns() == 3 && second.owns() == 3);
    produce(0, 300);
    pollUntil(() -> readByAll().size() == 300);
    members.forEach(member -> member.heard.clear());
    String id = first.consumer.groupMember().orElseThrow().member();

    broker.kill();
    broker = broker.restart(dir.resolve("data"));
    produce(300, 600);
    pollUntil(() -> readByAll().size() == 600);
    first.consumer.commitSync();

    assertEquals(600, new HashSet<>(readByAll()).size());
    assertEquals(List.of(List.of(), List.of()), List.of(first.heard, second.heard));
    assertEquals(id, first.consumer.groupMember().orElseThrow().member());
    Map<TopicPartition, CommittedOffset> committed = committed();
    assertEquals(3, committed.size());
    committed.values().forEach(offset -> assertEquals(100, offset.offset()));
  }

  private Map<TopicPartition, CommittedOffset> committed() {
    try (Admin admin = Admin.open(client())) {
      return admin.committedOffsets("g", "t");
    }
  }

  @Test
  void aMemberThatSaysNothingIsReplacedWhenItsSessionIsOver() {
    Member first = new Member(manual());
    Member second = new Member(manual());
    pollUntil(() -> first.owns() == 3 && second.owns() == 3);
    produce(0, 60);
    pollUntil(() -> readByAll().size() == 60);
    first.consumer.commitSync();
    second.consumer.commitSync();
    // Stuck: it leaves by itself, and when it is back it is told.
    members.remove(first);
    first.consumer.unsubscribe();
    Member stuck =
        new Member(
            GroupSettings.builder("g")
                .autoCommit(false)
                .sessionMs(3_000)
                .pollIntervalMs(500)
                .build());
    pollUntil(() -> stuck.owns() == 3);
    members.remove(stuck);

    pollUntil(() -> second.owns() == PARTITIONS);
    produce(60, 120);
    pollUntil(() -> second.read.size() >= 90);
    second.commitsRevoked = true;
    members.add(stuck);
    pollUntil(() -> stuck.heard.contains("lost 3") && stuck.owns() == 3);

    assertEquals(List.of(), stuck.read);
    assertEquals(List.of("lost 3"), stuck.heard);
    first.consumer.close();
  }

  @Test
  void aTopicThatComesLaterIsReadByWhoSubscribedToItsPattern() {
    Member member = new Member(manual());
    member.consumer.unsubscribe();
    GroupSettings settings = GroupSettings.builder("p").topicRefreshMs(100).build();
    member.consumer.subscribe(Pattern.compile("u.*"), settings, member);
    member.poll();
    try (Admin admin = Admin.open(client());
        Producer producer = Producer.open(ProducerSettings.builder(client()).build())) {
      admin.createTopic("u1", 1, Map.of());
      producer.send(ProducerRecord.of("u1", "hello".getBytes(StandardCharsets.UTF_8))).join();
    }

    pollUntil(() -> member.read.equals(List.of("hello")));
  }
}
