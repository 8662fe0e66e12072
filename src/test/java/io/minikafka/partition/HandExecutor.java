package io.minikafka.partition;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/** An executor whose work runs when the test says so, on the test's thread. */
public final class HandExecutor implements Executor {
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private boolean stopped;

  @Override
  public void execute(Runnable work) {
    if (stopped) {
      throw new RejectedExecutionException("stopped");
    }
    waiting.add(work);
  }

  public int waiting() {
    return waiting.size();
  }

  public boolean runNext() {
    Runnable next = waiting.poll();
    if (next == null) {
      return false;
    }
    next.run();
    return true;
  }

  public void runAll() {
    while (runNext()) {}
  }

  /** From now on everything is rejected. */
  public void stop() {
    stopped = true;
  }
}
