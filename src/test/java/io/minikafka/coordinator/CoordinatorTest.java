package io.minikafka.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.LogLines;
import io.minikafka.PartitionId;
import io.minikafka.coordinator.GroupReply.Cause;
import io.minikafka.coordinator.Rig.Reply;
import io.minikafka.group.GroupResult;
import io.minikafka.group.GroupSummary;
import io.minikafka.group.Groups;
import io.minikafka.partition.NoRoomException;
import io.minikafka.partition.PartitionStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What is answered is durable, and what is not durable was never answered. */
class CoordinatorTest {
  private static void noRoom() throws IOException {
    throw new NoRoomException("full", new IOException("full"));
  }

  private static int members(Rig rig, String group) {
    CompletableFuture<List<GroupSummary>> look = rig.coordinator.look(Groups::list);
    rig.worker.runAll();
    return look.join().stream()
        .filter(summary -> summary.group().equals(group))
        .mapToInt(GroupSummary::members)
        .sum();
  }

  private static long generation(Rig rig, String group) {
    CompletableFuture<List<GroupSummary>> look = rig.coordinator.look(Groups::list);
    rig.worker.runAll();
    return look.join().stream()
        .filter(summary -> summary.group().equals(group))
        .mapToLong(GroupSummary::generation)
        .sum();
  }

  @Test
  void anAnswerWaitsUntilWhatItRestsOnIsDurable() {
    Rig rig = Rig.serving();
    rig.store.forceOnFlush = false;
    Reply joined = rig.join("g", "a");
    assertFalse(joined.isThere());
    rig.store.force();
    rig.worker.runAll();
    assertEquals(Rig.PARTITIONS, joined.as(GroupResult.Joined.class).partitions().size());
  }

  @Test
  void aReadNeverShowsWhatIsNotDurable() {
    Rig rig = Rig.serving();
    rig.store.forceOnFlush = false;
    Reply commit = rig.commit("g", 0, 7);
    Reply fetch = rig.fetch("g", 0);
    assertFalse(commit.isThere() || fetch.isThere());
    rig.store.force();
    rig.worker.runAll();
    assertTrue(commit.as(GroupResult.Committed.class).written());
    assertEquals(
        7,
        fetch.as(GroupResult.Offsets.class).offsets().getFirst().commit().orElseThrow().offset());
  }

  @Test
  void eventsThatWaitTogetherAreOneAppend() {
    Rig rig = Rig.serving();
    rig.store.forceOnFlush = false;
    rig.commit("g", 0, 1);
    rig.commit("g", 0, 2);
    rig.commit("g", 1, 3);
    rig.commit("h", 1, 4);
    int before = rig.store.kept.size();
    rig.store.forceOnFlush = true;
    rig.store.force();
    rig.worker.runAll();
    assertEquals(before + 1, rig.store.kept.size());
    assertEquals(2, rig.committed("g", 0));
    assertEquals(4, rig.committed("h", 1));
  }

  @Test
  void whatWasAnsweredIsThereAfterARestart() {
    Rig rig = Rig.serving();
    rig.commit("g", 2, 77);
    rig.join("h", "a");
    long generation = generation(rig, "h");
    Rig next = rig.restarted();
    assertEquals(77, next.committed("g", 2));
    assertEquals(1, members(next, "h"));
    assertEquals(generation, generation(next, "h"));
  }

  @Test
  void aFailedAppendFailsThoseWhoWaitAndTheGroupsAreThoseOfTheLog() {
    Rig rig = Rig.serving();
    rig.commit("g", 0, 5);
    rig.store.trouble = Optional.of(CoordinatorTest::noRoom);
    Reply refused = rig.commit("g", 0, 6);
    assertEquals(Cause.DISK_FULL, refused.failed().cause());
    assertTrue(refused.failed().message().contains("no room"), refused.failed().message());
    assertTrue(rig.observed.told.contains("failed"));
    rig.store.trouble = Optional.empty();
    rig.advanceMs(Runner.RETRY_MS);
    assertEquals(5, rig.committed("g", 0));
  }

  @Test
  void aParkedHeartbeatIsFailedWhenTheGroupsAreReadAnew() {
    Rig rig = Rig.serving();
    GroupResult.Joined joined = rig.join("g", "a").as(GroupResult.Joined.class);
    Reply parked = rig.heartbeat(1, "g", "a", joined);
    assertFalse(parked.isThere());
    rig.store.trouble =
        Optional.of(
            () -> {
              throw new IOException("no luck");
            });
    rig.commit("h", 0, 6);
    assertEquals(Cause.STORAGE_FAILED, parked.failed().cause());
  }

