package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.group.GroupLimits;
import io.minikafka.net.GroupWire.Joined0;
import io.minikafka.net.GroupWire.List1;
import io.minikafka.net.GroupWire.Owned;
import io.minikafka.net.WireClient.Answer;
import io.minikafka.protocol.ErrorCode;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Nonsense about groups: an error that names what is wrong, and a neighbour that notices nothing.
 */
class GroupBadInputTest extends GroupPortHarness {
  private static final String LONG = "x".repeat(201);

  private WireClient bad;
  private WireClient neighbour;
  private List1 undisturbed;

  @BeforeEach
  void joinAsNeighbour() throws Exception {
    bad = connect();
    neighbour = connect();
    undisturbed =
        List1.ofJoin(askInTime(neighbour, GroupWire.join1("calm", "n", 600_000, "orders")));
    assertEquals(PARTITIONS, undisturbed.owned().size());
  }

  @AfterEach
  void theNeighbourIsUndisturbed() throws Exception {
    List1 now =
        List1.ofHeartbeat(askInTime(neighbour, GroupWire.heartbeat1("calm", "n", undisturbed, 0)));
    assertEquals(undisturbed, now);
    assertEquals(
        0,
        GroupWire.partError(
            neighbour.ask(GroupWire.commit1("calm", "n", undisturbed.owned().getFirst(), 1, ""))));
  }

  private void assertRefused(byte[] request, ErrorCode code, String message) throws Exception {
    Answer one = askInTime(bad, request);
    assertEquals(code.code(), one.error());
    String said = one.str();
    assertTrue(said.contains(message), said);
  }

  private void assertRefused0(byte[] request, ErrorCode code) throws Exception {
    Answer zero = askInTime(bad, request);
    assertEquals(code.forVersion0().code(), zero.error());
    assertEquals(0, zero.bytes().length);
  }

  @Test
  void emptyNames() throws Exception {
    assertRefused0(GroupWire.join0("", "", 10_000, "orders"), ErrorCode.INVALID_REQUEST);
    assertRefused(GroupWire.join1("", "m", 10_000, "orders"), ErrorCode.INVALID_REQUEST, "group");
    assertRefused(GroupWire.join1("g", "", 10_000, "orders"), ErrorCode.INVALID_REQUEST, "member");
    assertRefused0(GroupWire.commit0("", "", 0, "orders", 0, 1), ErrorCode.INVALID_REQUEST);
    Owned mine = new Owned(topic.id(), 0, 0);
    assertRefused(GroupWire.commit1("", "", mine, 1, ""), ErrorCode.INVALID_REQUEST, "group");
    // Nobody can be a member of a group without a name.
    assertRefused(GroupWire.leave1("", "m"), ErrorCode.UNKNOWN_MEMBER, "");
  }

  @Test
  void namesThatAreTooLong() throws Exception {
    assertRefused0(GroupWire.join0(LONG, "", 10_000, "orders"), ErrorCode.INVALID_REQUEST);
    assertRefused(GroupWire.join1(LONG, "m", 10_000, "orders"), ErrorCode.INVALID_REQUEST, "200");
    assertRefused(GroupWire.join1("g", LONG, 10_000, "orders"), ErrorCode.INVALID_REQUEST, "200");
    assertRefused(
        GroupWire.join1("g", "m", LONG, 10_000, "", "orders"), ErrorCode.INVALID_REQUEST, "200");
  }

  @Test
  void sessionsOutOfBounds() throws Exception {
    for (long session : new long[] {0, -1, Integer.MAX_VALUE}) {
      assertRefused(
          GroupWire.join1("g", "m", session, "orders"), ErrorCode.INVALID_REQUEST, "session");
    }
  }

  @Test
  void sessionsOutOfBoundsAreClampedInVersion0() throws Exception {
    for (long session : new long[] {0, -1, Integer.MAX_VALUE}) {
      Joined0 joined =
          Joined0.of(askInTime(bad, GroupWire.join0("g" + session, "", session, "orders")));
      assertEquals(PARTITIONS, joined.partitions().size());
    }
  }

