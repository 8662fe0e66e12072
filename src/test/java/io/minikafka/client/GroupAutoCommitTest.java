package io.minikafka.client;

import static io.minikafka.client.Clients.consumer;
import static io.minikafka.client.Reading.T0;
import static io.minikafka.client.Reading.fill;
import static io.minikafka.client.Reading.named;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.HandTimers;
import io.minikafka.protocol.Api;
import io.minikafka.protocol.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class GroupAutoCommitTest {
  private final HandTimers timers = new HandTimers();

  private static GroupReading fives(
      FakeServer server, UnaryOperator<GroupSettings.Builder> change) {
    return GroupReading.of(consumer(server, s -> s.maxPollRecords(5)), change);
  }

  private static String only(FakeServer server) {
    return server.group.members().getFirst();
  }

  @Test
  void byItselfAMemberCommitsWhatEarlierPollsReturnedAndNoMore() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 20);
      try (GroupReading member = fives(server, s -> s.autoCommitIntervalMs(0))) {
        member.pollUntilRead(5);
        // Where it began may be committed already, if polls before the first records were empty.
        assertTrue(server.group.committed(T0) <= 0);

        member.pollUntilRead(10);

        server.group.awaitEvent("commit t-0=5");
        assertEquals(5, server.group.committed(T0));
      }
      assertEquals(10, server.group.committed(T0));
    }
  }

  @Test
  void noTimerCommitsWhatIsStillInTheCallersHands() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 20);
      GroupReading member =
          GroupReading.of(
              consumer(server, timers, s -> s.maxPollRecords(5)), s -> s.autoCommitIntervalMs(1));
      try (member) {
        member.lookUntil(() -> member.read.size() == 5);

        timers.advanceMs(10_000);

        assertEquals(List.of(), server.received(Api.OFFSET_COMMIT));
        member.look();
        server.group.awaitEvent("commit t-0=5");
      }
    }
  }

  @Test
  void commitsByItselfHaveAnInterval() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 20);
      GroupReading member =
          GroupReading.of(
              consumer(server, timers, s -> s.maxPollRecords(5)),
              s -> s.autoCommitIntervalMs(5_000));
      try (member) {
        member.lookUntil(() -> member.read.size() == 20);
        assertEquals(List.of(), server.received(Api.OFFSET_COMMIT));

        timers.advanceMs(5_000);
        member.look();

        server.group.awaitEvent("commit t-0=20");
      }
    }
  }

  @Test
  void beforeItLetsGoAMemberCommitsWhateverTheInterval() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 20);
      try (GroupReading member = fives(server, s -> s)) {
        member.pollUntilRead(5);

        server.group.take(only(server), T0);
        member.pollUntilHeard("revoked t-0");
        server.group.awaitEvent("let go t-0");

        int read = member.read.size();
        assertEquals(List.of("join t", "commit t-0=" + read, "let go t-0"), server.group.events());
      }
    }
  }

  @Test
  void withoutCommittingByItselfNothingIsCommitted() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 20);
      try (GroupReading member = fives(server, s -> s.autoCommit(false).autoCommitIntervalMs(0))) {
        member.pollUntilRead(20);
      }

      assertEquals(List.of("join t", "leave"), server.group.events());
    }
  }

  @Test
  void aCommitByItselfThatCannotBeStoredComesOutOfPollAndIsTriedAgain() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 20);
      try (GroupReading member = fives(server, s -> s.autoCommitIntervalMs(0))) {
        server.next(Api.OFFSET_COMMIT, request -> request.refuse(ErrorCode.DISK_FULL, "no room"));

        ServerException e =
            assertThrows(ServerException.class, () -> member.pollUntil(() -> false));
        member.pollUntil(() -> server.group.committed(T0) == 20);

        assertEquals(ErrorCode.DISK_FULL, e.error());
        assertEquals(named(0, 20), member.read);
      }
    }
  }

  @Test
  void closingTellsThatTheLastCommitWasRefusedAndClosesAllTheSame() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 5);
      GroupReading member = GroupReading.of(server, s -> s).pollUntilRead(5);
      server.next(Api.OFFSET_COMMIT, request -> request.refuse(ErrorCode.DISK_FULL, "no room"));

      ServerException e = assertThrows(ServerException.class, member::close);

      assertEquals(ErrorCode.DISK_FULL, e.error());
      assertEquals("leave", server.group.events().getLast());
      assertThrows(IllegalStateException.class, () -> member.consumer.poll(Duration.ZERO));
      assertEquals(-1, server.group.committed(T0));
    }
  }

  @Test
  void aCommittedOffsetOutOfRangeFollowsTheResetPolicy() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 5);
      server.group.commit(T0, 99);
      try (GroupReading member = GroupReading.of(server).pollUntilRead(5)) {
        assertEquals(named(0, 5), member.read);
      }
      Consumer strict = consumer(server, s -> s.reset(ResetPolicy.FAIL));
      try (GroupReading member = GroupReading.of(strict, s -> s.autoCommit(false))) {
        OffsetOutOfRangeException e =
            assertThrows(OffsetOutOfRangeException.class, () -> member.pollUntil(() -> false));

        assertEquals(
            "t-0: the committed offset 99 is outside the log, which has offsets 0 to 4 (the next is 5)",
            e.getMessage());
      }
    }
  }

  @Test
  void whereNothingIsCommittedTheResetPolicyDecides() throws Exception {
    try (FakeServer server = FakeServer.version1().topic("t", 1)) {
      fill(server, T0, 0, 5);
      Consumer late = consumer(server, s -> s.reset(ResetPolicy.LATEST));
      try (GroupReading member = GroupReading.of(late, s -> s.autoCommit(false))) {
        member.pollUntilHeard("assigned t-0");
        assertEquals(5, member.consumer.position(T0));
        fill(server, T0, 5, 8);
        member.pollUntilRead(3);
        assertEquals(named(5, 8), member.read);
      }
      Consumer strict = consumer(server, s -> s.reset(ResetPolicy.FAIL));
      try (GroupReading member = GroupReading.of(strict, s -> s.autoCommit(false))) {
        Exception e =
            assertThrows(IllegalStateException.class, () -> member.pollUntil(() -> false));

        assertEquals(
            "group g has committed nothing of t-0: seek, or choose a reset policy", e.getMessage());
        member.consumer.seek(T0, 6);
        member.pollUntilRead(2);
      }
    }
  }
}