  @Test
  void whileGroupsAreNotServedRequestsAreRefusedWithTheReason() {
    Rig rig = new Rig();
    rig.topics.offsetsLog = CompletableFuture.failedFuture(new IOException("no descriptors"));
    rig.start();
    Reply refused = rig.join("g", "a");
    assertEquals(Cause.STORAGE_FAILED, refused.failed().cause());
    assertTrue(refused.failed().message().contains("no descriptors"), refused.failed().message());
    rig.topics.offsetsLog = CompletableFuture.completedFuture(TestLog.partition(rig.store));
    rig.store.forceOnFlush = true;
    rig.advanceMs(Runner.RETRY_MS);
    assertEquals(1, rig.join("g", "a").as(GroupResult.Joined.class).assignment() > 0 ? 1 : 0);
  }

  @Test
  void aStopAnswersThoseWhoWaitAndMovesNothing() {
    Rig rig = Rig.serving();
    GroupResult.Joined joined = rig.join("g", "a").as(GroupResult.Joined.class);
    Reply parked = rig.heartbeat(1, "g", "a", joined);
    int before = rig.store.kept.size();
    CompletableFuture<Void> stopped = rig.coordinator.stop();
    rig.worker.runAll();
    assertTrue(stopped.isDone());
    assertEquals(Cause.SHUTTING_DOWN, parked.failed().cause());
    rig.coordinator.disconnected(1);
    assertEquals(Cause.SHUTTING_DOWN, rig.join("g", "b").failed().cause());
    rig.advanceMs(2 * Rig.SESSION_MS);
    assertEquals(before, rig.store.kept.size());
    assertEquals(0, rig.timers.waiting());
    assertEquals(1, members(rig.restarted(), "g"));
  }

  /** The topics are closed while the log is being opened, which is no failure of it. */
  @Test
  void aStopDuringTheStartIsNoError() {
    Rig rig = new Rig();
    rig.topics.offsetsLog = new CompletableFuture<>();
    rig.start();
    try (LogLines said = new LogLines(Runner.class.getName())) {
      rig.topics.offsetsLog.completeExceptionally(new IOException("the broker is stopping"));
      CompletableFuture<Void> stopped = rig.coordinator.stop();
      rig.worker.runAll();
      assertTrue(stopped.isDone());
      assertInstanceOf(Status.Stopped.class, rig.coordinator.status());
      assertEquals(List.of(), said.lines());
    }
    assertEquals(0, rig.timers.waiting());
  }

  @Test
  void aMemberWithoutASignOfLifeIsGivenUp() {
    Rig rig = Rig.serving();
    rig.join("g", "a");
    rig.advanceMs(Rig.SESSION_MS - 100);
    assertEquals(1, members(rig, "g"));
    rig.advanceMs(200);
    assertEquals(0, members(rig, "g"));
  }

  @Test
  void noSessionRunsOutWhileTheBrokerStandsStill() {
    Rig rig = Rig.serving();
    rig.join("g", "a");
    rig.timers.stallMs(3 * Rig.SESSION_MS);
    rig.advanceMs(100);
    assertEquals(1, members(rig, "g"));
    assertTrue(rig.observed.told.getLast().startsWith("stalled "), rig.observed.told.toString());
    rig.advanceMs(Rig.SESSION_MS);
    assertEquals(0, members(rig, "g"));
  }

  @Test
  void noSessionRunsOutWhileTheBrokerDoesNotReadFromTheConnection() {
    Rig rig = Rig.serving();
    rig.join(7, "g", "a");
    rig.coordinator.held(7, true);
    rig.worker.runAll();
    rig.advanceMs(3 * Rig.SESSION_MS);
    assertEquals(1, members(rig, "g"));
    rig.coordinator.held(7, false);
    rig.worker.runAll();
    rig.advanceMs(Rig.SESSION_MS + 100);
    assertEquals(0, members(rig, "g"));
  }

  @Test
  void aSignOfLifeCountsFromWhenItCameAlsoIfItIsHandledLate() {
    Rig rig = Rig.serving();
    GroupResult.Joined joined = rig.join("g", "a").as(GroupResult.Joined.class);
    rig.store.forceOnFlush = false;
    rig.commit("h", 0, 1);
    rig.advanceMs(Rig.SESSION_MS - 500);
    // In time, but the coordinator waits for the disk.
    rig.heartbeat(1, "g", "a", joined);
    rig.advanceMs(2_000);
    rig.store.forceOnFlush = true;
    rig.store.force();
    rig.worker.runAll();
    assertEquals(1, members(rig, "g"));
  }

