package io.minikafka.topic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.AppendResult.Appended;
import io.minikafka.sim.PowerOff;
import io.minikafka.sim.SimDisk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The process is ended before each single disk operation of a story of changes, and again while it
 * recovers: what was answered holds, what was not holds as a whole or not at all, and of a deleted
 * topic nothing is left.
 */
class TopicsCrashTest {
  private static final int SEEDS = 10;
  private static final long FIRST_SEED = Long.getLong("seed", 1);
  private static final int NO_END = Integer.MAX_VALUE;

  @BeforeAll
  static void quiet() {
    PowerOff.keepOutOfLogs();
  }

  /** How the process ends. */
  enum End {
    KILL,
    POWER_LOSS
  }

  /** One change, and what topics there are when it has been answered. */
  private record Step(Change change, Map<String, String> then) {}

  @FunctionalInterface
  private interface Change {
    Object make(SimBroker broker) throws IOException;
  }

  /** Topics as {@code partitions settings records}; of these the ones in each partition. */
  private static final List<Step> STORY =
      List.of(
          step(b -> change(b, b.topics.create("a", 2, List.of(), false)), "a", "2 {} 0"),
          step(b -> append(b, "a"), "a", "2 {} 1"),
          step(
              b -> change(b, b.topics.create("b", 1, set("retention.ms", "5"), false)),
              "a",
              "2 {} 1",
              "b",
              "1 {retention.ms=5} 0"),
          step(b -> append(b, "b"), "a", "2 {} 1", "b", "1 {retention.ms=5} 1"),
          step(
              b -> change(b, b.topics.alter("a", set("segment.bytes", "2048"), false)),
              "a",
              "2 {segment.bytes=2048} 1",
              "b",
              "1 {retention.ms=5} 1"),
          step(
              b -> change(b, b.topics.addPartitions("a", 3, false)),
              "a",
              "3 {segment.bytes=2048} 1",
              "b",
              "1 {retention.ms=5} 1"),
          step(b -> change(b, b.topics.delete("b", false)), "a", "3 {segment.bytes=2048} 1"),
          step(
              b -> change(b, b.topics.create("b", 1, List.of(), false)),
              "a",
              "3 {segment.bytes=2048} 1",
              "b",
              "1 {} 0"),
          step(b -> change(b, b.topics.delete("a", false)), "b", "1 {} 0"));

  private static Outcome<TopicEntry> change(
      SimBroker broker, CompletableFuture<Outcome<TopicEntry>> answer) {
    return broker.await(answer);
  }

  private static Object append(SimBroker broker, String topic) {
    return broker.topics.topic(topic).isPresent() ? broker.append(topic, 0) : "no such topic";
  }

  private static List<SettingChange> set(String key, String value) {
    return List.of(SettingChange.set(key, value));
  }

  private static Step step(Change change, String... then) {
    Map<String, String> topics = new TreeMap<>();
    for (int i = 0; i < then.length; i += 2) {
      topics.put(then[i], then[i + 1]);
    }
    return new Step(change, topics);
  }

