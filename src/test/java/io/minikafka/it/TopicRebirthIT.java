package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.minikafka.TopicPartition;
import io.minikafka.admin.v1.TopicServiceCreateRequest;
import io.minikafka.admin.v1.TopicServiceDeleteRequest;
import io.minikafka.admin.v1.TopicServiceGrpc;
import io.minikafka.client.Ack;
import io.minikafka.client.Admin;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerRecord;
import io.minikafka.client.ConsumerSettings;
import io.minikafka.client.GroupSettings;
import io.minikafka.client.MinikafkaException;
import io.minikafka.client.Producer;
import io.minikafka.client.ProducerRecord;
import io.minikafka.client.ProducerSettings;
import io.minikafka.client.RebalanceListener;
import io.minikafka.client.ResetPolicy;
import io.minikafka.client.SendCallback;
import io.minikafka.client.ServerAddress;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A topic is deleted and created anew, again and again, while clients of both versions write and
 * read it. {@code -Dseed} replays the pauses, {@code -Drounds} says how often.
 *
 * <p>A life of the topic has a number. It ends when the call that deletes it has returned: what is
 * sent after that belongs to the next one.
 */
@Timeout(300)
class TopicRebirthIT {
  private static final String TOPIC = "phoenix";
  private static final int PARTITIONS = 2;
  private static final int LEAST_RECORDS = 20;
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(60);

  @TempDir Path dir;

  private final List<Thread> clients = new ArrayList<>();
  private final Queue<String> violations = new ConcurrentLinkedQueue<>();

  /** By the life in which they were sent. */
  private final Map<Integer, Set<String>> acknowledged = new ConcurrentHashMap<>();

  /** Those that were acknowledged before the call that ended their life was made. */
  private final Set<String> gone = ConcurrentHashMap.newKeySet();

  private final Set<String> readByTheGroup = ConcurrentHashMap.newKeySet();
  private final Set<Integer> readByVersion0 = ConcurrentHashMap.newKeySet();

