package io.minikafka.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.coordinator.GroupReply.Cause;
import io.minikafka.coordinator.Rig.Reply;
import io.minikafka.group.GroupDescription;
import io.minikafka.group.GroupResult;
import io.minikafka.partition.NoRoomException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A disk without room refuses what must be written, and nothing else. */
class FullDiskTest {
  private static void fill(Rig rig) {
    rig.store.trouble =
        Optional.of(
            () -> {
              throw new NoRoomException("full", new IOException("full"));
            });
  }

  private static void makeRoom(Rig rig) {
    rig.store.trouble = Optional.empty();
  }

  private static int members(Rig rig, String group) {
    var look = rig.coordinator.look(groups -> groups.describe(group, 0));
    rig.worker.runAll();
    return look.join().map(GroupDescription::members).map(all -> all.size()).orElse(0);
  }

  @Test
  void everyChangeIsRefusedForWantOfRoomForAsLongAsThereIsNone() {
    Rig rig = Rig.serving();
    fill(rig);
    for (int i = 0; i < 30; i++) {
      for (Reply refused : new Reply[] {rig.commit("g", 0, 6), joined(rig, "h" + i)}) {
        assertEquals(Cause.DISK_FULL, refused.failed().cause());
        assertTrue(refused.failed().message().contains("no room"), refused.failed()::message);
      }
      rig.advanceMs(Runner.RETRY_MS / 3);
    }
    makeRoom(rig);
    rig.advanceMs(Runner.RETRY_MS);
    assertTrue(rig.commit("g", 0, 7).as(GroupResult.Committed.class).written());
  }

  private static Reply joined(Rig rig, String group) {
    Reply reply = rig.join(group, "a");
    rig.advanceMs(10);
    return reply;
  }

  @Test
  void whatIsCommittedIsToldWhileThereIsNoRoom() {
    Rig rig = Rig.serving();
    rig.commit("g", 0, 5);
    fill(rig);
    for (int i = 0; i < 10; i++) {
      rig.commit("g", 0, 6);
      assertEquals(5, rig.committed("g", 0));
      rig.advanceMs(Runner.RETRY_MS / 3);
    }
  }

  @Test
  void whatComesWhileTheLogIsReadAfterARefusedAppendWaitsForIt() {
    Rig rig = Rig.serving();
    rig.commit("g", 0, 5);
    fill(rig);
    var opened = rig.topics.offsetsLog;
    rig.topics.offsetsLog = new CompletableFuture<>();
    rig.commit("g", 0, 6);
    Reply fetch = rig.fetch("g", 0);
    assertFalse(fetch.isThere());
    rig.topics.offsetsLog.complete(opened.join());
    rig.worker.runAll();
    assertEquals(
        5,
        fetch.as(GroupResult.Offsets.class).offsets().getFirst().commit().orElseThrow().offset());
  }

  @Test
  void aMemberThatIsAliveStaysOneHoweverLongThereIsNoRoom() {
    Rig rig = Rig.serving();
    GroupResult.Joined joined = rig.join("g", "a").as(GroupResult.Joined.class);
    fill(rig);
    for (int i = 0; i < 20; i++) {
      rig.commit("h", 0, 6);
      Reply beat = rig.heartbeat(1, "g", "a", joined);
      // The answer of the run before it: told at once what is its own.
      GroupResult.Current current = beat.as(GroupResult.Current.class);
      assertEquals(joined.partitions(), current.partitions());
      assertTrue(current.assignment() > joined.assignment());
      rig.advanceMs(Rig.SESSION_MS / 4);
    }
    makeRoom(rig);
    assertEquals(1, members(rig, "g"));
    rig.advanceMs(2 * Rig.SESSION_MS);
    assertEquals(0, members(rig, "g"));
  }

