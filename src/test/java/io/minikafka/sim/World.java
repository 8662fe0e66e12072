package io.minikafka.sim;

import io.minikafka.PartitionId;
import io.minikafka.partition.AppendResult.Reason;
import io.minikafka.partition.Durability;
import io.minikafka.partition.PartitionStores;
import io.minikafka.partition.StoreSettings;
import io.minikafka.sim.ModelLog.End;
import io.minikafka.sim.Troubles.Trouble;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A random life of a few partitions, all of it decided by a seed: appends, reads, changed settings,
 * time, clean restarts, killed processes, power losses at any disk operation, full disks, failed
 * forces. After each restart every partition is read as a whole and compared with its {@link
 * ModelLog}.
 *
 * <p>{@link #run} throws an {@link AssertionError} that begins with the seed and ends with the last
 * disk operations. One thread; used once.
 */
final class World {
  /** From this choice on the process ends soon. */
  private static final int CRASHES = 925;

  private static final Path DIRECTORY = Path.of("/data");

  private final long seed;
  private final Random random;
  private final SimDisk disk;
  private final SimClock clock = new SimClock();
  private final Stack stack;
  private final Workload workload;
  private final Chances chances;
  private final Troubles troubles;
  private final List<LivePartition> partitions = new ArrayList<>();

  /** Topics of which the deletion was begun and may have to be repeated. */
  private final Set<UUID> deleted = new HashSet<>();

  /** Some worlds have many crashes close together. */
  private final boolean stormy;

  /** How a process ends that is ended; by chance if empty. */
  private Optional<End> forcedEnd = Optional.empty();

  /** The operation before which the first process is to end; empty when that has happened. */
  private OptionalLong armed = OptionalLong.empty();

  private Process process;
  private @Nullable PartitionStores stores;
  private int step;

  private final CompactionWatch watch = new CompactionWatch(this::mayFail);

  World(long seed, Stack stack, SimDisk.Lie... lies) {
    this(seed, seed, stack, lies);
  }

  /**
   * @param diskSeed decides what the disk forgets, {@code seed} all else
   */
  World(long seed, long diskSeed, Stack stack, SimDisk.Lie... lies) {
    this.seed = seed;
    this.random = new Random(seed);
    this.disk = new SimDisk(diskSeed, lies);
    this.stack = stack;
    this.workload = new Workload(random);
    this.chances = new Chances(random);
    this.troubles = new Troubles(disk, random);
    this.stormy = random.nextInt(3) == 0;
    this.process = newProcess();
  }

  /** Lives so many steps, then ends with a clean restart and a power loss. */
  void run(int steps) {
    live(
        () -> {
          addTopic(1 + random.nextInt(2), chances.anySettings());
          addTopic(1, random.nextBoolean() ? chances.compacting() : chances.anySettings());
          start(End.CLEAN);
          for (step = 0; step < steps; step++) {
            survive(this::act);
          }
          survive(this::restart);
          end(End.POWER_LOSS);
        });
  }

  /**
   * Plays a fixed script in which the process ends before one disk operation, lives on, and ends
   * with a power loss.
   *
   * @return whether there were so many operations
   */
  boolean play(Script script, long crashBefore, End how) {
    forcedEnd = Optional.of(how);
    armed = OptionalLong.of(crashBefore);
    disk.stopBefore(crashBefore);
    live(
        () -> {
          addTopic(2, script.settings());
          survive(() -> start(End.CLEAN));
          for (Script.Step next : script.steps()) {
            step++;
            survive(() -> play(next));
          }
          survive(this::settle);
        });
    boolean reached = disk.operations() > crashBefore;
    live(() -> end(End.POWER_LOSS));
    return reached;
  }

  private void play(Script.Step next) throws IOException {
    LivePartition first = partitions.getFirst();
    LivePartition second = partitions.getLast();
    switch (next) {
      case APPEND -> first.offer(workload, 3, Durability.TOPIC);
      case APPEND_OTHER -> second.offer(workload, 1, Durability.FLUSHED);
      case SETTLE -> settle();
      case WAIT -> advance(4_000);
      case TRIM -> first.trim(random);
      case RESTART -> restart();
      case DELETE -> deleteTopic();
    }
  }

  private void live(Action life) {
    PowerOff.keepOutOfLogs();
    try {
      life.run();
    } catch (AssertionError | IOException | RuntimeException e) {
      throw new AssertionError(
          "seed %d, step %d: %s%nlast disk operations:%n%s"
              .formatted(seed, step, e.getMessage() == null ? e : e.getMessage(), disk.trace()),
          e);
    }
  }

  private interface Action {
    void run() throws IOException;
  }

  /** Runs an action; if the process ended in it, starts the next one. */
  private void survive(Action action) throws IOException {
    try {
      action.run();
      if (!disk.isOff()) {
        if (troubles.now() != Trouble.FORCE_FAILED && !process.fatal().isEmpty()) {
          throw new Violation("the engine gave up without cause: %s", process.fatal());
        }
        if (!watch.trouble.isEmpty()) {
          throw new Violation("%s", watch.trouble);
        }
        for (LivePartition partition : partitions) {
          partition.look(troubles.now() == Trouble.FORCE_FAILED);
        }
      }
    } catch (PowerOff e) {
      if (!disk.isOff()) {
        throw e;
      }
    }
    if (disk.isOff()) {
      end(howItEnds());
    }
  }

  /**
   * Also killed after a failed force: then reads go on showing what the disk does not hold, no
   * later force writes it, and only the power loss after the next start shows the truth.
   */
  private End howItEnds() {
    if (forcedEnd.isPresent()) {
      return forcedEnd.get();
    }
    return random.nextInt(3) == 0 ? End.KILL : End.POWER_LOSS;
  }

  private void act() throws IOException {
    int choice = stormy && random.nextInt(8) == 0 ? CRASHES : random.nextInt(1000);
    if (choice < 350) {
      any()
          .offer(
              workload,
              1 + random.nextInt(random.nextInt(4) == 0 ? 12 : 3),
              chances.anyDurability());
    } else if (choice < 650) {
      for (int i = random.nextInt(6); i >= 0; i--) {
        process.step();
      }
    } else if (choice < 720) {
      advance(random.nextInt(8) == 0 ? 60_000 : 1 + random.nextInt(1500));
    } else if (choice < 850) {
      tolerate(() -> any().read(random));
    } else if (choice < 880) {
      tolerate(() -> any().lookUpTime(workload.anyTimestamp()));
    } else if (choice < 900) {
      LivePartition partition = any();
      partition.configure(chances.insteadOf(partition.settings()));
    } else if (choice < 915) {
      tolerate(() -> any().trim(random));
    } else if (choice < 925) {
      settle();
    } else if (choice < CRASHES + 15) {
      disk.stopBefore(disk.operations() + random.nextInt(60));
    } else if (choice < 948) {
      disk.turnOff();
    } else if (choice < 956) {
      restart();
    } else if (choice < 962) {
      deleteTopic();
    } else if (choice < 975) {
      troubles.begin(Trouble.FULL);
    } else if (choice < 982) {
      troubles.begin(Trouble.FEW_FILES);
    } else if (choice < 986) {
      troubles.begin(Trouble.FORCE_FAILED);
    } else {
      troubles.end();
    }
  }

  private LivePartition any() {
    return partitions.get(random.nextInt(partitions.size()));
  }

  private void advance(long ms) {
    if (random.nextInt(20) == 0) {
      clock.setWall(clock.millis() - random.nextInt(5000));
    }
    // Told before: the process may end on the way.
    partitions.forEach(partition -> partition.model.clockIsAt(clock.millis() + ms));
    clock.advance(ms);
  }

  /** Everything gets done, and then every append must have its answer. */
  private void settle() {
    process.settle();
    advance(100);
    process.settle();
    // Without descriptors a force waits until there are some.
    if (!disk.isOff() && troubles.now() != Trouble.FEW_FILES) {
      partitions.forEach(LivePartition::checkAnswered);
    }
  }

  /** In trouble the environment may fail; otherwise it must not. */
  private void tolerate(Action action) throws IOException {
    try {
      action.run();
    } catch (IOException e) {
      if (troubles.now() == Trouble.NONE) {
        throw e;
      }
    }
  }

  // Topics.

  private void addTopic(int count, StoreSettings settings) {
    UUID topic = new UUID(random.nextLong(), random.nextLong());
    for (int i = 0; i < count; i++) {
      partitions.add(new LivePartition(new PartitionId(topic, i), settings, disk));
    }
  }

  private void deleteTopic() throws IOException {
    PartitionStores open = stores;
    if (troubles.now() != Trouble.NONE || open == null) {
      return;
    }
    UUID topic = any().id.topicId();
    List<LivePartition> gone =
        partitions.stream().filter(partition -> partition.id.topicId().equals(topic)).toList();
    close(gone, Reason.DELETED);
    if (disk.isOff()) {
      return;
    }
    deleted.add(topic);
    partitions.removeAll(gone);
    int before = partitions.size();
    addTopic(gone.size(), gone.getFirst().settings());
    open.deleteTopic(topic);
    deleted.remove(topic);
    for (LivePartition partition : partitions.subList(before, partitions.size())) {
      partition.open(open, process);
    }
  }

  private void close(List<LivePartition> closing, Reason reason) {
    List<CompletableFuture<Void>> done =
        closing.stream().map(partition -> partition.close(reason)).toList();
    process.settle();
    for (int i = 0; i < closing.size(); i++) {
      if (!done.get(i).isDone() && !disk.isOff()) {
        throw new Violation("%s: close never ends", closing.get(i).id);
      }
      if (done.get(i).isCompletedExceptionally()
          && troubles.now() == Trouble.NONE
          && !disk.isOff()) {
        throw new Violation("%s: close failed: %s", closing.get(i).id, done.get(i).exceptionNow());
      }
    }
  }

  // Lives.

  /** Compactions that removed anything. */
  int compactions() {
    return watch.compactions;
  }

  private boolean mayFail() {
    return troubles.now() != Trouble.NONE || disk.isOff();
  }

  private Process newProcess() {
    return new Process(disk, DIRECTORY, clock, watch, random);
  }

  /** Stops in good order and starts again. */
  private void restart() throws IOException {
    if (troubles.now() != Trouble.NONE) {
      troubles.end();
      if (disk.isOff()) {
        return;
      }
    }
    close(partitions, Reason.SHUTTING_DOWN);
    if (!disk.isOff() && stores != null) {
      stores.close();
      end(End.CLEAN);
    }
  }

  /** The process is over, one way or the other; the next one starts, at last without a crash. */
  private void end(End how) throws IOException {
    End worst = how;
    while (true) {
      process.end();
      switch (how) {
        case CLEAN, KILL -> disk.processKill();
        case POWER_LOSS -> disk.powerLoss();
      }
      if (forcedEnd.isEmpty() && random.nextInt(3) == 0) {
        chances.spoilIndexes(disk);
      }
      troubles.over();
      armed = how == End.CLEAN ? armed : OptionalLong.empty();
      if (armed.isPresent()) {
        disk.stopBefore(armed.getAsLong());
      } else if (random.nextInt(3) == 0) {
        disk.stopBefore(disk.operations() + random.nextInt(40));
      }
      try {
        start(worst);
        if (!disk.isOff()) {
          return;
        }
      } catch (PowerOff e) {
        if (!disk.isOff()) {
          throw e;
        }
      }
      how = howItEnds();
      worst = how == End.POWER_LOSS || worst == End.POWER_LOSS ? End.POWER_LOSS : End.KILL;
    }
  }

  private void start(End how) throws IOException {
    process = newProcess();
    PartitionStores opened = stack.open(process);
    stores = opened;
    for (UUID topic : deleted) {
      opened.deleteTopic(topic);
    }
    deleted.clear();
    for (LivePartition partition : partitions) {
      partition.open(opened, process);
      partition.walk(how, random);
    }
  }
}
