package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Empty;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.minikafka.admin.ControlPlane.Refusal;
import io.minikafka.admin.v1.GroupServiceApplyOffsetResetRequest;
import io.minikafka.admin.v1.GroupServiceListRequest;
import io.minikafka.admin.v1.GroupServiceUndoOffsetResetRequest;
import io.minikafka.admin.v1.TopicServiceDeleteRequest;
import io.minikafka.group.GroupError;
import io.minikafka.group.GroupEvent;
import io.minikafka.group.GroupResult;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** ApplyOffsetReset and UndoOffsetReset over a real channel, and what moves in between. */
@QuarkusTest
@TestProfile(FakeBrokerProfile.class)
class OffsetResetApplyTest extends GroupChangesBench {
  private static final String GONE =
      "there is no such plan: it is older than 10 minutes, was applied, or was given up for newer"
          + " ones or at a restart; plan again";

  @Test
  void planIsDoneAsItWasShownAndUndone() {
    commit("g", "a", 0, 40);
    commit("g", "b", 0, 0);
    var plan = plan(reset("g", "a"));
    var done = apply(plan.getToken());
    assertEquals(plan.getPartitionsList(), done.getPartitionsList());
    assertEquals("g", done.getGroup());
    assertEquals(0, done.getGeneration());
    assertEquals(Map.of("a-0", "0", "a-1", "0", "a-2", "0", "b-0", "0 note"), committed("g"));
    var undone = undo("g");
    assertEquals(
        List.of(
            "a-0 0 > 40, 0 replayed, 40 skipped",
            "a-1 0 > -, 0 replayed, 0 skipped [nothing was committed before, and nothing is again]",
            "a-2 0 > -, 0 replayed, 0 skipped [nothing was committed before, and nothing is again]"),
        lines(undone.getPartitionsList()));
    assertTrue(undone.getResetAt().getSeconds() > 0);
    assertEquals(Map.of("a-0", "40 note", "b-0", "0 note"), committed("g"));
    assertEquals(
        new Refusal(
            Status.Code.FAILED_PRECONDITION,
            "NOTHING_TO_UNDO",
            "group g was not reset, or the reset was undone",
            Map.of()),
        refused(() -> undo("g")));
  }

  @Test
  void resetThatChangesNothingSaysSoAndLeavesTheUndoOfTheOneBefore() {
    commit("g", "a", 0, 40);
    assertEquals(3, apply(plan(reset("g", "a")).getToken()).getChangedPartitionCount());

    var idle = apply(plan(reset("g", "a")).getToken());

    assertEquals(0, idle.getChangedPartitionCount());
    assertEquals(3, idle.getPartitionsCount());
    undo("g");
    assertEquals(Map.of("a-0", "40 note"), committed("g"));
  }

  @Test
  void partitionThatIsThereAlreadyIsLeftAsItIs() {
    commit("g", "a", 0, 0);
    commit("g", "a", 1, 40);

    var done = apply(plan(reset("g")).getToken());

    assertEquals(1, done.getChangedPartitionCount());
    assertEquals(Map.of("a-0", "0 note", "a-1", "0"), committed("g"));
    commit("g", "a", 0, 7);
    assertEquals(
        List.of("a-1 0 > 40, 0 replayed, 40 skipped"), lines(undo("g").getPartitionsList()));
    assertEquals(Map.of("a-0", "7 note", "a-1", "40 note"), committed("g"));
  }

  @Test
  void undoOfAResetThatMadeTheGroupLeavesNoGroup() {
    apply(plan(reset("new", "b")).getToken());
    var trial =
        GroupServiceUndoOffsetResetRequest.newBuilder().setGroup("new").setValidateOnly(true);
    assertTrue(groups.undoOffsetReset(trial.build()).getGroupGone());
    assertEquals(List.of("new"), names());

    assertTrue(undo("new").getGroupGone());

    assertEquals(List.of(), names());
    assertEquals("UNKNOWN_GROUP", refused(() -> undo("new")).reason());
  }

  @Test
  void groupThatHadMembersOutlivesAnUndo() {
    join("g", "m", "a");
    leave("g", "m");
    apply(plan(reset("g", "b")).getToken());

    assertFalse(undo("g").getGroupGone());

    assertEquals(List.of("g"), names());
  }

  private List<String> names() {
    return groups.list(GroupServiceListRequest.getDefaultInstance()).getGroupsList().stream()
        .map(group -> group.getName())
        .toList();
  }

  @Test
  void groupThatDoesNotExistIsMade() {
    apply(plan(reset("new", "b")).getToken());
    assertEquals(Map.of("b-0", "0"), committed("new"));
    assertEquals("UNKNOWN_GROUP", refused(() -> undo("nobody")).reason());
  }

