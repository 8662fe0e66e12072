package io.minikafka.coordinator;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.PartitionId;
import io.minikafka.group.GrantedPartition;
import io.minikafka.group.GroupDescription;
import io.minikafka.group.GroupDescription.MemberView;
import io.minikafka.group.GroupEvent;
import io.minikafka.group.GroupResult;
import io.minikafka.sim.PowerOff;
import io.minikafka.sim.SimClock;
import io.minikafka.sim.SimDisk;
import io.minikafka.topic.SettingChange;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Kills and power losses at random operations of the disk, while members join, leave and commit,
 * and the offsets log is rolled and compacted. {@code -Dseed=n} replays one round, {@code
 * -Dseeds=n} plays so many.
 */
class CoordinatorCrashTest {
  private static final int SEEDS = 60;
  private static final int LIVES = 6;
  private static final int ACTIONS = 60;
  private static final long SESSION_MS = 600_000;

  private static final List<SettingChange> SMALL_LOG =
      List.of(
          SettingChange.set("segment.bytes", "2048"),
          SettingChange.set("cleanup.policy", "compact"),
          SettingChange.set("delete.retention.ms", "1000"),
          SettingChange.set("min.cleanable.dirty.ratio", "0.1"));

  @BeforeAll
  static void keepTheLogShort() {
    PowerOff.keepOutOfLogs();
  }

  @Test
  void whatWasAnsweredSurvivesEveryCrashAndNoGrantIsGivenTwice() throws IOException {
    long first = Long.getLong("seed", 1);
    long count = Long.getLong("seeds", System.getProperty("seed") == null ? SEEDS : 1);
    for (long seed = first; seed < first + count; seed++) {
      List<String> violations = new World(seed).play();
      assertTrue(violations.isEmpty(), "seed " + seed + ": " + violations);
    }
  }

  /** The same play finds a disk that forgets what it says it has forced. */
  @Test
  void answersThatDoNotWaitForTheDiskAreFound() throws IOException {
    int found = 0;
    for (long seed = 1; seed <= 20; seed++) {
      try {
        found += new World(seed, SimDisk.Lie.FORCE).play().isEmpty() ? 0 : 1;
      } catch (RuntimeException | AssertionError e) {
        found++; // So much was lost that it did not even start.
      }
    }
    assertTrue(found > 10, found + " of 20 plays on a lying disk were found out");
  }

  /** A broker over several lives, and what its clients know for sure. */
  private static final class World {
    private final Random random;
    private final SimDisk disk;
    private final SimClock clock = new SimClock();
    private final List<String> violations = new ArrayList<>();

    /** By group and partition: the last offset that was acknowledged. */
    private final Map<String, Long> acknowledged = new HashMap<>();

    /** What was sent after that, and may have been stored. */
    private final Map<String, Set<Long>> sent = new HashMap<>();

    /** Members whose join was answered and that were not sent away since. */
    private final Map<String, GroupResult.Joined> members = new HashMap<>();

    /** Whose a grant of a partition is. */
    private final Map<String, String> grants = new HashMap<>();

    private final Resets resets = new Resets(violations);

    private long newestGeneration;
    private int names;

    World(long seed, SimDisk.Lie... lies) {
      random = new Random(seed);
      disk = new SimDisk(seed, lies);
    }

    List<String> play() throws IOException {
      boolean made = false;
      for (int number = 0; number < LIVES && violations.isEmpty(); number++) {
        Optional<Life> started = start();
        if (started.isPresent()) {
          Life life = started.get();
          if (!made) {
            life.makeTopic();
            made = true;
          }
          check(life);
          disk.stopBefore(disk.operations() + random.nextInt(150));
          for (int i = 0; i < ACTIONS && !disk.isOff(); i++) {
            act(life);
          }
          disk.turnOff();
        }
        if (random.nextBoolean()) {
          disk.powerLoss();
        } else {
          disk.processKill();
        }
      }
      return violations;
    }

    /** Empty if it was killed on the way. */
    private Optional<Life> start() throws IOException {
      if (random.nextInt(3) == 0) {
        disk.stopBefore(disk.operations() + random.nextInt(60));
      }
      try {
        Life life =
            new Life(disk, Path.of("/data"), disk::isOff, clock, random.nextLong(), SMALL_LOG);
        if (!life.start()) {
          return Optional.empty();
        }
        disk.stopBefore(Long.MAX_VALUE);
        return Optional.of(life);
      } catch (PowerOff e) {
        return Optional.empty();
      }
    }

    private void act(Life life) {
      switch (random.nextInt(9)) {
        case 0 -> join(life, "m" + random.nextInt(4));
        case 1 -> leave(life);
        case 2, 3 -> heartbeat(life);
        case 4, 5, 6 -> commit(life);
        case 7 -> resets.set(life);
        default -> life.advanceMs(random.nextInt(700));
      }
      for (int steps = random.nextInt(20); steps > 0 && life.step(); steps--) {}
    }

