package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.net.GroupWire.Joined0;
import io.minikafka.net.GroupWire.List1;
import io.minikafka.net.WireClient.Answer;
import io.minikafka.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/**
 * A client that knows version 0 only, in a group with members of version 1: the frames of the
 * published client, and what it is told.
 */
class Version0GroupTest extends GroupPortHarness {
  private static final String MEMBER = UUID.randomUUID().toString();

  @Test
  void itJoinsLearnsOfRebalancesCommitsAndLeavesAmongMembersOfVersion1() throws Exception {
    WireClient old = connect();
    WireClient young = connect();
    Joined0 alone = Joined0.of(askInTime(old, GroupWire.join0("g", "", SESSION_MS, "orders")));
    assertEquals(List.of(0, 1, 2, 3), alone.partitions());
    assertEquals(0, old.ask(GroupWire.heartbeat0("g", alone.member(), alone.generation())).error());

    List1 waiting =
        List1.ofJoin(askInTime(young, GroupWire.join1("g", MEMBER, SESSION_MS, "orders")));
    assertTrue(waiting.pending());
    assertEquals(List.of(), waiting.partitions());
    young.send(GroupWire.heartbeat1("g", MEMBER, waiting, SESSION_MS));

    assertEquals(
        ErrorCode.REBALANCE_IN_PROGRESS.code(),
        old.ask(GroupWire.heartbeat0("g", alone.member(), alone.generation())).error());
    Joined0 shared =
        Joined0.of(askInTime(old, GroupWire.join0("g", alone.member(), SESSION_MS, "orders")));
    assertEquals(alone.member(), shared.member());
    assertTrue(shared.generation() > alone.generation());
    assertEquals(2, shared.partitions().size());

    List1 granted = List1.ofHeartbeat(readInTime(young));
    List<Integer> all = new ArrayList<>(shared.partitions());
    all.addAll(granted.partitions());
    assertEquals(List.of(0, 1, 2, 3), all.stream().sorted().toList());

    commitsAreTheOwners(old, shared, alone, young, granted);

    assertEquals(0, old.ask(GroupWire.leave0("g", shared.member())).error());
    List1 everything =
        List1.ofHeartbeat(askInTime(young, GroupWire.heartbeat1("g", MEMBER, granted, SESSION_MS)));
    assertEquals(List.of(0, 1, 2, 3), everything.partitions());
    assertEquals(
        ErrorCode.UNKNOWN_MEMBER.code(),
        old.ask(GroupWire.heartbeat0("g", shared.member(), shared.generation())).error());
  }

  private void commitsAreTheOwners(
      WireClient old, Joined0 shared, Joined0 before, WireClient young, List1 granted)
      throws Exception {
    String member = shared.member();
    int mine = shared.partitions().getFirst();
    int theirs = granted.partitions().getFirst();
    assertEquals(
        0, old.ask(GroupWire.commit0("g", member, shared.generation(), "orders", mine, 2)).error());
    assertEquals(
        ErrorCode.ILLEGAL_GENERATION.code(),
        old.ask(GroupWire.commit0("g", member, before.generation(), "orders", mine, 3)).error());
    assertEquals(
        ErrorCode.ILLEGAL_GENERATION.code(),
        old.ask(GroupWire.commit0("g", member, shared.generation(), "orders", theirs, 1)).error());
    assertEquals(
        0,
        GroupWire.partError(
            young.ask(GroupWire.commit1("g", MEMBER, granted.owned().getFirst(), 3, ""))));
    assertEquals(2, committed(old, mine));
    assertEquals(3, committed(old, theirs));
  }

  private static long committed(WireClient client, int partition) throws Exception {
    Answer answer = client.ask(GroupWire.offset0("g", "orders", partition));
    assertEquals(0, answer.error());
    assertEquals(1, answer.body().get());
    return answer.body().getLong();
  }

  @Test
  void whatWasNeverCommittedIsNotFound() throws Exception {
    Answer answer = connect().ask(GroupWire.offset0("nobody", "orders", 0));
    assertEquals(0, answer.error());
    assertEquals(0, answer.body().get());
    assertEquals(0, answer.body().getLong());
  }

  @Test
  void aNewcomerWhoseConnectionClosesBeforeItsFirstHeartbeatHoldsNothing() throws Exception {
    for (int i = 0; i < 50; i++) {
      WireClient lost = connect();
      lost.send(GroupWire.join0("g", "", SESSION_MS, "orders"));
      lost.close();
    }
    WireClient stays = connect();
    await(
        "the lost ones are gone",
        () -> {
          timers.advanceMs(10);
          awaitMailbox();
          return server.connections() <= 2;
        });
    Joined0 joined = Joined0.of(askInTime(stays, GroupWire.join0("g", "", SESSION_MS, "orders")));
    if (joined.partitions().size() < PARTITIONS) {
      timers.advanceMs(100);
      awaitMailbox();
      joined =
          Joined0.of(askInTime(stays, GroupWire.join0("g", joined.member(), SESSION_MS, "orders")));
    }
    assertEquals(List.of(0, 1, 2, 3), joined.partitions());
  }

  @Test
  void aStopOfTheBrokerAnswersParkedHeartbeats() throws Exception {
    WireClient client = connect();
    List1 list = List1.ofJoin(askInTime(client, GroupWire.join1("g", MEMBER, 60_000, "orders")));
    client.send(GroupWire.heartbeat1("g", MEMBER, list, 20_000));
    await("it is parked", () -> memory.usedBytes() > 0);
    broker.dispatcher.stop();
    assertEquals(ErrorCode.SHUTTING_DOWN.code(), client.read().error());
  }

  @Test
  void noSessionRunsOutWhileTheBrokerDoesNotReadFromTheConnection() throws Exception {
    WireClient busy = connect();
    List1 list = List1.ofJoin(askInTime(busy, GroupWire.join1("g", MEMBER, SESSION_MS, "orders")));
    // The second fetch waits for its turn, and until then nothing behind it is read.
    int waitMs = (int) (3 * SESSION_MS);
    busy.send(
        Requests.fetch0(7, waitMs, "orders", 0, RECORDS, 100),
        Requests.fetch0(8, 0, "orders", 0, RECORDS, 100),
        GroupWire.heartbeat1("g", MEMBER, list, 0));
    await("the first is parked", () -> broker.parkedFetches.count() == 1);
    assertEquals(7, readInTime(busy).correlationId());
    assertEquals(8, readInTime(busy).correlationId());
    assertEquals(list.partitions(), List1.ofHeartbeat(readInTime(busy)).partitions());
  }
}
