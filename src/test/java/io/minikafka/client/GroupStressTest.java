package io.minikafka.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.TopicPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Members that read while their partitions wander, connections are cut and the server restarts:
 * nobody reads what is not its own, nothing is left out, and no commit goes back.
 */
@Timeout(120)
class GroupStressTest {
  private static final int PARTITIONS = 6;
  private static final int MEMBERS = 3;
  private static final int STEPS = 300;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Map<TopicPartition, BitSet> read = new ConcurrentHashMap<>();
  private final Queue<String> wrong = new ConcurrentLinkedQueue<>();
  private volatile boolean over;

  @Test
  void whatWandersIsReadByItsOwnersOnlyAndReadWhole() throws Exception {
    System.out.println("GroupStressTest seed " + seed);
    try (FakeServer server = FakeServer.version1().topic("t", PARTITIONS)) {
      server.group.mean();
      List<Thread> members = new ArrayList<>();
      for (int i = 0; i < MEMBERS; i++) {
        members.add(Thread.ofVirtual().start(() -> member(server)));
      }
      server.group.awaitMember(MEMBERS);
      int written = 0;
      for (int step = 0; step < STEPS; step++) {
        step(server);
        if (step % 10 == 0) {
          for (int i = 0; i < PARTITIONS; i++) {
            Reading.fill(server, new TopicPartition("t", i), written, written + 10);
          }
          written += 10;
        }
        if (step % 40 == 25) {
          server.kill();
          server.restart();
        }
      }
      long end = written;
      // Quiet: what nobody has is given to somebody, and all is read and committed.
      server.group.await(
          () -> {
            giveFree(server);
            return isThrough(server, end);
          });
      over = true;
      for (Thread member : members) {
        member.join();
      }

      assertEquals(List.of(), List.copyOf(wrong), () -> "seed " + seed);
      for (int i = 0; i < PARTITIONS; i++) {
        assertEquals(end, offsets(new TopicPartition("t", i)).cardinality(), "seed " + seed);
      }
      List<String> events = server.group.events();
      assertTrue(events.stream().anyMatch(event -> event.startsWith("let go")), "nothing moved");
      assertNoCommitWentBack(events);
    }
  }

  private void member(FakeServer server) {
    try (Consumer consumer = Clients.consumer(server, s -> s.maxPollRecords(3))) {
      GroupSettings settings = GroupSettings.builder("g").autoCommitIntervalMs(0).build();
      consumer.subscribe(List.of("t"), settings, RebalanceListener.NONE);
      while (!over) {
        for (ConsumerRecord record : consumer.poll(Duration.ofMillis(5))) {
          String id = consumer.groupMember().orElseThrow().member();
          if (!server.group.has(id).contains(record.source())) {
            wrong.add(id + " read " + record);
          }
          BitSet offsets = offsets(record.source());
          synchronized (offsets) {
            offsets.set((int) record.offset());
          }
        }
      }
    } catch (RuntimeException e) {
      wrong.add(e.toString());
    }
  }

  private BitSet offsets(TopicPartition partition) {
    return read.computeIfAbsent(partition, key -> new BitSet());
  }

  private void step(FakeServer server) throws Exception {
    String id = server.group.members().get(random.nextInt(MEMBERS));
    TopicPartition partition = new TopicPartition("t", random.nextInt(PARTITIONS));
    switch (random.nextInt(8)) {
      case 0 -> server.dropConnections();
      case 1, 2, 3 -> {
        if (server.group.has(id).contains(partition)) {
          server.group.take(id, partition);
          if (random.nextBoolean()) {
            server.group.await(() -> !server.group.has(id).contains(partition));
          }
        }
      }
      default -> giveFree(server);
    }
    Thread.yield();
  }

  /** Gives what nobody has: only what was let go. */
  private void giveFree(FakeServer server) {
    synchronized (server.group) {
      List<String> members = server.group.members();
      for (int i = 0; i < PARTITIONS; i++) {
        TopicPartition partition = new TopicPartition("t", i);
        if (members.stream().noneMatch(id -> server.group.has(id).contains(partition))) {
          server.group.give(members.get(random.nextInt(members.size())), partition);
        }
      }
    }
  }

  private static boolean isThrough(FakeServer server, long end) {
    for (int i = 0; i < PARTITIONS; i++) {
      if (server.group.committed(new TopicPartition("t", i)) < end) {
        return false;
      }
    }
    return true;
  }

  private void assertNoCommitWentBack(List<String> events) {
    Map<String, Long> last = new ConcurrentHashMap<>();
    for (String event : events) {
      if (event.startsWith("commit ")) {
        String[] parts = event.substring("commit ".length()).split("=", 2);
        long offset = Long.parseLong(parts[1]);
        Long before = last.put(parts[0], offset);
        assertTrue(
            before == null || before <= offset,
            () -> event + " after " + before + ", seed " + seed);
      }
    }
  }
}
