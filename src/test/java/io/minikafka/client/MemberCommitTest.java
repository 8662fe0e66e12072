package io.minikafka.client;

import static io.minikafka.client.Clients.consumer;
import static io.minikafka.client.Reading.T0;
import static io.minikafka.client.Reading.T1;
import static io.minikafka.client.Reading.fill;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.HandTimers;
import io.minikafka.TopicPartition;
import io.minikafka.client.FakeServer.Request;
import io.minikafka.protocol.Api;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.OffsetCommit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class MemberCommitTest {
  private final HandTimers timers = new HandTimers();

  private static GroupReading fives(
      FakeServer server, UnaryOperator<GroupSettings.Builder> change) {
    return GroupReading.of(consumer(server, s -> s.maxPollRecords(5)), change);
  }

  private static String only(FakeServer server) {
    return server.group.members().getFirst();
  }

  /** Keeps what it heard, and on which threads. */
  private static final class Heard implements CommitCallback {
    final List<String> told = new ArrayList<>();
    final List<Thread> threads = new ArrayList<>();

    @Override
    public void committed(Map<TopicPartition, CommittedOffset> offsets) {
      tell("committed", offsets);
    }

    @Override
    public void failed(Map<TopicPartition, CommittedOffset> offsets, MinikafkaException why) {
      tell(why.getClass().getSimpleName(), offsets);
    }

    private void tell(String what, Map<TopicPartition, CommittedOffset> offsets) {
      threads.add(Thread.currentThread());
      offsets.forEach(
          (partition, offset) -> told.add("%s %s=%d".formatted(what, partition, offset.offset())));
    }
  }

  @Test
  void aCommitSaysTheEpochOfTheLastRecordAndItsMetadata() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 20);
      try (GroupReading member = fives(server, s -> s.autoCommit(false)).pollUntilRead(5)) {
        member.consumer.commitSync();

        OffsetCommit.Request commit =
            server.received(Api.OFFSET_COMMIT).getFirst().as(OffsetCommit.Request.class);
        assertEquals(FakeLog.EPOCH, commit.partitions().getFirst().epoch());
        assertEquals(
            Map.of(T0, new CommittedOffset(5, FakeLog.EPOCH, "")),
            member.consumer.committed(List.of(T0)));
      }
    }
  }

  @Test
  void committedLeavesOutWhatIsNotAndAsksForAnybodysPartitions() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 2);
        GroupReading member = GroupReading.of(server)) {
      server.group.commit(T1, 7);

      assertEquals(
          Map.of(T1, new CommittedOffset(7, FakeLog.EPOCH, "")),
          member.consumer.committed(List.of(T0, T1)));
      try (Admin admin = Admin.open(server.client().build())) {
        assertEquals(
            Map.of(T1, new CommittedOffset(7, FakeLog.EPOCH, "")),
            admin.committedOffsets("g", "t"));
      }
    }
  }

  @Test
  void laterCommitsDoNotOvertakeEvenOverALostConnection() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      Heard heard = new Heard();
      try (GroupReading member = GroupReading.of(server).pollUntilHeard("assigned t-0")) {
        fill(server, T0, 0, 20);
        server.next(
            Api.OFFSET_COMMIT,
            Request::drop,
            request -> {
              request.answer();
              request.drop();
            });

        for (int offset = 1; offset <= 20; offset++) {
          member.consumer.commitAsync(Map.of(T0, CommittedOffset.of(offset)), heard);
        }
        member.pollUntil(() -> heard.told.size() == 20);

        List<String> expected = new ArrayList<>();
        for (int offset = 1; offset <= 20; offset++) {
          expected.add("committed t-0=" + offset);
        }
        assertEquals(expected, heard.told);
        assertEquals(20, server.group.committed(T0));
        assertEquals(Set.of(Thread.currentThread()), Set.copyOf(heard.threads));
        long last = 0;
        for (String event : server.group.events()) {
          if (event.startsWith("commit ")) {
            long offset = Long.parseLong(event.substring("commit t-0=".length()));
            assertTrue(offset >= last, () -> "rewound: " + server.group.events());
            last = offset;
          }
        }
        assertEquals(List.of("assigned t-0"), member.heard);
      }
    }
  }

  @Test
  void aCommitSyncTellsTheEarlierOnesFirst() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 20);
      Heard heard = new Heard();
      try (GroupReading member = fives(server, s -> s.autoCommit(false)).pollUntilRead(5)) {
        member.consumer.commitAsync(Map.of(T0, CommittedOffset.of(2)), heard);

        member.consumer.commitSync();

        assertEquals(List.of("committed t-0=2"), heard.told);
        assertEquals(5, server.group.committed(T0));
      }
    }
  }

  @Test
  void ofCommitsThatWentTogetherOnlyTheBadOneFails() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 2)) {
      CountDownLatch go = new CountDownLatch(1);
      Heard heard = new Heard();
      try (GroupReading member = GroupReading.of(server).pollUntilHeard("assigned t-0 t-1")) {
        server.next(
            Api.OFFSET_COMMIT,
            request -> {
              go.await();
              request.answer();
            });
        member.consumer.commitAsync(Map.of(T0, CommittedOffset.of(0)), heard);
        server.awaitReceived(Api.OFFSET_COMMIT, 1);
        server.next(
            Api.OFFSET_COMMIT,
            request -> {
              assertEquals(2, request.as(OffsetCommit.Request.class).partitions().size());
              request.answer();
            });
        server.group.give(only(server), T1);
        member.consumer.commitAsync(Map.of(T0, CommittedOffset.of(1)), heard);
        member.consumer.commitAsync(Map.of(T1, CommittedOffset.of(1)), heard);
        member.consumer.commitAsync(Map.of(T0, CommittedOffset.of(2)), heard);
        go.countDown();

        while (heard.told.size() < 4) {
          member.consumer.commitSync(Map.of());
          Thread.onSpinWait();
        }

        assertEquals(
            List.of(
                "committed t-0=0",
                "committed t-0=1",
                "CommitRefusedException t-1=1",
                "committed t-0=2"),
            heard.told);
      }
    }
  }

  @Test
  void aCommitOfAPartitionThatIsNotTheMembersNamesIt() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        GroupReading member = GroupReading.of(server).pollUntilHeard("assigned t-0")) {

      CommitRefusedException e =
          assertThrows(
              CommitRefusedException.class,
              () -> member.consumer.commitSync(Map.of(T1, CommittedOffset.of(1))));

      assertEquals(ErrorCode.NOT_OWNER, e.error());
      assertEquals(
          "the commit of t-1 was not sent to group g: the partition is not this member's",
          e.getMessage());
    }
  }

  @Test
  void whatTheServerRefusesIsToldInItsWords() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        GroupReading member = GroupReading.of(server).pollUntilHeard("assigned t-0")) {
      server.next(
          Api.OFFSET_COMMIT,
          request -> request.refuse(ErrorCode.DISK_FULL, "no room"),
          request -> request.refuse(ErrorCode.INVALID_REQUEST, "metadata has 9 bytes"));

      ServerException full =
          assertThrows(
              ServerException.class,
              () -> member.consumer.commitSync(Map.of(T0, CommittedOffset.of(1))));
      CommitRefusedException invalid =
          assertThrows(
              CommitRefusedException.class,
              () -> member.consumer.commitSync(Map.of(T0, CommittedOffset.of(1))));

      assertEquals("DISK_FULL: no room", full.getMessage());
      assertEquals(
          "group g did not take the commit of [t-0]: INVALID_REQUEST: metadata has 9 bytes",
          invalid.getMessage());
    }
  }

  @Test
  void aServerThatIsStoppingIsAskedAgain() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        GroupReading member = GroupReading.of(server).pollUntilHeard("assigned t-0")) {
      server.next(
          Api.OFFSET_COMMIT, request -> request.refuse(ErrorCode.SHUTTING_DOWN, "stopping"));

      member.consumer.commitSync(Map.of(T0, CommittedOffset.of(0)));

      assertEquals(0, server.group.committed(T0));
    }
  }

  @Test
  void aWakeUpEndsTheWaitForACommit() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1);
        GroupReading member = GroupReading.of(server).pollUntilHeard("assigned t-0")) {
      server.next(Api.OFFSET_COMMIT, request -> member.consumer.wakeup());

      assertThrows(
          WakeupException.class,
          () -> member.consumer.commitSync(Map.of(T0, CommittedOffset.of(0))));
      server.dropConnections();
    }
  }

  @Test
  void aCommitLeftOnTheWayEndsTheMemberSoThatItCannotOverwriteALaterOne() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 20);
      Heard heard = new Heard();
      GroupReading member =
          GroupReading.of(
              consumer(server, timers, s -> s), s -> s.autoCommit(false).pollIntervalMs(600_000));
      try (member) {
        member.lookUntil(() -> member.read.size() == 20);
        String before = only(server);
        List<Request> late = new ArrayList<>();
        server.next(Api.OFFSET_COMMIT, late::add);
        member.consumer.commitAsync(Map.of(T0, CommittedOffset.of(9)), heard);
        server.awaitReceived(Api.OFFSET_COMMIT, 1);

        timers.advanceMs(30_000);
        server.group.awaitEvent("leave");
        member.lookUntil(() -> member.heard.size() == 3);
        // It is looked at, and refused; there is nobody left to be told.
        assertThrows(IOException.class, () -> server.answer(late.getFirst()));

        assertEquals(List.of("assigned t-0", "lost t-0", "assigned t-0"), member.heard);
        assertTrue(!before.equals(only(server)));
        assertEquals("refused commit", server.group.events().getLast());
        assertEquals(-1, server.group.committed(T0));
        member.lookUntil(() -> heard.told.size() == 1);
      }
    }
  }

  @Test
  void boundsOfWhatIsCommittedAreNamed() {
    Exception offset = assertThrows(IllegalArgumentException.class, () -> CommittedOffset.of(-1));
    Exception metadata =
        assertThrows(
            IllegalArgumentException.class, () -> new CommittedOffset(0, 0, "é".repeat(32_769)));
    Exception session =
        assertThrows(
            IllegalArgumentException.class, () -> GroupSettings.builder("g").sessionMs(9).build());
    Exception group = assertThrows(IllegalArgumentException.class, () -> GroupSettings.of(""));

    assertEquals("committed offset -1 is outside 0 … 9223372036854775807", offset.getMessage());
    assertEquals("commit metadata bytes 65538 is outside 0 … 65536", metadata.getMessage());
    assertEquals("sessionMs 9 is outside 10 … 86400000", session.getMessage());
    assertEquals("group name length 0 is outside 1 … 200", group.getMessage());
  }
}
