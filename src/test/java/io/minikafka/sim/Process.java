package io.minikafka.sim;

import io.minikafka.EngineObserver;
import io.minikafka.partition.Partition;
import io.minikafka.storage.Disk;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * One life of the engine: what {@code app} would give it, all of it turned by hand. When the
 * process ends nothing of it runs any more.
 */
final class Process {
  final Disk disk;
  final Path directory;
  final SimClock clock;
  final SimExecutor worker;
  final SimExecutor forcer;
  final EngineObserver observer;

  /** What gets on by being turned: tasks of executors, steps of threads. */
  private final List<BooleanSupplier> turns = new ArrayList<>();

  private final Random random;

  /** Why the engine says that this process must end; empty while it does not. */
  private String fatal = "";

  Process(Disk disk, Path directory, SimClock clock, EngineObserver observer, Random random) {
    this.disk = disk;
    this.directory = directory;
    this.clock = clock;
    this.observer = observer;
    this.random = random;
    this.worker = new SimExecutor(random.nextLong());
    this.forcer = new SimExecutor(random.nextLong());
    turns.add(worker::runOne);
    turns.add(forcer::runOne);
  }

  /** Adds something that gets on by being turned; it returns false when it had nothing to do. */
  void turns(BooleanSupplier step) {
    turns.add(step);
  }

  /** Takes one step of one of them, if any has something to do. */
  boolean step() {
    int first = random.nextInt(turns.size());
    for (int i = 0; i < turns.size(); i++) {
      if (turns.get((first + i) % turns.size()).getAsBoolean()) {
        return true;
      }
    }
    return false;
  }

  /** Runs until nothing has anything to do at this time. */
  void settle() {
    for (int i = 0; step(); i++) {
      if (i > 1_000_000) {
        throw new Violation("the engine never comes to rest");
      }
    }
  }

  /** The engine says that this process must end. */
  void mustEnd(String reason) {
    fatal = reason;
  }

  String fatal() {
    return fatal;
  }

  Partition.Surroundings surroundings() {
    return new Partition.Surroundings(clock, clock, worker, observer);
  }

  /** Nothing that was begun goes on. */
  void end() {
    worker.forget();
    forcer.forget();
    clock.forgetTimers();
  }
}
