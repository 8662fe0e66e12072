package io.minikafka.coordinator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.group.GroupEvent;
import io.minikafka.group.GroupLimits;
import io.minikafka.group.GroupResult;
import io.minikafka.partition.LogStats;
import io.minikafka.sim.SimClock;
import io.minikafka.storage.LocalDisk;
import io.minikafka.topic.SettingChange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A million commits through the mailbox, and what is left of them; prints what it took. */
class MillionCommitsTest {
  private static final int COMMITS = 1_000_000;

  /** Posted before the coordinator has its turn, as many clients would. */
  private static final int AT_ONCE = 20_000;

  private static final int GROUPS = 10;
  private static final int PARTITIONS = 2;
  private static final long LIMIT_BYTES = 16 << 20;

  private static final SettingChange SEGMENTS =
      SettingChange.set("segment.bytes", String.valueOf(4 << 20));

  @TempDir Path dir;
  private final SimClock clock = new SimClock();
  private final AtomicLong answered = new AtomicLong();

  @Test
  void aMillionCommitsOnTwentyKeysLeaveLessThanSixteenMebibytes() throws IOException {
    // That it is compacted is the broker's own doing.
    List<SettingChange> compacted = List.of(SEGMENTS);
    Life life = life("compacted", compacted);
    String commits = commitAll(life);
    long left = bytes(life);
    System.out.printf("%s; compacted %s%n", commits, replayed(life));
    assertTrue(left < LIMIT_BYTES, left + " bytes are left");

    life.topics.close();
    life.run();
    life.logs.close();
    Life next = life("compacted", compacted);
    assertTrue(next.start());
    for (int key = 0; key < GROUPS * PARTITIONS; key++) {
      assertEquals(offset(COMMITS - GROUPS * PARTITIONS + key), committed(next, key));
    }
  }

  /** What a start would have to read if nothing were compacted. */
  @Test
  void aMillionCommitsThatWereNeverCompactedAreStillRead() throws IOException {
    Life life = life("whole", List.of(SEGMENTS, SettingChange.set("cleanup.policy", "delete")));
    String commits = commitAll(life);
    System.out.printf("%s; not compacted %s%n", commits, replayed(life));
    assertTrue(bytes(life) > LIMIT_BYTES);
  }

  /** What it took. */
  private String commitAll(Life life) {
    assertTrue(life.start());
    life.makeTopic();
    long began = System.nanoTime();
    for (int n = 0; n < COMMITS; n += AT_ONCE) {
      for (int i = n; i < n + AT_ONCE; i++) {
        commit(life, i);
      }
      life.run();
    }
    assertEquals(COMMITS, answered.get());
    return "%d commits on %d keys in %.2f s"
        .formatted(COMMITS, GROUPS * PARTITIONS, (System.nanoTime() - began) / 1e9);
  }

  private static String replayed(Life life) throws IOException {
    long began = System.nanoTime();
    Status.Loaded loaded = Loader.load(life.offsetsLog(), GroupLimits.DEFAULTS, true).loaded();
    assertEquals(GROUPS, loaded.groups());
    return "%.2f MiB, %d records, read in %.3f s"
        .formatted(bytes(life) / 1048576.0, loaded.records(), (System.nanoTime() - began) / 1e9);
  }

  private Life life(String directory, List<SettingChange> offsetsLog) throws IOException {
    return new Life(new LocalDisk(), dir.resolve(directory), () -> false, clock, 1, offsetsLog);
  }

  private static long offset(int commit) {
    return commit % Life.RECORDS;
  }

  private void commit(Life life, int number) {
    int key = number % (GROUPS * PARTITIONS);
    GroupEvent.CommitPart part =
        new GroupEvent.CommitPart(life.partition(key % PARTITIONS), 0, offset(number), 0, "");
    life.coordinator.ask(
        1,
        ticket ->
            new GroupEvent.Commit(
                ticket,
                1,
                "group-" + key / PARTITIONS,
                "",
                List.of(part),
                life.coordinator.logEnds()),
        reply -> {
          if (reply instanceof GroupReply.Answered(GroupResult.Committed done) && done.written()) {
            answered.incrementAndGet();
          }
        });
  }

  private static long committed(Life life, int key) {
    AtomicLong found = new AtomicLong(-1);
    life.coordinator.ask(
        1,
        ticket ->
            new GroupEvent.FetchOffsets(
                ticket, "group-" + key / PARTITIONS, List.of(life.partition(key % PARTITIONS))),
        reply -> {
          if (reply instanceof GroupReply.Answered(GroupResult.Offsets(var offsets))) {
            found.set(offsets.getFirst().commit().orElseThrow().offset());
          }
        });
    life.run();
    return found.get();
  }

  private static long bytes(Life life) {
    return life.offsetsLog().stats().map(LogStats::bytes).orElseThrow();
  }
}