  @Test
  void anUnknownAssignor() throws Exception {
    assertRefused(
        GroupWire.join1("g", "m", "", 10_000, "magic", "orders"),
        ErrorCode.INVALID_REQUEST,
        "assignor");
  }

  @Test
  void commitsOfUnknownTopics() throws Exception {
    assertRefused0(GroupWire.commit0("g", "", 0, "nowhere", 0, 1), ErrorCode.UNKNOWN_TOPIC);
    Owned unknown = new Owned(new UUID(9, 9), 0, 0);
    assertEquals(
        ErrorCode.UNKNOWN_TOPIC.code(),
        GroupWire.partError(bad.ask(GroupWire.commit1("g", "", unknown, 1, ""))));
    Owned noPartition = new Owned(topic.id(), PARTITIONS, 0);
    assertEquals(
        ErrorCode.UNKNOWN_TOPIC.code(),
        GroupWire.partError(bad.ask(GroupWire.commit1("g", "", noPartition, 1, ""))));
  }

  @Test
  void offsetsThatAreNotThere() throws Exception {
    Owned mine = new Owned(topic.id(), 0, 0);
    for (long offset : new long[] {-1, Long.MIN_VALUE, RECORDS + 1, Long.MAX_VALUE}) {
      assertEquals(
          ErrorCode.OFFSET_OUT_OF_RANGE.code(),
          GroupWire.partError(bad.ask(GroupWire.commit1("g", "", mine, offset, ""))));
    }
    assertEquals(0, bad.ask(GroupWire.offset0("g", "orders", 0)).body().get());
  }

  @Test
  void metadataThatIsTooLong() throws Exception {
    Owned mine = new Owned(topic.id(), 0, 0);
    assertEquals(
        ErrorCode.INVALID_REQUEST.code(),
        GroupWire.partError(bad.ask(GroupWire.commit1("g", "", mine, 1, "x".repeat(4097)))));
    assertEquals(0, bad.ask(GroupWire.offset0("g", "orders", 0)).body().get());
  }

  @Test
  void commitsUnderAForeignAnOldOrAFutureGrant() throws Exception {
    Owned theirs = undisturbed.owned().getFirst();
    Answer foreign = bad.ask(GroupWire.commit1("calm", "stranger", theirs, 1, ""));
    assertEquals(ErrorCode.UNKNOWN_MEMBER.code(), foreign.error());
    for (long grant : new long[] {0, theirs.grant() - 1, theirs.grant() + 1, -1}) {
      Owned other = new Owned(theirs.topic(), theirs.partition(), grant);
      assertEquals(
          ErrorCode.ILLEGAL_GENERATION.code(),
          GroupWire.partError(neighbour.ask(GroupWire.commit1("calm", "n", other, 1, ""))));
    }
    Answer fromOutside = bad.ask(GroupWire.commit1("calm", "", theirs, 1, ""));
    assertTrue(fromOutside.error() != 0 || GroupWire.partError(fromOutside) != 0);
  }

  @Test
  void heartbeatsAndLeavesOfStrangers() throws Exception {
    List1 nothing = new List1(0, 0, false, List.of());
    assertRefused(
        GroupWire.heartbeat1("calm", "stranger", nothing, 0), ErrorCode.UNKNOWN_MEMBER, "stranger");
    assertRefused0(GroupWire.heartbeat0("calm", "stranger", 1), ErrorCode.UNKNOWN_MEMBER);
    assertRefused(GroupWire.leave1("calm", "stranger"), ErrorCode.UNKNOWN_MEMBER, "");
    assertRefused0(GroupWire.leave0("nowhere", "stranger"), ErrorCode.UNKNOWN_MEMBER);
  }

