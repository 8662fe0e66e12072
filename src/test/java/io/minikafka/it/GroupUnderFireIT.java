package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.client.Ack;
import io.minikafka.client.Admin;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.MinikafkaException;
import io.minikafka.client.Producer;
import io.minikafka.client.ProducerRecord;
import io.minikafka.client.ProducerSettings;
import io.minikafka.client.SendCallback;
import io.minikafka.client.ServerAddress;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A group of real processes that come, leave, are killed and are stopped for longer than their
 * session, under load, while the broker is killed twice. What each of them told, and the log of the
 * group's own records, must fit together afterwards.
 *
 * <p>The length is {@code -Dgroup.fire.seconds}, 15 in an ordinary build; the schedule is drawn
 * from {@code -Dseed}.
 */
class GroupUnderFireIT {
  private static final String TOPIC = "fire";
  private static final String GROUP = "brigade";
  private static final int PARTITIONS = 12;
  private static final int MEMBERS = 4;
  private static final int SESSION_MS = 2_000;

  /**
   * What was granted and committed is read from the offsets log; nothing of it may be compacted.
   */
  private static final String WHOLE_HISTORY = "-Dminikafka.group.offsets-segment-bytes=1073741824";

  @TempDir Path dir;

  private final long seed = Long.getLong("seed", System.nanoTime());
  private final int seconds = Integer.getInteger("group.fire.seconds", 15);
  private final Random random = new Random(seed);
  private final List<MemberProcess> all = new ArrayList<>();
  private final List<MemberProcess> running = new ArrayList<>();
  private final Set<Long> acknowledged = ConcurrentHashMap.newKeySet();

  @Test
  void everyRecordIsDeliveredAndNoPartitionEverHasTwoOwners() throws Exception {
    System.out.println("GroupUnderFireIT: seed " + seed + ", " + seconds + " s");
    Path data = dir.resolve("data");
    BrokerProcess broker = BrokerProcess.startBy(Launcher.AS_SHIPPED, data, WHOLE_HISTORY);
    try {
      try (Admin admin = Admin.open(client(broker))) {
        admin.createTopic(TOPIC, PARTITIONS, Map.of());
      }
      for (int i = 0; i < MEMBERS; i++) {
        join(broker);
      }
      broker = fire(broker, data);
      settle(broker);
      check(OffsetsLog.read(client(broker), GROUP));
    } finally {
      all.forEach(MemberProcess::close);
      broker.close();
    }
  }

  private void check(OffsetsLog log) throws IOException {
    GroupHistory history = GroupHistory.of(all);
    System.out.printf(
        "GroupUnderFireIT: %d acknowledged, %d delivered, %d of them again; %s%n",
        acknowledged.size(), history.delivered(), history.duplicates(), log.rebalances());
    assertNone("delivered by another than the owner", history.deliveriesByOthersThanTheOwner());
    assertNone("delivered after the session", history.deliveriesAfterAPause(SESSION_MS));
    assertNone("not noticed", history.pausesThatWentUnnoticed(SESSION_MS));
    assertNone("not delivered", history.notDelivered(acknowledged));
    assertNone("two owners", log.partitionsWithTwoOwners());
    assertNone("went back", log.commitsThatWentBack());
    assertNone("acknowledged and not in the log", log.missing(history.commits()));
  }

  private static void assertNone(String what, List<?> found) {
    assertTrue(
        found.isEmpty(),
        () -> "%s: %d, first %s".formatted(what, found.size(), found.stream().limit(5).toList()));
  }

  private BrokerProcess fire(BrokerProcess first, Path data) throws Exception {
    BrokerProcess broker = first;
    long begin = System.nanoTime();
    int kills = 0;
    Load load = new Load(broker);
    try {
      while (elapsedS(begin) < seconds) {
        TimeUnit.MILLISECONDS.sleep(200 + random.nextInt(1_000));
        if (kills < 2 && elapsedS(begin) > seconds * (kills + 1) / 3) {
          kills++;
          broker.kill();
          broker = broker.restart(data);
        }
        change(broker);
      }
      assertEquals(2, kills);
      return broker;
    } finally {
      load.close();
    }
  }

  private static long elapsedS(long begin) {
    return TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin);
  }

  /** One of the things that happen to members. */
  private void change(BrokerProcess broker) throws Exception {
    for (MemberProcess member : running) {
      boolean over =
          member.isPaused() && System.nanoTime() - member.pausedNs() > SESSION_MS * 1_500_000L;
      if (over) {
        member.resume();
        return;
      }
    }
    List<MemberProcess> awake = running.stream().filter(member -> !member.isPaused()).toList();
    if (running.size() < MEMBERS || awake.size() < 2) {
      join(broker);
      return;
    }
    MemberProcess member = awake.get(random.nextInt(awake.size()));
    switch (random.nextInt(4)) {
      case 0 -> join(broker);
      case 1 -> {
        member.leave();
        running.remove(member);
      }
      case 2 -> {
        member.kill();
        running.remove(member);
      }
      default -> member.pause();
    }
    // One that is paused cannot leave.
    while (running.size() > MEMBERS + 1) {
      MemberProcess first =
          running.stream().filter(each -> !each.isPaused()).findFirst().orElseThrow();
      running.remove(first);
      first.leave();
    }
  }

  private void join(BrokerProcess broker) throws Exception {
    MemberProcess member =
        MemberProcess.start("member-" + all.size(), dir, broker, TOPIC, GROUP, SESSION_MS);
    all.add(member);
    running.add(member);
  }

  /** Lets those who are left read to the end, then leave. */
  private void settle(BrokerProcess broker) throws Exception {
    for (MemberProcess member : running) {
      if (member.isPaused()) {
        member.resume();
      }
    }
    if (running.isEmpty()) {
      join(broker);
    }
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!GroupHistory.of(all).notDelivered(acknowledged).isEmpty()) {
      assertTrue(System.nanoTime() < end, () -> "not delivered within 60 s: " + undelivered());
      TimeUnit.MILLISECONDS.sleep(100);
    }
    for (MemberProcess member : running) {
      member.leave();
    }
  }

  private String undelivered() {
    try {
      List<String> missing = GroupHistory.of(all).notDelivered(acknowledged);
      return missing.size() + ", first " + missing.subList(0, Math.min(10, missing.size()));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static ClientSettings client(BrokerProcess broker) {
    return ClientSettings.builder(new ServerAddress("127.0.0.1", broker.port()))
        .backoffMs(20, 200)
        .build();
  }

  /** Produces until closed; what was acknowledged must be delivered. */
  private final class Load implements AutoCloseable {
    private final Thread thread;
    private volatile boolean over;

    Load(BrokerProcess broker) {
      ProducerSettings settings = ProducerSettings.builder(client(broker)).build();
      thread = Thread.ofPlatform().name("load").start(() -> produce(settings));
    }

    private void produce(ProducerSettings settings) {
      SendCallback callback =
          new SendCallback() {
            @Override
            public void acknowledged(Ack ack) {
              acknowledged.add(GroupHistory.place(ack.partition().partition(), ack.offset()));
            }

            @Override
            public void failed(MinikafkaException failure) {
              // Its broker was killed: it may or may not be in the log.
            }
          };
      try (Producer producer = Producer.open(settings)) {
        for (int i = 0; !over; i++) {
          producer.send(ProducerRecord.of(TOPIC, ("record " + i).getBytes()), callback);
          if (i % 20 == 0) {
            TimeUnit.MILLISECONDS.sleep(10);
          }
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public void close() throws InterruptedException {
      over = true;
      thread.join();
    }
  }
}
