package io.minikafka.log;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/** An executor whose work runs on the test's thread: at once, or when the test says so. */
final class HandExecutor implements Executor {
  private final Deque<Runnable> waiting = new ArrayDeque<>();
  private boolean held;

  @Override
  public void execute(Runnable work) {
    if (held) {
      waiting.add(work);
    } else {
      work.run();
    }
  }

  /** From now on work waits for {@link #runNext} or {@link #release}. */
  void hold() {
    held = true;
  }

  int waiting() {
    return waiting.size();
  }

  boolean runNext() {
    Runnable next = waiting.poll();
    if (next == null) {
      return false;
    }
    next.run();
    return true;
  }

  void release() {
    held = false;
    while (runNext()) {}
  }
}