  @Test
  void moreMembersThanTheBound() throws Exception {
    int bound = GroupLimits.DEFAULTS.maxMembers();
    joinMany(bound, i -> GroupWire.join1("g", "m" + i, 600_000, "orders"));
    assertRefused(
        GroupWire.join1("g", "one-more", 600_000, "orders"),
        ErrorCode.LIMIT_REACHED,
        String.valueOf(bound));
  }

  @Test
  void moreGroupsThanTheBound() throws Exception {
    int bound = GroupLimits.DEFAULTS.maxGroups();
    // The neighbour's is one of them.
    joinMany(bound - 1, i -> GroupWire.join1("g" + i, "m", 600_000, "orders"));
    assertRefused(
        GroupWire.join1("one-more", "m", 600_000, "orders"),
        ErrorCode.LIMIT_REACHED,
        String.valueOf(bound));
  }

  /** A hundred at a time, as many as may be under way on a connection. */
  private void joinMany(int count, IntFunction<byte[]> join) throws Exception {
    for (int from = 0; from < count; from += 100) {
      int to = Math.min(count, from + 100);
      for (int i = from; i < to; i++) {
        bad.send(join.apply(i));
      }
      for (int i = from; i < to; i++) {
        assertEquals(0, readInTime(bad).error());
      }
    }
  }

  @Test
  void aMemberThatNeverLetsGoIsExpelledAndItsPartitionsMove() throws Exception {
    WireClient other = connect();
    List1 all = List1.ofJoin(askInTime(bad, GroupWire.join1("g", "a", 10_000, "orders")));
    List1 waiting = List1.ofJoin(askInTime(other, GroupWire.join1("g", "b", 60_000, "orders")));
    other.send(GroupWire.heartbeat1("g", "b", waiting, 20_000));
    long refusedAfterMs = 0;
    int error = 0;
    while (error == 0 && refusedAfterMs < 60_000) {
      // It lives, has heard what to let go, and keeps all it ever had.
      Answer answer = bad.ask(GroupWire.heartbeat1("g", "a", all, 0));
      error = answer.error();
      if (error == 0) {
        List1 told = List1.ofHeartbeat(answer);
        all = new List1(told.generation(), told.assignment(), false, all.owned());
      }
      timers.advanceMs(500);
      awaitMailbox();
      refusedAfterMs += 500;
    }
    assertEquals(ErrorCode.UNKNOWN_MEMBER.code(), error);
    List1 now = waiting;
    while (now.owned().size() < PARTITIONS) {
      now = List1.ofHeartbeat(readInTime(other));
      if (now.owned().size() < PARTITIONS) {
        other.send(GroupWire.heartbeat1("g", "b", now, 20_000));
      }
    }
    assertEquals(List.of(0, 1, 2, 3), now.partitions());
  }

  @Test
  void joinsWhoseAnswersAreNeverReadLeaveNothingBehind() throws Exception {
    for (int i = 0; i < 50; i++) {
      WireClient lost = connect();
      lost.send(GroupWire.join1("g", "m" + i, 10_000, "orders"));
      lost.close();
    }
    // Members of version 1 live until their session is over, then all is the survivor's.
    WireClient stays = connect();
    List1 now = List1.ofJoin(askInTime(stays, GroupWire.join1("g", "s", 60_000, "orders")));
    while (now.owned().size() < PARTITIONS) {
      now = List1.ofHeartbeat(askInTime(stays, GroupWire.heartbeat1("g", "s", now, 20_000)));
    }
    assertEquals(List.of(0, 1, 2, 3), now.partitions());
  }

  @Test
  void aParkedHeartbeatGoesWithItsConnection() throws Exception {
    WireClient lost = connect();
    List1 list = List1.ofJoin(askInTime(lost, GroupWire.join1("g", "m", 60_000, "orders")));
    lost.send(GroupWire.heartbeat1("g", "m", list, 20_000));
    await("it is parked", () -> memory.usedBytes() > 0);
    lost.close();
    await("it is freed", () -> memory.usedBytes() == 0);
  }
}