  @ParameterizedTest
  @EnumSource(End.class)
  void everyChangeIsWholeOrNotThereWhereverTheProcessEnds(End end) throws IOException {
    int crashes = 0;
    for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++) {
      int operation = 0;
      for (; ; operation++) {
        Optional<String> violation = live(seed, operation, end);
        if (violation.isPresent()) {
          assertEquals("", "-Dseed=%d, %s".formatted(seed, violation.get()));
        }
        if (operation > operationsOf(seed)) {
          break;
        }
      }
      crashes += operation;
    }
    assertTrue(crashes > 50 * SEEDS, "only " + crashes);
  }

  @ParameterizedTest
  @EnumSource(
      value = SimDisk.Lie.class,
      names = {"FORCE", "FORCE_DIRECTORY"})
  void diskThatDoesNotForceIsFoundOut(SimDisk.Lie lie) throws IOException {
    boolean found = false;
    for (long seed = FIRST_SEED; !found && seed < FIRST_SEED + 20; seed++) {
      long operations = operationsOf(seed);
      for (int operation = 0; !found && operation <= operations; operation++) {
        found = live(seed, operation, End.POWER_LOSS, lie).isPresent();
      }
    }
    assertTrue(found);
  }

  @Test
  void storyEndsAsItSaysIfNothingHappens() throws IOException {
    assertEquals(Optional.empty(), live(FIRST_SEED, NO_END, End.KILL));
  }

  private static long operationsOf(long seed) throws IOException {
    SimDisk disk = new SimDisk(seed);
    SimBroker broker = SimBroker.start(disk, seed, 10_000);
    for (Step step : STORY) {
      step.change.make(broker);
    }
    return disk.operations();
  }

  /** Lives the story up to an operation, then again from where it stands; empty if all is well. */
  private static Optional<String> live(long seed, int operation, End end, SimDisk.Lie... lies)
      throws IOException {
    SimDisk disk = new SimDisk(seed, lies);
    disk.stopBefore(operation);
    List<Map<String, String>> possible = new ArrayList<>(List.of(Map.of()));
    try {
      SimBroker broker = SimBroker.start(disk, seed, 10_000);
      for (Step step : STORY) {
        possible.add(step.then);
        Object done = step.change.make(broker);
        if (!(done instanceof Outcome.Done || done instanceof Appended)) {
          return Optional.of("not done: " + done);
        }
        possible.removeFirst();
      }
    } catch (PowerOff e) {
      // What comes is about this.
    }
    SimBroker next;
    try {
      next = restart(disk, seed, end);
    } catch (IOException | RuntimeException e) {
      return Optional.of("before #%d: no start: %s%n%s".formatted(operation, e, disk.trace()));
    }
    Map<String, String> found = describe(next);
    if (!possible.contains(found)) {
      return Optional.of(
          "before #%d: %s instead of one of %s%n%s"
              .formatted(operation, found, possible, disk.trace()));
    }
    return strangers(disk, next)
        .map(left -> "before #%d: left is %s%n%s".formatted(operation, left, disk.trace()));
  }

  /** Some of the restarts are ended in the middle as well. */
  private static SimBroker restart(SimDisk disk, long seed, End end) throws IOException {
    for (int attempt = 0; ; attempt++) {
      switch (end) {
        case KILL -> disk.processKill();
        case POWER_LOSS -> disk.powerLoss();
      }
      if (attempt < 3) {
        disk.stopBefore(disk.operations() + (seed * 31 + attempt * 17 + disk.operations()) % 23);
      }
      try {
        return SimBroker.start(disk, seed + attempt, 10_000);
      } catch (PowerOff e) {
        assertTrue(attempt < 3, "ended though nobody wanted it");
      }
    }
  }

  private static Map<String, String> describe(SimBroker broker) {
    Map<String, String> topics = new TreeMap<>();
    for (Topic topic : broker.topics.topics()) {
      long records =
          topic.partitions().stream().mapToLong(partition -> partition.snapshot().end()).sum();
      topics.put(
          topic.name(),
          "%d %s %d".formatted(topic.partitions().size(), topic.entry().own(), records));
    }
    return topics;
  }

  /** Without the numbers of records. */
  private static Map<String, String> shapes(Map<String, String> topics) {
    Map<String, String> shapes = new TreeMap<>();
    topics.forEach((name, text) -> shapes.put(name, text.substring(0, text.lastIndexOf(' '))));
    return shapes;
  }

  /** Directories that belong to no topic that exists, or were set aside. */
  private static Optional<String> strangers(SimDisk disk, SimBroker broker) throws IOException {
    List<String> left = new ArrayList<>();
    for (String name : disk.list(SimBroker.DATA)) {
      boolean known = name.length() != 36 || broker.topics.topic(UUID.fromString(name)).isPresent();
      if (!known || name.equals("set-aside")) {
        left.add(name);
      }
    }
    return left.isEmpty() ? Optional.empty() : Optional.of(left.toString());
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void operationThatFailsLeavesTheOldOrTheNewAndTheAnswerSaysWhich(boolean full)
      throws IOException {
    int uncertain = 0;
    int unchanged = 0;
    for (long operation = 0; ; operation++) {
      SimDisk disk = new SimDisk(FIRST_SEED);
      SimBroker.start(disk, 1, 10_000).stop();
      disk.processKill();
      FailingDisk failing = new FailingDisk(disk, operation, full);
      Map<String, String> acknowledged = new TreeMap<>();
      List<Map<String, String>> possible = new ArrayList<>();
      SimBroker broker;
      try {
        broker = SimBroker.start(disk, failing, 1, 10_000);
      } catch (IOException e) {
        continue; // The operation was one of the start.
      }
      for (Step step : STORY) {
        if (step.change.make(broker) instanceof Outcome.Refused<?>(TopicError error)) {
          if (error.message().contains("shows at the next start")) {
            uncertain++;
            possible.add(acknowledged);
            possible.add(shapes(step.then));
            break;
          }
          unchanged += error.message().endsWith("nothing was changed") ? 1 : 0;
          assertEquals(acknowledged, shapes(describe(broker)));
        }
        acknowledged = shapes(describe(broker));
      }
      if (!failing.hasFailed()) {
        break;
      }
      if (possible.isEmpty()) {
        possible.add(acknowledged);
      }
      SimBroker next = restart(disk, FIRST_SEED, End.POWER_LOSS);
      Map<String, String> found = shapes(describe(next));
      assertTrue(
          possible.contains(found),
          "%d: %s instead of one of %s%n%s".formatted(operation, found, possible, disk.trace()));
    }
    assertTrue(uncertain > 3, "uncertain " + uncertain);
    assertTrue(unchanged > 3, "unchanged " + unchanged);
  }

  @Test
  void tenThousandPartitionsAreCreatedAndReopenedWithoutTouchingTheDiskForEach()
      throws IOException {
    SimDisk disk = new SimDisk(FIRST_SEED);
    SimBroker broker = SimBroker.start(disk, 1, 20_000);
    long before = disk.operations();
    Fixtures.done(broker.await(broker.topics.create("t", 10_000, List.of(), false)));
    long creating = disk.operations() - before;
    broker.stop();
    before = disk.operations();
    SimBroker again = SimBroker.start(disk, 2, 20_000);
    long reopening = disk.operations() - before;
    assertEquals(10_000, again.topics.topic("t").orElseThrow().partitions().size());
    assertTrue(creating < 30, creating + " operations that change something");
    assertTrue(reopening < 30, reopening + " operations that change something");
    assertEquals(new Topics.Progress(10_000, 10_000), again.topics.progress());
  }

  @Test
  void tenThousandPartitionsBeyondTheDescriptorLimitAreRefusedAndNothingIsLeft()
      throws IOException {
    SimDisk disk = new SimDisk(FIRST_SEED);
    SimBroker broker = SimBroker.start(disk, 1, 4096);
    long before = disk.operations();
    TopicError error =
        Fixtures.refused(broker.await(broker.topics.create("t", 10_000, List.of(), false)));
    assertTrue(error.message().contains("4096 files open (ulimit -n)"), error.message());
    assertEquals(before, disk.operations());
    broker.stop();
    assertEquals(List.of(), SimBroker.start(disk, 2, 4096).topics.topics());
  }

  @Test
  void damagedCatalogRefusesTheStartNamingItsFile() throws IOException {
    SimDisk disk = new SimDisk(FIRST_SEED);
    SimBroker broker = SimBroker.start(disk, 1, 10_000);
    Fixtures.done(broker.await(broker.topics.create("a", 2, List.of(), false)));
    broker.append("a", 0);
    broker.stop();
    var file = SimBroker.DATA.resolve("meta/topics");
    String directory = broker.topics.topic("a").orElseThrow().id().toString();
    disk.damage(file, disk.size(file) / 2, new byte[] {(byte) 0xee});
    byte[] damaged = disk.bytes(file);
    Throwable refused = null;
    try {
      SimBroker.start(disk, 2, 10_000);
    } catch (CompletionException e) {
      refused = e.getCause();
    }
    assertTrue(
        String.valueOf(refused).contains("the topic catalog /data/meta/topics cannot be used"),
        String.valueOf(refused));
    assertTrue(disk.isDirectory(SimBroker.DATA.resolve(directory)));
    assertFalse(disk.exists(SimBroker.DATA.resolve("set-aside")));
    assertArrayEquals(damaged, disk.bytes(file));
  }
}
