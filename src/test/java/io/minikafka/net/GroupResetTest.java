package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.Caller;
import io.minikafka.broker.OffsetPlan;
import io.minikafka.broker.OffsetResets;
import io.minikafka.broker.PartitionSelection;
import io.minikafka.broker.Refusal;
import io.minikafka.broker.ResetTarget;
import io.minikafka.broker.Result;
import io.minikafka.net.GroupWire.Joined0;
import io.minikafka.net.GroupWire.List1;
import io.minikafka.net.GroupWire.Owned;
import io.minikafka.net.WireClient.Answer;
import io.minikafka.protocol.ErrorCode;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Offsets that are set while members of a group are connected. */
class GroupResetTest extends GroupPortHarness {
  private OffsetResets resets;
  private int tokens;

  @BeforeEach
  void makeResets() {
    resets =
        new OffsetResets(
            broker.topics,
            broker.coordinator,
            Runnable::run,
            () -> Instant.EPOCH,
            () -> "plan-" + ++tokens);
  }

  private <T> Result<T> get(CompletableFuture<Result<T>> answer) throws Exception {
    return answer.get(10, TimeUnit.SECONDS);
  }

  private OffsetPlan plan(ResetTarget target, int... partitions) throws Exception {
    List<Integer> numbers = Arrays.stream(partitions).boxed().toList();
    Result<OffsetPlan> plan =
        get(
            resets.plan(
                Caller.BROKER, "g", List.of(new PartitionSelection("orders", numbers)), target));
    return ((Result.Done<OffsetPlan>) plan).value();
  }

  private static long offset(Answer answer) {
    assertEquals(0, answer.error());
    answer.body().position(answer.body().position() + 4 + 16 + 4);
    assertEquals(1, answer.body().get());
    return answer.body().getLong();
  }

  @Test
  void lateCommitOfBeforeIsRefusedAndTheOwnerIsToldItsNewGrantAtOnce() throws Exception {
    WireClient member = connect();
    List1 list = List1.ofJoin(member.ask(GroupWire.join1("g", "m", SESSION_MS, "orders")));
    Owned first = list.owned().getFirst();
    assertEquals(
        0, GroupWire.partError(member.ask(GroupWire.commit1("g", "m", first, RECORDS, "before"))));
    member.send(GroupWire.heartbeat1("g", "m", list, 3_000));
    awaitMailbox();
    OffsetPlan plan = plan(new ResetTarget.Offset(1), first.partition());
    Result<?> unforced = get(resets.apply(Caller.BROKER, plan.token(), false, false));
    assertTrue(
        unforced instanceof Result.Refused<?>(Refusal refusal)
            && refusal.reason().equals("GROUP_IN_USE")
            && refusal.message().equals("group g has 1 member: m"),
        unforced::toString);

    assertTrue(
        get(resets.apply(Caller.BROKER, plan.token(), true, false)) instanceof Result.Done<?>);

    List1 told = List1.ofHeartbeat(member.read());
    Owned again =
        told.owned().stream()
            .filter(one -> one.partition() == first.partition())
            .findFirst()
            .orElseThrow();
    assertTrue(again.grant() > first.grant());
    assertEquals(
        ErrorCode.ILLEGAL_GENERATION.code(),
        GroupWire.partError(member.ask(GroupWire.commit1("g", "m", first, RECORDS, "late"))));
    assertEquals(1, offset(member.ask(GroupWire.offsets1("g", topic.id(), first.partition()))));
    assertEquals(
        0, GroupWire.partError(member.ask(GroupWire.commit1("g", "m", again, 2, "after"))));
    assertEquals(2, offset(member.ask(GroupWire.offsets1("g", topic.id(), first.partition()))));
  }

  @Test
  void memberOfVersion0SeesOneAnswerWithoutThePartition() throws Exception {
    WireClient member = connect();
    Joined0 joined = Joined0.of(member.ask(GroupWire.join0("g", "", SESSION_MS, "orders")));
    assertEquals(List.of(0, 1, 2, 3), joined.partitions());
    String id = joined.member();
    assertEquals(0, member.ask(GroupWire.heartbeat0("g", id, joined.generation())).error());
    OffsetPlan plan = plan(new ResetTarget.Latest(), 2);
    assertTrue(
        get(resets.apply(Caller.BROKER, plan.token(), true, false)) instanceof Result.Done<?>);

    assertEquals(
        ErrorCode.ILLEGAL_GENERATION.code(),
        member.ask(GroupWire.commit0("g", id, joined.generation(), "orders", 2, 1)).error());
    Joined0 without = rejoin(member, id, joined);
    assertEquals(List.of(0, 1, 3), without.partitions());
    Joined0 with = rejoin(member, id, without);
    assertEquals(List.of(0, 1, 2, 3), with.partitions().stream().sorted().toList());
    Answer committed = member.ask(GroupWire.offset0("g", "orders", 2));
    assertEquals(1, committed.body().get());
    assertEquals(RECORDS, committed.body().getLong());
  }

  /** As a client does that is told to. */
  private static Joined0 rejoin(WireClient member, String id, Joined0 joined) throws IOException {
    assertEquals(
        ErrorCode.REBALANCE_IN_PROGRESS.code(),
        member.ask(GroupWire.heartbeat0("g", id, joined.generation())).error());
    return Joined0.of(member.ask(GroupWire.join0("g", id, SESSION_MS, "orders")));
  }
}