    private void join(Life life, String member) {
      life.coordinator.ask(
          1,
          ticket ->
              new GroupEvent.Join(
                  ticket, 1, 1, "g", member, "", SESSION_MS, SESSION_MS, "", List.of(Life.TOPIC)),
          reply -> {
            if (reply instanceof GroupReply.Answered(GroupResult.Joined joined)) {
              members.put(member, joined);
              told(member, joined.generation(), joined.partitions());
            }
          });
    }

    private void heartbeat(Life life) {
      if (members.isEmpty()) {
        return;
      }
      String member = List.copyOf(members.keySet()).get(random.nextInt(members.size()));
      GroupResult.Joined list = members.get(member);
      if (list == null) {
        return;
      }
      List<PartitionId> owned =
          list.partitions().stream().map(GrantedPartition::partition).toList();
      life.coordinator.ask(
          1,
          ticket -> new GroupEvent.Heartbeat(ticket, 1, "g", member, list.assignment(), 0, owned),
          reply -> {
            if (reply instanceof GroupReply.Answered(GroupResult.Current now)) {
              members.computeIfPresent(
                  member,
                  (name, before) ->
                      new GroupResult.Joined(
                          name,
                          now.generation(),
                          now.assignment(),
                          now.pending(),
                          before.maxHeartbeatWaitMs(),
                          now.partitions()));
              told(member, now.generation(), now.partitions());
            }
          });
    }

    private void leave(Life life) {
      if (members.isEmpty()) {
        return;
      }
      String member = List.copyOf(members.keySet()).get(random.nextInt(members.size()));
      members.remove(member);
      life.coordinator.ask(
          1, ticket -> new GroupEvent.Leave(ticket, 1, "g", member, false), reply -> {});
    }

    private void commit(Life life) {
      String group = "out" + random.nextInt(2);
      int partition = random.nextInt(Life.PARTITIONS);
      long offset = random.nextInt(Life.RECORDS);
      String key = group + "/" + partition;
      sent.computeIfAbsent(key, k -> new HashSet<>()).add(offset);
      GroupEvent.CommitPart part =
          new GroupEvent.CommitPart(life.partition(partition), 0, offset, 0, "");
      life.coordinator.ask(
          1,
          ticket ->
              new GroupEvent.Commit(
                  ticket, 1, group, "", List.of(part), life.coordinator.logEnds()),
          reply -> {
            if (reply instanceof GroupReply.Answered(GroupResult.Committed done)
                && done.written()) {
              acknowledged.put(key, offset);
            }
          });
    }

    private void told(String member, long generation, List<GrantedPartition> partitions) {
      newestGeneration = Math.max(newestGeneration, generation);
      for (GrantedPartition one : partitions) {
        String grant = one.partition() + " under " + one.grant();
        String before = grants.put(grant, member);
        if (before != null && !before.equals(member)) {
          violations.add(grant + " was given to " + before + " and to " + member);
        }
      }
    }

    /** What a client that comes back finds. */
    private void check(Life life) {
      for (String key : Set.copyOf(sent.keySet())) {
        long found = committed(life, key);
        long last = acknowledged.getOrDefault(key, -1L);
        // Later ones were not answered, or answered in the order they were sent.
        if (found != last && !sent.getOrDefault(key, Set.of()).contains(found)) {
          violations.add("%s is at %d, acknowledged was %d".formatted(key, found, last));
        }
        if (found < 0 && last >= 0) {
          violations.add("%s is gone, acknowledged was %d".formatted(key, last));
        }
        acknowledged.put(key, found);
        sent.remove(key);
      }
      resets.check(life);
      Set<String> there = members(life);
      for (String member : members.keySet()) {
        if (!there.contains(member)) {
          violations.add(member + " is no member any more");
        }
      }
      long before = newestGeneration;
      String fresh = "fresh" + names++;
      join(life, fresh);
      life.run();
      life.advanceMs(60);
      GroupResult.Joined joined = members.get(fresh);
      if (joined == null) {
        violations.add(fresh + " could not join");
      } else if (joined.generation() <= before) {
        violations.add("generation %d came again".formatted(joined.generation()));
      }
    }

    private static long committed(Life life, String key) {
      String[] parts = key.split("/", 2);
      PartitionId id = life.partition(Integer.parseInt(parts[1]));
      List<Long> found = new ArrayList<>();
      life.coordinator.ask(
          1,
          ticket -> new GroupEvent.FetchOffsets(ticket, parts[0], List.of(id)),
          reply -> {
            if (reply instanceof GroupReply.Answered(GroupResult.Offsets(var offsets))) {
              found.add(offsets.getFirst().commit().map(commit -> commit.offset()).orElse(-1L));
            }
          });
      life.run();
      return found.getFirst();
    }

    private static Set<String> members(Life life) {
      var look = life.coordinator.look(groups -> groups.describe("g", 0));
      life.run();
      return look.join().map(GroupDescription::members).orElse(List.of()).stream()
          .map(MemberView::member)
          .collect(Collectors.toSet());
    }
  }
}