  private BrokerProcess broker;
  private ManagedChannel channel;
  private TopicServiceGrpc.TopicServiceBlockingStub topics;
  private volatile int life;
  private volatile boolean ended;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    broker = BrokerProcess.start(dir.resolve("data"));
    channel =
        ManagedChannelBuilder.forAddress("127.0.0.1", broker.httpPort()).usePlaintext().build();
    topics = TopicServiceGrpc.newBlockingStub(channel);
  }

  @AfterEach
  void stop() throws InterruptedException {
    ended = true;
    for (Thread client : clients) {
      client.join(TimeUnit.SECONDS.toMillis(30));
    }
    channel.shutdownNow();
    broker.close();
  }

  @Test
  void nothingOutlivesItsTopicAndNothingOfTheNextOneIsLost() throws Exception {
    long seed = Long.getLong("seed", System.nanoTime() & 0xffff);
    int rounds = Integer.getInteger("rounds", 20);
    System.out.println("seed " + seed + ", rounds " + rounds);
    Random random = new Random(seed);
    String id = create();
    client("producer", this::produce);
    client("producer of version 0", this::produceVersion0);
    client("member", this::readInAGroup);
    client("consumer of version 0", this::readVersion0);
    for (int round = 0; round < rounds; round++) {
      commitAndGo();
      await("records of both producers", () -> count("v0-") && count("v1-"));
      gone.addAll(Set.copyOf(acknowledgedNow()));
      assertEquals(id, topics.delete(deletion()).getTopic().getId());
      life++;
      assertFalse(Files.exists(dir.resolve("data").resolve(id)), "its directory; seed " + seed);
      LockSupport.parkNanos(random.nextInt(30) * 1_000_000L);
      String next = create();
      assertNotEquals(id, next);
      id = next;
      try (Admin admin = Admin.open(client())) {
        assertEquals(Map.of(), admin.committedOffsets("idle", TOPIC), "seed " + seed);
      }
      await("records of both producers", () -> count("v0-") && count("v1-"));
      Set<String> promised = Set.copyOf(acknowledgedNow());
      List<String> kept = readWhole();
      assertEquals(Set.of(), without(promised, new HashSet<>(kept)), "lost; seed " + seed);
      assertEquals(kept.size(), new HashSet<>(kept).size(), "twice; seed " + seed);
      kept.retainAll(gone);
      assertEquals(List.of(), kept, "from an earlier life; seed " + seed);
      await("the group has read all", () -> readByTheGroup.containsAll(promised));
      await("version 0 reads", () -> readByVersion0.contains(life));
      assertEquals(List.of(), List.copyOf(violations), "seed " + seed);
    }
    System.out.println(
        acknowledged.values().stream().mapToInt(Set::size).sum() + " records were acknowledged");
  }

  private interface Work {
    void run() throws Exception;
  }

  private void client(String name, Work work) {
    Thread thread =
        Thread.ofPlatform()
            .name(name)
            .start(
                () -> {
                  try {
                    work.run();
                  } catch (Exception | AssertionError e) {
                    violations.add(name + " ended: " + e);
                  }
                });
    clients.add(thread);
  }

  private void produce() throws Exception {
    try (Producer producer =
        Producer.open(ProducerSettings.builder(client()).lingerMs(0).build())) {
      for (int number = 0; !ended; number++) {
        int sentIn = life;
        String value = "v1-%d-%d".formatted(sentIn, number);
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        try {
          producer.send(
              ProducerRecord.of(TOPIC, bytes).inPartition(number % PARTITIONS),
              new SendCallback() {
                @Override
                public void acknowledged(Ack ack) {
                  acknowledge(sentIn, value);
                }

                @Override
                public void failed(MinikafkaException failure) {
                  // It was promised nothing.
                }
              });
        } catch (MinikafkaException e) {
          // There is no such topic now.
        }
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  private void produceVersion0() throws IOException {
    try (Version0Socket socket = new Version0Socket(broker.port())) {
      for (int number = 0; !ended; number++) {
        int sentIn = life;
        String value = "v0-%d-%d".formatted(sentIn, number);
        if (socket.produce(TOPIC, number % PARTITIONS, value) == 0) {
          acknowledge(sentIn, value);
        }
        LockSupport.parkNanos(500_000);
      }
    }
  }

  private void acknowledge(int sentIn, String value) {
    acknowledged.computeIfAbsent(sentIn, number -> ConcurrentHashMap.newKeySet()).add(value);
  }

  private void readInAGroup() {
    try (Consumer consumer = consumer()) {
      consumer.subscribe(List.of(TOPIC), settings("readers"), RebalanceListener.NONE);
      while (!ended) {
        try {
          consumer.poll(Duration.ofMillis(20)).forEach(record -> readByTheGroup.add(value(record)));
          consumer.commitSync();
        } catch (MinikafkaException e) {
          // The topic it owned partitions of is not there now.
        }
      }
    }
  }

  private void readVersion0() throws IOException {
    try (Version0Socket socket = new Version0Socket(broker.port())) {
      long[] offsets = new long[PARTITIONS];
      while (!ended) {
        for (int partition = 0; partition < PARTITIONS; partition++) {
          int sentIn = life;
          Version0Socket.Fetched fetched = socket.fetch(TOPIC, partition, offsets[partition]);
          offsets[partition] = fetched.error() == 0 ? fetched.nextOffset() : 0;
          Set<String> dead = Set.copyOf(goneBefore(sentIn));
          fetched.values().stream()
              .filter(dead::contains)
              .forEach(value -> violations.add("life %d showed %s".formatted(sentIn, value)));
          if (!fetched.values().isEmpty()) {
            readByVersion0.add(sentIn);
          }
        }
      }
    }
  }

  /** What cannot be in a log that is asked in this life. */
  private Set<String> goneBefore(int number) {
    return gone.stream()
        .filter(value -> Integer.parseInt(value.split("-", 3)[1]) < number)
        .collect(Collectors.toSet());
  }

  /** Leaves a commit behind, of a group without members. */
  private void commitAndGo() {
    try (Consumer consumer = consumer()) {
      consumer.subscribe(List.of(TOPIC), settings("idle"), RebalanceListener.NONE);
      await("a record to commit", () -> !consumer.poll(Duration.ofMillis(20)).isEmpty());
      consumer.commitSync();
    }
  }

  private List<String> readWhole() {
    List<TopicPartition> all =
        IntStream.range(0, PARTITIONS)
            .mapToObj(partition -> new TopicPartition(TOPIC, partition))
            .toList();
    List<String> values = new ArrayList<>();
    try (Consumer consumer = consumer()) {
      consumer.assign(all);
      Map<TopicPartition, Long> ends = consumer.endOffsets(all);
      consumer.seekToBeginning(all);
      await(
          "the whole topic",
          () -> {
            consumer.poll(Duration.ofMillis(20)).forEach(record -> values.add(value(record)));
            return ends.entrySet().stream()
                .allMatch(end -> consumer.position(end.getKey()) >= end.getValue());
          });
    }
    return values;
  }

  private Consumer consumer() {
    return Consumer.open(ConsumerSettings.builder(client()).reset(ResetPolicy.EARLIEST).build());
  }

  private static GroupSettings settings(String group) {
    return GroupSettings.builder(group).autoCommit(false).sessionMs(10_000).build();
  }

  private static String value(ConsumerRecord record) {
    return new String(record.value().orElseThrow().toArray(), StandardCharsets.UTF_8);
  }

  private Set<String> acknowledgedNow() {
    return acknowledged.getOrDefault(life, Set.of());
  }

  private boolean count(String prefix) {
    return acknowledgedNow().stream().filter(value -> value.startsWith(prefix)).count()
        >= LEAST_RECORDS;
  }

  private static Set<String> without(Set<String> all, Set<String> some) {
    Set<String> rest = new HashSet<>(all);
    rest.removeAll(some);
    return rest;
  }

  private String create() {
    return topics
        .create(
            TopicServiceCreateRequest.newBuilder()
                .setName(TOPIC)
                .setPartitionCount(PARTITIONS)
                .build())
        .getTopic()
        .getId();
  }

  private static TopicServiceDeleteRequest deletion() {
    return TopicServiceDeleteRequest.newBuilder().setName(TOPIC).build();
  }

  private ClientSettings client() {
    return ClientSettings.of(new ServerAddress("127.0.0.1", broker.port()));
  }

  private void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("in vain: %s, in life %d; %s".formatted(what, life, violations));
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
