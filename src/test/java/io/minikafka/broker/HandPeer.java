package io.minikafka.broker;

import io.minikafka.Pressure;
import java.util.ArrayDeque;
import java.util.Queue;

/** A connection whose thread is the test: what is to run there waits for {@link #run}. */
final class HandPeer implements Session.Peer {
  private final Queue<Runnable> tasks = new ArrayDeque<>();

  boolean congested;
  int slowedDown;

  @Override
  public synchronized void execute(Runnable work) {
    tasks.add(work);
  }

  @Override
  public void slowDown(Pressure pressure) {
    slowedDown++;
  }

  @Override
  public boolean congested() {
    return congested;
  }

  /** Runs all there is to run, also what comes of it. */
  void run() {
    while (true) {
      Runnable next;
      synchronized (this) {
        next = tasks.poll();
      }
      if (next == null) {
        return;
      }
      next.run();
    }
  }
}