  @Test
  void trialChangesNothingAndLeavesThePlan() {
    commit("g", "a", 0, 40);
    String token = plan(reset("g")).getToken();
    var request =
        GroupServiceApplyOffsetResetRequest.newBuilder().setToken(token).setValidateOnly(true);
    assertEquals(1, groups.applyOffsetReset(request.build()).getPartitionsCount());
    assertEquals(1, groups.applyOffsetReset(request.build()).getPartitionsCount());
    assertEquals(Map.of("a-0", "40 note"), committed("g"));
    apply(token);
    var undo = GroupServiceUndoOffsetResetRequest.newBuilder().setGroup("g").setValidateOnly(true);
    assertEquals(1, groups.undoOffsetReset(undo.build()).getPartitionsCount());
    assertEquals(Map.of("a-0", "0"), committed("g"));
  }

  @Test
  void planIsAppliedOnceAlsoByTwoAtOnce() throws Exception {
    for (int round = 0; round < 20; round++) {
      String token = plan(reset("g", "a")).getToken();
      List<String> outcomes = together(4, () -> outcome(token));
      assertEquals(1, outcomes.stream().filter("done"::equals).count(), outcomes::toString);
      assertEquals(3, outcomes.stream().filter("NOT_FOUND"::equals).count(), outcomes::toString);
      assertEquals(
          new Refusal(Status.Code.NOT_FOUND, "UNKNOWN_PLAN", GONE, Map.of()),
          refused(() -> apply(token)));
    }
  }

  private String outcome(String token) {
    try {
      apply(token);
      return "done";
    } catch (StatusRuntimeException e) {
      return e.getStatus().getCode().toString();
    }
  }

  @Test
  void ofTwoPlansForTheSameOffsetsOneIsApplied() throws Exception {
    commit("g", "a", 0, 40);
    String one = plan(reset("g")).getToken();
    String other = plan(reset("g").setLatest(Empty.getDefaultInstance())).getToken();
    apply(one);
    Refusal refusal = refused(() -> apply(other));
    assertEquals("STATE_MOVED", refusal.reason());
    assertEquals("a-0 was committed meanwhile: it was at 40 and is at 0", refusal.message());
    assertEquals("UNKNOWN_PLAN", refused(() -> apply(other)).reason());
  }

  @Test
  void planIsForgottenAfterTenMinutes() {
    broker.setTime(Instant.ofEpochSecond(1_000));
    String token = plan(reset("g", "a")).getToken();
    String late = plan(reset("g", "b")).getToken();
    broker.setTime(Instant.ofEpochMilli(1_599_999));
    apply(token);
    broker.setTime(Instant.ofEpochSecond(1_600));
    assertEquals(GONE, refused(() -> apply(late)).message());
    assertEquals(GONE, refused(() -> apply("never was")).message());
  }

  @Test
  void ofTooManyPlansTheOldestGo() {
    String first = plan(reset("g", "a")).getToken();
    String second = plan(reset("g", "a")).getToken();
    for (int i = 0; i < 99; i++) {
      plan(reset("g", "b"));
    }
    assertEquals("UNKNOWN_PLAN", refused(() -> apply(first)).reason());
    apply(second);
  }

  @Test
  void ofPlansOfTooManyPartitionsTheOldestGo() {
    client.create("large", 10_000);
    broker.groups().topicsChanged();
    List<String> tokens = new ArrayList<>();
    for (int i = 0; i < 6; i++) {
      tokens.add(plan(reset("g", "large")).getToken());
    }
    assertEquals("UNKNOWN_PLAN", refused(() -> apply(tokens.get(0))).reason());
    assertEquals(10_000, apply(tokens.get(1)).getPartitionsCount());
    assertEquals(10_000, undo("g").getPartitionsCount());
    assertEquals(Map.of(), committed("g"));
  }

  @Test
  void commitInBetweenOfTheSameOffsetIsSaidToStay() {
    commit("g", "a", 1, 40);
    String token = plan(reset("g")).getToken();
    commitBy("g", "", new GroupEvent.CommitPart(id("a", 1), 0, 40, 1, "another note"));
    assertEquals(
        new Refusal(
            Status.Code.FAILED_PRECONDITION,
            "STATE_MOVED",
            "a-1 was committed meanwhile: it stays at 40",
            Map.of()),
        refused(() -> apply(token)));
  }

  @Test
  void commitInBetweenIsNamed() {
    commit("g", "a", 1, 40);
    String token = plan(reset("g")).getToken();
    commit("g", "a", 1, 41);
    assertEquals(
        new Refusal(
            Status.Code.FAILED_PRECONDITION,
            "STATE_MOVED",
            "a-1 was committed meanwhile: it was at 40 and is at 41",
            Map.of()),
        refused(() -> apply(token)));
    assertEquals(Map.of("a-1", "41 note"), committed("g"));
  }

  @Test
  void firstCommitInBetweenIsNamed() {
    String token = plan(reset("g", "b")).getToken();
    commit("g", "b", 0, 0);
    assertEquals(
        "b-0 was committed meanwhile: it was not committed and is at 0",
        refused(() -> apply(token)).message());
  }

