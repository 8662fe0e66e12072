package io.minikafka.client;

import static io.minikafka.client.Clients.consumer;
import static io.minikafka.client.Reading.T0;
import static io.minikafka.client.Reading.fill;
import static io.minikafka.client.Reading.named;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.HandTimers;
import io.minikafka.protocol.Api;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Heartbeat;
import io.minikafka.protocol.JoinGroup;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a member does when its session, its process or its server stands still. */
@Timeout(60)
class GroupLeaseTest {
  private static final int SESSION_MS = 45_000;

  private final HandTimers timers = new HandTimers();

  private GroupReading member(FakeServer server) {
    return GroupReading.of(
        consumer(server, timers, s -> s.maxPollRecords(5)),
        s -> s.autoCommit(false).sessionMs(SESSION_MS).pollIntervalMs(600_000));
  }

  private static String only(FakeServer server) {
    assertEquals(1, server.group.members().size());
    return server.group.members().getFirst();
  }

  @Test
  void aProcessThatStoodStillReturnsNothingOfWhatItHadFetched() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 20);
      try (GroupReading member = member(server)) {
        member.lookUntil(() -> member.read.size() == 5);
        server.group.fallSilent();
        timers.advanceMs(SESSION_MS);

        member.look();

        assertEquals(named(0, 5), member.read);
        assertEquals(List.of("assigned t-0", "lost t-0"), member.heard);
        server.group.speak();
      }
    }
  }

  @Test
  void aProcessThatStoodStillCommitsNothing() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 20);
      try (GroupReading member = member(server)) {
        member.lookUntil(() -> member.read.size() == 5);
        server.group.fallSilent();
        timers.advanceMs(SESSION_MS);

        CommitRefusedException e =
            assertThrows(CommitRefusedException.class, member.consumer::commitSync);

        assertEquals(ErrorCode.UNKNOWN_MEMBER, e.error());
        assertEquals(
            "the commit of t-0 was not sent to group g: the session of this member is over",
            e.getMessage());
        assertEquals(List.of(), server.received(Api.OFFSET_COMMIT));
        server.group.speak();
      }
    }
  }

  @Test
  void whatWasLostIsLetGoAndReadAgainFromWhatIsCommitted() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 20);
      try (GroupReading member = member(server)) {
        member.lookUntil(() -> member.read.size() == 10);
        member.consumer.commitSync(java.util.Map.of(T0, CommittedOffset.of(5)));
        server.group.fallSilent();
        timers.advanceMs(SESSION_MS);
        member.look();

        server.group.speak();
        member.lookUntil(() -> member.read.size() == 25);

        assertEquals(named(5, 20), member.read.subList(10, 25));
        assertEquals(List.of("join t", "commit t-0=5", "let go t-0"), server.group.events());
        assertEquals(List.of("assigned t-0", "lost t-0", "assigned t-0"), member.heard);
      }
    }
  }

  @Test
  void aZombieIsRefusedAndJoinsAgainAsSomebodyElse() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 20);
      try (GroupReading member = member(server)) {
        member.lookUntil(() -> member.read.size() == 5);
        String before = only(server);
        server.group.fallSilent();
        timers.advanceMs(SESSION_MS);
        server.group.expel(before);
        server.group.commit(T0, 15);

        server.group.speak();
        member.lookUntil(() -> member.read.size() == 10);

        assertEquals(named(15, 20), member.read.subList(5, 10));
        assertEquals(List.of("assigned t-0", "lost t-0", "assigned t-0"), member.heard);
        assertNotEquals(before, only(server));
      }
    }
  }

  @Test
  void theSessionIsCountedFromTheSendingOfTheLastAnsweredHeartbeat() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        GroupReading member = member(server)) {
      member.lookUntil(() -> member.heard.contains("assigned t-0"));
      String id = only(server);
      server.group.await(() -> server.group.heartbeats(id) == 1);
      timers.advanceMs(14_000);
      server.group.fallSilent();
      server.group.release(id);
      server.group.speak();
      server.group.await(() -> server.group.heartbeats(id) == 3);
      server.group.fallSilent();

      timers.advanceMs(SESSION_MS - 14_000 - 1);
      member.look();
      assertTrue(member.consumer.groupMember().orElseThrow().joined());
      timers.advanceMs(1);
      member.look();

      assertEquals(List.of("assigned t-0", "lost t-0"), member.heard);
      server.group.speak();
    }
  }

  @Test
  void anEndThatNobodyNoticedIsNoneIfThePartitionsWereNobodyElses() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 20);
      try (GroupReading member = member(server)) {
        member.lookUntil(() -> member.read.size() == 5);
        server.group.fallSilent();
        timers.advanceMs(SESSION_MS);
        server.group.speak();
        server.group.await(
            () -> {
              server.group.release(only(server));
              return member.consumer.groupMember().orElseThrow().joined();
            });

        member.lookUntil(() -> member.read.size() == 20);

        assertEquals(named(0, 20), member.read);
        assertEquals(List.of("assigned t-0"), member.heard);
        assertEquals(List.of("join t"), server.group.events());
      }
    }
  }

  @Test
  void aMemberIsNoMoreWhenItIsPutOut() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 5);
      try (GroupReading member = GroupReading.of(server).pollUntilRead(5)) {
        String before = only(server);
        server.group.expel(before);
        server.group.awaitMember(1);

        CommitRefusedException e =
            assertThrows(CommitRefusedException.class, member.consumer::commitSync);

        member.pollUntil(() -> member.heard.size() == 3);
        assertEquals(ErrorCode.UNKNOWN_MEMBER, e.error());
        assertEquals(List.of("assigned t-0", "lost t-0", "assigned t-0"), member.heard);
        assertNotEquals(before, only(server));
      }
    }
  }

  @Test
  void anApplicationThatIsStuckLetsGoAndIsToldWhenItComesBack() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      GroupReading member =
          GroupReading.of(
              consumer(server, timers, s -> s),
              s -> s.autoCommit(false).sessionMs(SESSION_MS).pollIntervalMs(20_000));
      try (member) {
        member.lookUntil(() -> member.heard.contains("assigned t-0"));

        timers.advanceMs(20_000);
        server.group.awaitEvent("leave");
        assertEquals(List.of(), server.group.members());
        member.lookUntil(() -> member.heard.size() == 3);

        assertEquals(List.of("assigned t-0", "lost t-0", "assigned t-0"), member.heard);
        assertEquals(List.of("join t", "leave", "join t"), server.group.events());
      }
    }
  }

  @Test
  void aRestartOfTheServerChangesNothing() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 5);
      try (GroupReading member = GroupReading.of(server).pollUntilRead(5)) {
        String id = only(server);
        server.kill();
        member.poll().poll();

        server.restart();
        fill(server, T0, 5, 9);
        member.pollUntilRead(9);
        member.consumer.commitSync();

        assertEquals(named(0, 9), member.read);
        assertEquals(id, only(server));
        assertEquals(List.of("assigned t-0"), member.heard);
        assertEquals(List.of("join t", "commit t-0=9"), server.group.events());
      }
    }
  }

  @Test
  void aHeartbeatDoesNotWaitAtTheServerUntilTheLeaseIsOver() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        GroupReading member = member(server)) {
      member.lookUntil(() -> member.heard.contains("assigned t-0"));
      server.awaitReceived(Api.HEARTBEAT, 1);
      server.group.fallSilent();
      timers.advanceMs(SESSION_MS - 1_000);
      server.awaitReceived(Api.HEARTBEAT, 2);

      List<Integer> waitsMs =
          server.received(Api.HEARTBEAT).stream()
              .map(beat -> beat.as(Heartbeat.Request.class).maxWaitMs())
              .toList();

      assertEquals(SESSION_MS / 3, waitsMs.getFirst());
      // The first was given up half-way through what the lease still had.
      assertTrue(waitsMs.getLast() <= SESSION_MS / 6, () -> "waits: " + waitsMs);
      server.group.speak();
    }
  }

  @Test
  void aWakeUpEndsAnyWait() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        GroupReading member = GroupReading.of(server).pollUntilHeard("assigned t-0")) {
      server.next(Api.OFFSET_FETCH, request -> member.consumer.wakeup());

      assertThrows(WakeupException.class, () -> member.consumer.committed(List.of(T0)));

      server.dropConnections();
    }
  }

  @Test
  void aJoinWhoseAnswerWasLostIsSentAgainAsTheSameMember() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      server.next(
          Api.JOIN_GROUP,
          FakeServer.Request::drop,
          request -> {
            server.group.fallSilent();
            request.answer();
            request.drop();
            server.group.speak();
          });
      try (GroupReading member = GroupReading.of(server).pollUntilHeard("assigned t-0")) {

        List<FakeServer.Request> joins = server.received(Api.JOIN_GROUP);
        assertTrue(joins.size() >= 2);
        assertEquals(
            1,
            joins.stream()
                .map(join -> join.as(JoinGroup.Request.class).member())
                .distinct()
                .count());
        assertEquals(List.of("assigned t-0"), member.heard);
      }
    }
  }

  @Test
  void whatJoiningMeetsComesOutOfPollAndIsTriedAgain() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        GroupReading member = GroupReading.of(server)) {
      // More often than once: what is mended before anybody looks is not told.
      for (int i = 0; i < 30; i++) {
        server.next(
            Api.JOIN_GROUP, request -> request.refuse(ErrorCode.LIMIT_REACHED, "1000 members"));
      }

      ServerException e =
          assertThrows(ServerException.class, () -> member.consumer.poll(Duration.ofSeconds(20)));

      assertEquals("LIMIT_REACHED: 1000 members", e.getMessage());
      while (member.heard.isEmpty()) {
        try {
          member.poll();
        } catch (ServerException again) {
          assertEquals(ErrorCode.LIMIT_REACHED, again.error());
        }
      }
      assertEquals(List.of("assigned t-0"), member.heard);
    }
  }

  @Test
  void anotherProcessOfTheSameInstanceEndsThisOne() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        GroupReading member = GroupReading.of(server, s -> s.autoCommit(false).instance("i"))) {
      member.pollUntilHeard("assigned t-0");
      server.group.fence(only(server));

      FencedInstanceException e =
          assertThrows(FencedInstanceException.class, () -> member.pollUntilHeard("nothing"));
      assertThrows(FencedInstanceException.class, member::poll);

      assertEquals("group g: another process has taken the place of instance i", e.getMessage());
      assertEquals(List.of("assigned t-0", "lost t-0"), member.heard);
      assertEquals(List.of(), server.group.members());
    }
  }

  @Test
  void aStaticMemberKeepsItsSeatWhenClosedAndGivesItUpWhenUnsubscribed() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      GroupReading.of(server, s -> s.autoCommit(false).instance("i"))
          .pollUntilHeard("assigned t-0")
          .close();
      GroupReading again = GroupReading.of(server, s -> s.autoCommit(false).instance("i"));
      again.pollUntilHeard("assigned t-0");

      again.consumer.unsubscribe();

      assertEquals(
          List.of("join t as i", "leave keeping its seat", "join t as i", "leave"),
          server.group.events());
      again.close();
    }
  }

  @Test
  void aDeletedTopicIsNoErrorWhileTheGroupWillTakeItAway() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      try (GroupReading member = GroupReading.of(server).pollUntilHeard("assigned t-0")) {
        server.logs.remove(server.key("t", 0));
        member.poll().poll().poll();

        server.group.take(only(server), T0);

        member.pollUntilHeard("revoked t-0");
      }
    }
  }

  @Test
  void closingDoesNotWaitForAServerThatIsGone() throws Exception {
    FakeServer server = FakeServer.version1().topic("t", 1);
    GroupReading member = GroupReading.of(server).pollUntilHeard("assigned t-0");
    server.close();

    member.close();

    assertEquals(List.of("assigned t-0", "revoked t-0"), member.heard);
  }

  @Test
  void aThreadThatIsInterruptedCanStillLeave() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      GroupReading member = GroupReading.of(server).pollUntilHeard("assigned t-0");
      Thread.currentThread().interrupt();

      member.close();

      assertTrue(Thread.interrupted());
      assertFalse(server.group.events().isEmpty());
      assertEquals("leave", server.group.events().getLast());
    }
  }
}