  @Test
  void aConnectionThatIsGoneIsAnsweredNoMore() {
    Rig rig = Rig.serving();
    GroupResult.Joined joined = rig.join(9, "g", "a").as(GroupResult.Joined.class);
    Reply parked = rig.heartbeat(9, "g", "a", joined);
    rig.coordinator.disconnected(9);
    rig.worker.runAll();
    rig.join(1, "g", "b");
    rig.advanceMs(2 * Rig.SESSION_MS);
    assertFalse(parked.isThere());
  }

  @Test
  void aCommitBeyondWhatRecoveryLeftIsSetBackBeforeItIsServed() {
    Rig rig = Rig.serving();
    rig.commit("g", 0, 900);
    rig.commit("g", 1, 800);
    rig.commit("g", 2, 700);
    PartitionId offline = new PartitionId(Rig.ORDERS, 1);
    rig.topics.log(
        new PartitionId(Rig.ORDERS, 0), new PartitionStore.Snapshot(2, 0, 40, 40, 0, ""));
    rig.topics.log(offline, new PartitionStore.Snapshot(2, 0, 50, 50, 0, "damaged"));
    Rig next = rig.restarted();
    assertEquals(40, next.committed("g", 0));
    assertEquals(800, next.committed("g", 1));
    assertEquals(700, next.committed("g", 2));
    assertEquals(List.of("clamped"), next.observed.told);
    // It is written, not only told: the next start finds nothing to set back.
    assertEquals(List.of(), next.restarted().observed.told);
  }

  @Test
  void aCommitBeyondACutIsSetBackBeforeTheCutIsTold() {
    Rig rig = Rig.serving();
    rig.commit("g", 0, 90);
    rig.commit("g", 1, 90);
    PartitionId cut = new PartitionId(Rig.ORDERS, 0);
    try (LogLines log = new LogLines(NewsDesk.class.getName())) {
      CompletableFuture<Void> told = rig.coordinator.partitionCut(cut, 40);
      rig.worker.runAll();
      assertTrue(told.isDone());
      assertEquals(
          List.of(
              "group 'g': the commit of orders/0 (%s) lay at 90, beyond the log that is left; it was set back to 40"
                  .formatted(cut)),
          log.lines());
    }
    assertEquals(40, rig.committed("g", 0));
    assertEquals(90, rig.committed("g", 1));
    assertEquals(List.of("clamped"), rig.observed.told);
  }

  @Test
  void aCommitBeyondTheEndOfALogIsRefused() {
    Rig rig = Rig.serving();
    GroupResult.Committed refused = rig.commit("g", 0, 1001).as(GroupResult.Committed.class);
    assertFalse(refused.written());
    assertEquals(-1, rig.committed("g", 0));
  }

  @Test
  void commitsOfADeletedTopicAreGoneForGood() {
    Rig rig = Rig.serving();
    rig.commit("g", 0, 5);
    rig.topics.delete(Rig.ORDERS);
    rig.coordinator.topicsChanged();
    rig.worker.runAll();
    rig.topics.add("orders", Rig.ORDERS, Rig.PARTITIONS, 1000);
    assertEquals(-1, rig.restarted().committed("g", 0));
  }

  @Test
  void commitsOfATopicThatWasDeletedWhileTheBrokerWasDownAreGoneToo() {
    Rig rig = Rig.serving();
    rig.commit("g", 0, 5);
    rig.topics.delete(Rig.ORDERS);
    rig.topics.add("orders", new UUID(1, 2), Rig.PARTITIONS, 1000);
    Rig next = rig.restarted();
    assertEquals(-1, next.committed("g", 0));
  }

  @Test
  void aRecordOfANewerBuildStopsGroupsAndNothingElse() {
    Rig rig = Rig.serving();
    TestLog log = new TestLog(rig.store);
    log.log.gather(java.nio.ByteBuffer.wrap(new byte[] {1, 9}), TestLog.text("?"));
    log.log.append(outcome -> {});
    Rig next = new Rig(rig.store, rig.topics.again(rig.store));
    next.start();
    Status.Unavailable status =
        assertInstanceOf(Status.Unavailable.class, next.coordinator.status());
    assertTrue(status.reason().contains("cannot read"), status.reason());
    assertEquals(Cause.STORAGE_FAILED, next.join("g", "a").failed().cause());
  }
}