  @Test
  void memberThatJoinedInBetweenMovesTheGeneration() {
    commit("g", "a", 0, 40);
    String token = plan(reset("g")).getToken();
    join("g", "m1", "a");
    Refusal refusal = refused(() -> apply(token));
    assertEquals("GROUP_IN_USE", refusal.reason());
    assertEquals("group g has 1 member: m1", refusal.message());
    refusal = refused(() -> force(token));
    assertEquals("STATE_MOVED", refusal.reason());
    assertEquals("group g is at generation 1, not 0", refusal.message());
    assertEquals(Map.of("a-0", "40 note"), committed("g"));
  }

  @Test
  void topicThatWasDeletedInBetweenIsNamedAlsoIfItIsThereAgain() {
    commit("g", "b", 0, 0);
    String token = plan(reset("g", "a", "b")).getToken();
    client.topics.delete(TopicServiceDeleteRequest.newBuilder().setName("b").build());
    client.create("b", 1);
    broker.groups().topicsChanged();
    Refusal refusal = refused(() -> apply(token));
    assertEquals("STATE_MOVED", refusal.reason());
    assertEquals("the topic of b-0 was deleted meanwhile; plan again", refusal.message());
    assertEquals(Map.of(), committed("g"));
  }

  @Test
  void logThatStartsAboveTheNewOffsetByNowIsNamed() throws IOException {
    String token = plan(reset("g", "a")).getToken();
    store("a", 1).flush();
    store("a", 1).trimTo(1);
    Refusal refusal = refused(() -> apply(token));
    assertEquals("STATE_MOVED", refusal.reason());
    assertEquals("the log of a-1 starts at 1 now, above 0", refusal.message());
    assertEquals(Map.of(), committed("g"));
  }

  @Test
  void liveGroupIsResetByForceOnlyAndItsOwnersAreFenced() {
    commit("g", "a", 0, 40);
    GroupResult.Joined joined = join("g", "m1", "a");
    String token = plan(reset("g").addPartitions(of("a", 0))).getToken();
    assertEquals("GROUP_IN_USE", refused(() -> apply(token)).reason());
    assertEquals("40 note", committed("g").get("a-0"));
    var done = force(token);
    assertEquals(joined.generation() + 1, done.getGeneration());
    assertEquals("0", committed("g").get("a-0"));
    GroupResult late = commitBy("g", "m1", joined.generation(), "a", 0, 50);
    assertEquals(
        GroupError.ILLEGAL_GENERATION,
        ((GroupResult.Committed) late).parts().getFirst().error().orElseThrow());
    commitBy("g", "m1", joined.generation(), "a", 1, 51);
    assertEquals("51 note", committed("g").get("a-1"));
  }

  @Test
  void resetOfALiveGroupIsUndoneByForceOnly() {
    commit("g", "a", 0, 40);
    join("g", "m1", "a");
    force(plan(reset("g").addPartitions(of("a", 0))).getToken());
    Refusal refusal = refused(() -> undo("g"));
    assertEquals("GROUP_IN_USE", refusal.reason());
    assertEquals("group g has 1 member: m1", refusal.message());
    var undone =
        groups.undoOffsetReset(
            GroupServiceUndoOffsetResetRequest.newBuilder().setGroup("g").setForce(true).build());
    assertEquals(3, undone.getGeneration());
    assertEquals("40 note", committed("g").get("a-0"));
  }

  @Test
  void resetAfterWhichSomebodyReadOnIsNotUndone() {
    commit("g", "a", 0, 40);
    apply(plan(reset("g", "a")).getToken());
    commit("g", "a", 2, 3);
    assertEquals(
        new Refusal(
            Status.Code.FAILED_PRECONDITION,
            "STATE_MOVED",
            "the reset had set a-2 to 0, and it is at 3 now",
            Map.of()),
        refused(() -> undo("g")));
    assertEquals(Map.of("a-0", "0", "a-1", "0", "a-2", "3 note"), committed("g"));
  }

  @Test
  void partitionsOfADeletedTopicAreNotUndone() {
    commit("g", "a", 0, 40);
    apply(plan(reset("g", "a", "b")).getToken());
    client.topics.delete(TopicServiceDeleteRequest.newBuilder().setName("a").build());
    broker.groups().topicsChanged();
    assertEquals(
        List.of(
            "b-0 0 > -, 0 replayed, 0 skipped [nothing was committed before, and nothing is again]"),
        lines(undo("g").getPartitionsList()));
  }

  @Test
  void brokerThatDoesNotServeGroupsKeepsThePlan() {
    String token = plan(reset("g", "a")).getToken();
    broker.groups().stop().join();
    assertEquals("SHUTTING_DOWN", refused(() -> apply(token)).reason());
    assertEquals("SHUTTING_DOWN", refused(() -> apply(token)).reason());
    assertEquals("SHUTTING_DOWN", refused(() -> undo("g")).reason());
  }

  private static List<String> together(int threads, Callable<String> work) throws Exception {
    CountDownLatch start = new CountDownLatch(1);
    try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
      List<Future<String>> running = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        running.add(
            pool.submit(
                () -> {
                  start.await();
                  return work.call();
                }));
      }
      start.countDown();
      List<String> outcomes = new ArrayList<>();
      for (Future<String> next : running) {
        outcomes.add(next.get());
      }
      return outcomes;
    }
  }
}