  @Test
  void aHeartbeatThatWaitsIsNotRefusedForTheCommitOfAnother() {
    Rig rig = Rig.serving();
    GroupResult.Joined joined = rig.join("g", "a").as(GroupResult.Joined.class);
    Reply parked = rig.heartbeat(1, "g", "a", joined);
    assertFalse(parked.isThere());
    fill(rig);
    rig.commit("h", 0, 6);
    assertEquals(joined.partitions(), parked.as(GroupResult.Current.class).partitions());
  }

  @Test
  void aLookAtCommitsIsNotRefusedForACommitThatCameWithIt() {
    Rig rig = Rig.serving();
    rig.commit("g", 0, 5);
    rig.store.forceOnFlush = false;
    rig.commit("g", 1, 1);
    Reply refused = rig.commit("g", 0, 6);
    Reply fetch = rig.fetch("g", 0);
    fill(rig);
    rig.store.forceOnFlush = true;
    rig.store.force();
    rig.worker.runAll();
    assertEquals(Cause.DISK_FULL, refused.failed().cause());
    assertEquals(
        5,
        fetch.as(GroupResult.Offsets.class).offsets().getFirst().commit().orElseThrow().offset());
  }

  @Test
  void noNumberOfAListIsGivenTwice() {
    Rig rig = Rig.serving();
    GroupResult.Joined joined = rig.join("g", "a").as(GroupResult.Joined.class);
    fill(rig);
    long last = joined.assignment();
    for (int i = 0; i < 3; i++) {
      rig.commit("h", 0, 6);
      rig.advanceMs(Runner.RETRY_MS);
      long next = rig.heartbeat(1, "g", "a", joined).as(GroupResult.Current.class).assignment();
      assertTrue(next > last, next + " after " + last);
      last = next;
    }
    makeRoom(rig);
    long after =
        rig.restarted().heartbeat(1, "g", "a", joined).as(GroupResult.Current.class).assignment();
    assertTrue(after > last, after + " after " + last);
  }

  @Test
  void aStartWithoutRoomTellsWhatIsCommittedAndRefusesTheRestUntilThereIs() {
    Rig first = Rig.serving();
    first.commit("g", 0, 5);
    first.join("h", "a");
    Rig rig = new Rig(first.store, first.topics.again(first.store));
    fill(rig);
    rig.start();
    for (int i = 0; i < 10; i++) {
      assertEquals(5, rig.committed("g", 0));
      assertEquals(1, members(rig, "h"));
      assertEquals(Cause.DISK_FULL, rig.commit("g", 0, 6).failed().cause());
      assertEquals(Cause.DISK_FULL, rig.join("h", "b").failed().cause());
      rig.advanceMs(Rig.SESSION_MS / 3);
    }
    makeRoom(rig);
    rig.advanceMs(Runner.RETRY_MS);
    assertTrue(rig.commit("g", 0, 7).as(GroupResult.Committed.class).written());
    assertEquals(1, members(rig, "h"));
  }

  @Test
  void aStopWhileThereIsNoRoomAnswersEverybody() {
    Rig rig = Rig.serving();
    fill(rig);
    rig.topics.offsetsLog = new CompletableFuture<>();
    rig.commit("g", 0, 6);
    Reply fetch = rig.fetch("g", 0);
    rig.coordinator.stop();
    rig.worker.runAll();
    assertEquals(Cause.SHUTTING_DOWN, fetch.failed().cause());
    assertEquals(0, rig.timers.waiting());
  }

  @Test
  void aConnectionThatIsGoneJoinsNothingAfterTheLogWasRead() {
    Rig rig = Rig.serving();
    fill(rig);
    var opened = rig.topics.offsetsLog;
    rig.topics.offsetsLog = new CompletableFuture<>();
    rig.commit("g", 0, 6);
    Reply join = rig.join(9, "g", "a");
    rig.coordinator.disconnected(9);
    rig.topics.offsetsLog.complete(opened.join());
    makeRoom(rig);
    rig.worker.runAll();
    assertFalse(join.isThere());
    assertEquals(0, members(rig, "g"));
  }
}
