package io.minikafka.broker;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Tells once that the broker begins to stop, to all who would otherwise go on without end. Any
 * thread.
 */
public final class StopSignal {
  // Guarded by this.
  private final Set<Registration> waiting = new LinkedHashSet<>();
  private boolean stopped;

  /** A place among those who are told; by identity. */
  private static final class Registration {
    private final Runnable work;

    Registration(Runnable work) {
      this.work = work;
    }
  }

  /**
   * @param work short; runs when the broker begins to stop, at once if it has already
   * @return to be run when that is of no interest any more; what has begun goes on
   */
  public Runnable whenStopping(Runnable work) {
    Registration registration = new Registration(work);
    synchronized (this) {
      if (!stopped) {
        waiting.add(registration);
        return () -> forget(registration);
      }
    }
    work.run();
    return () -> {};
  }

  private synchronized void forget(Registration registration) {
    waiting.remove(registration);
  }

  /** How many wait to be told. */
  synchronized int waiting() {
    return waiting.size();
  }

  /** Tells; a second time nobody. */
  public void stop() {
    List<Registration> told;
    synchronized (this) {
      stopped = true;
      told = List.copyOf(waiting);
      waiting.clear();
    }
    told.forEach(registration -> registration.work.run());
  }
}
