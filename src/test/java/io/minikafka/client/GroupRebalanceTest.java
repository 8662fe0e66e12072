package io.minikafka.client;

import static io.minikafka.client.Clients.consumer;
import static io.minikafka.client.Reading.T0;
import static io.minikafka.client.Reading.T1;
import static io.minikafka.client.Reading.fill;
import static io.minikafka.client.Reading.named;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.TopicPartition;
import io.minikafka.protocol.Api;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.JoinGroup;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GroupRebalanceTest {
  @Test
  void aMemberReadsWhatItIsGivenAndTheNextGoesOnWhereItStopped() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 2)) {
      fill(server, T0, 0, 10);
      fill(server, T1, 10, 20);
      try (GroupReading first = GroupReading.of(server).pollUntilRead(20)) {
        assertEquals(List.of("assigned t-0 t-1"), first.heard);
        assertEquals(Set.copyOf(named(0, 20)), Set.copyOf(first.read));
        first.consumer.commitSync();
      }
      fill(server, T1, 20, 23);

      try (GroupReading second = GroupReading.of(server).pollUntilRead(3)) {
        assertEquals(named(20, 23), second.read);
      }
    }
  }

  @Test
  void groupCallsHaveAConnectionOfTheirOwn() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 3);
      try (GroupReading member = GroupReading.of(server).pollUntilRead(3)) {
        member.consumer.commitSync();
      }

      assertNotEquals(
          server.received(Api.FETCH).getFirst().connection(),
          server.received(Api.JOIN_GROUP).getFirst().connection());
      assertEquals(
          server.received(Api.JOIN_GROUP).getFirst().connection(),
          server.received(Api.OFFSET_COMMIT).getFirst().connection());
    }
  }

  @Test
  void whatTheServerIsToldOfTheMemberIsWhatTheSettingsSay() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        GroupReading member =
            GroupReading.of(
                server,
                s -> s.sessionMs(9_000).pollIntervalMs(50_000).instance("i").assignor("sticky"))) {
      member.pollUntilHeard("assigned t-0");

      JoinGroup.Request join =
          server.received(Api.JOIN_GROUP).getFirst().as(JoinGroup.Request.class);
      String id = server.group.members().getFirst();
      assertEquals(
          new JoinGroup.Request("g", id, "i", 9_000, 50_000, "sticky", List.of("t")), join);
      GroupMember self = member.consumer.groupMember().orElseThrow();
      assertEquals(new GroupMember("g", id, "i", self.generation(), true), self);
    }
  }

  @Test
  void partitionsThatStayAreReadOnAndNotReadTwice() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 2)) {
      fill(server, T0, 0, 50);
      fill(server, T1, 50, 100);
      server.group.mean();
      try (GroupReading member =
          GroupReading.of(consumer(server, s -> s.maxPollRecords(7)), s -> s.autoCommit(false))) {
        member.poll();
        String id = server.group.awaitMember(1);
        server.group.give(id, T0);
        member.pollUntilRead(10);
        server.group.give(id, T1);
        member.pollUntilRead(60);
        server.group.take(id, T1);
        member.pollUntilHeard("revoked t-1");
        member.pollUntil(() -> Set.copyOf(member.read).containsAll(named(0, 50)));

        assertEquals(List.of("assigned t-0", "assigned t-1", "revoked t-1"), member.heard);
        assertEquals(Set.copyOf(member.read).size(), member.read.size());
        assertEquals(Set.of(T0), member.consumer.assignment());
      }
    }
  }

  @Test
  void whatIsRevokedCanBeCommittedInTheCallbackAndIsLetGoOnlyThen() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 2)) {
      fill(server, T0, 0, 5);
      try (GroupReading member = GroupReading.of(server).pollUntilRead(5)) {
        member.onRevoked =
            () -> {
              assertEquals(Set.of(T0, T1), member.consumer.assignment());
              assertTrue(server.group.has(server.group.members().getFirst()).contains(T0));
              member.consumer.commitSync(Map.of(T0, new CommittedOffset(4, 0, "four")));
            };

        server.group.take(server.group.members().getFirst(), T0);
        member.pollUntilHeard("revoked t-0");
        server.group.awaitEvent("let go t-0");
        member.onRevoked = () -> {};

        List<String> events = server.group.events();
        assertEquals(List.of("join t", "commit t-0=4", "let go t-0"), events);
        assertEquals("four", server.group.metadata(T0));
        assertEquals(Set.of(T1), member.consumer.assignment());
      }
    }
  }

  @Test
  void aPollThatWaitsWakesToLetGo() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      try (GroupReading member = GroupReading.of(server).pollUntilHeard("assigned t-0")) {
        CompletableFuture<Void> letGo =
            CompletableFuture.runAsync(
                () -> {
                  server.group.take(server.group.members().getFirst(), T0);
                  try {
                    server.group.awaitEvent("let go t-0");
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                  member.consumer.wakeup();
                });

        assertThrows(WakeupException.class, () -> member.consumer.poll(Duration.ofMinutes(10)));

        letGo.join();
        assertEquals(List.of("assigned t-0", "revoked t-0"), member.heard);
      }
    }
  }

  @Test
  void recordsOfARevokedPartitionAreNotReturnedThoughTheyWereFetched() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 20);
      try (GroupReading member =
          GroupReading.of(consumer(server, s -> s.maxPollRecords(5)), s -> s.autoCommit(false))) {
        member.pollUntilRead(5);
        server.group.take(server.group.members().getFirst(), T0);
        server.group.await(() -> server.group.heartbeats(server.group.members().getFirst()) >= 2);

        member.poll();
        member.poll();

        assertEquals(named(0, 5), member.read);
      }
    }
  }

  @Test
  void aPartitionGivenAndTakenWhileTheApplicationWorkedIsNeverSeen() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      server.group.mean();
      try (GroupReading member = GroupReading.of(server).poll()) {
        String id = server.group.awaitMember(1);
        server.group.give(id, T0);
        server.group.take(id, T0);
        server.group.awaitEvent("let go t-0");

        member.poll();

        assertEquals(List.of(), member.heard);
      }
    }
  }

  @Test
  void aPartitionUnderAnotherGrantIsReadAgainFromWhatIsCommitted() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 20);
      try (GroupReading member =
          GroupReading.of(consumer(server, s -> s.maxPollRecords(5)), s -> s.autoCommit(false))) {
        member.pollUntilRead(10);
        server.group.commit(T0, 3);
        server.group.give(server.group.members().getFirst(), T0);

        CommitRefusedException refusal =
            assertThrows(CommitRefusedException.class, member.consumer::commitSync);
        // Until the heartbeat has brought the news it may read on.
        member
            .pollUntilHeard("lost t-0")
            .pollUntil(() -> Collections.frequency(member.read, named(3, 4).getFirst()) == 2)
            .pollUntil(() -> endsWith(member.read, named(3, 20)));

        assertEquals(ErrorCode.ILLEGAL_GENERATION, refusal.error());
        assertEquals(List.of("assigned t-0", "lost t-0", "assigned t-0"), member.heard);
        List<String> before = member.read.subList(0, member.read.size() - 17);
        assertEquals(named(0, before.size()), before);
        assertEquals(3, server.group.committed(T0));
        assertFalse(server.group.events().contains("let go t-0"));
      }
    }
  }

  private static boolean endsWith(List<String> all, List<String> end) {
    int from = all.size() - end.size();
    return from >= 0 && all.subList(from, all.size()).equals(end);
  }

  @Test
  void aTopicThatWasCreatedAgainIsReadFromItsBeginning() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 20);
      try (GroupReading member = GroupReading.of(server).pollUntilRead(20)) {
        String id = server.group.members().getFirst();
        server.group.take(id, T0);
        member.pollUntilHeard("revoked t-0");
        server.topic("t", 1);
        fill(server, T0, 20, 23);

        server.group.give(id, T0);

        member.pollUntilRead(23);
        assertEquals(named(0, 23), member.read);
        assertEquals(List.of("assigned t-0", "revoked t-0", "assigned t-0"), member.heard);
      }
    }
  }

  @Test
  void aSubscriptionByPatternFollowsWhatTopicsThereAre() throws Exception {
    TopicPartition added = new TopicPartition("log-b", 0);
    try (FakeServer server = FakeServer.version1().topic("log-a", 1).topic("other", 1);
        Consumer consumer = consumer(server)) {
      GroupReading member = new GroupReading(consumer);
      GroupSettings settings = GroupSettings.builder("g").topicRefreshMs(100).build();
      consumer.subscribe(Pattern.compile("log-.*"), settings, member);
      member.pollUntilHeard("assigned log-a-0");

      server.topic("log-b", 1);
      fill(server, added, 0, 3);
      member.pollUntilRead(3);

      assertEquals(List.of("join log-a", "join log-a,log-b"), server.group.events());
      assertEquals(1, server.group.members().size());
      assertEquals(List.of("assigned log-a-0", "assigned log-b-0"), member.heard);
    }
  }

  @Test
  void aPatternWithoutTopicsWaitsForOne() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("other", 1);
        Consumer consumer = consumer(server)) {
      GroupReading member = new GroupReading(consumer);
      GroupSettings settings = GroupSettings.builder("g").topicRefreshMs(100).build();
      consumer.subscribe(Pattern.compile("log"), settings, member);
      member.poll().poll();
      assertEquals(List.of(), server.group.events());

      server.topic("log", 1);

      member.pollUntilHeard("assigned log-0");
    }
  }

  @Test
  void otherTopicsMayBeSubscribedToWithoutLosingThePlace() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1).topic("u", 1)) {
      fill(server, T0, 0, 5);
      try (GroupReading member = GroupReading.of(server).pollUntilRead(5)) {
        GroupSettings same = GroupSettings.builder("g").autoCommit(false).build();
        member.consumer.subscribe(List.of("u", "t"), same, member);

        member.pollUntilHeard("assigned u-0");
        fill(server, T0, 5, 6);
        member.pollUntilRead(6);

        assertEquals(named(0, 6), member.read);
        assertEquals(1, server.group.members().size());
      }
    }
  }

  @Test
  void byHandAndByGroupExcludeEachOther() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        Consumer consumer = consumer(server)) {
      consumer.subscribe(List.of("t"), "g", RebalanceListener.NONE);
      Exception assigned =
          assertThrows(IllegalStateException.class, () -> consumer.assign(List.of(T0)));
      Exception other =
          assertThrows(
              IllegalStateException.class,
              () -> consumer.subscribe(List.of("t"), "h", RebalanceListener.NONE));
      consumer.unsubscribe();
      consumer.assign(List.of(T0));
      Exception subscribed =
          assertThrows(
              IllegalStateException.class,
              () -> consumer.subscribe(List.of("t"), "g", RebalanceListener.NONE));
      Exception committed = assertThrows(IllegalStateException.class, consumer::commitSync);

      assertEquals(
          "group g assigns the partitions of this consumer; unsubscribe first",
          assigned.getMessage());
      assertEquals(
          "a member of group g already, with other settings; unsubscribe first",
          other.getMessage());
      assertEquals(
          "partitions are assigned by hand; assign none before subscribing",
          subscribed.getMessage());
      assertEquals("not subscribed: there is no group to commit for", committed.getMessage());
    }
  }

  @Test
  void aCallbackMayUseTheConsumerButNotPollIt() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 10);
      try (Consumer consumer = consumer(server)) {
        GroupReading member =
            new GroupReading(consumer) {
              @Override
              public void onAssigned(Set<TopicPartition> partitions) {
                super.onAssigned(partitions);
                consumer.seek(T0, consumer.position(T0) + 7);
                consumer.poll(Duration.ZERO);
              }
            };
        consumer.subscribe(List.of("t"), "g", member);

        Exception e = assertThrows(IllegalStateException.class, () -> member.pollUntilRead(1));
        member.pollUntilRead(3);

        assertEquals(
            "a callback may not poll, subscribe, assign or close the consumer", e.getMessage());
        assertEquals(named(7, 10), member.read);
        assertEquals(List.of("assigned t-0"), member.heard);
      }
    }
  }
}
