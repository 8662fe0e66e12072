package io.minikafka.sim;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executor;

/** Holds tasks until the test runs them, one at a time, in the order of the seed. One thread. */
public final class SimExecutor implements Executor {
  private final Random random;
  private final List<Runnable> tasks = new ArrayList<>();

  public SimExecutor(long seed) {
    this.random = new Random(seed);
  }

  @Override
  public void execute(Runnable task) {
    tasks.add(task);
  }

  /** Runs any one task; false if there is none. */
  public boolean runOne() {
    if (tasks.isEmpty()) {
      return false;
    }
    tasks.remove(random.nextInt(tasks.size())).run();
    return true;
  }

  /** Runs until nothing is left. */
  public void runAll() {
    for (int i = 0; runOne(); i++) {
      if (i > 1_000_000) {
        throw new AssertionError("tasks make tasks without end");
      }
    }
  }

  public int size() {
    return tasks.size();
  }

  /** The process is gone, and its tasks with it. */
  public void forget() {
    tasks.clear();
  }
}
