package io.minikafka.client;

import io.minikafka.Timers;
import java.time.InstantSource;
import java.util.concurrent.ThreadFactory;

/**
 * What a client takes from the outside: waiting, the wall clock, threads. Tests give their own.
 *
 * @param timers short, non-blocking work only
 * @param threads daemon threads, so that a forgotten client keeps no program alive
 */
record ClientRuntime(Timers timers, InstantSource clock, ThreadFactory threads, Runnable onClose)
    implements AutoCloseable {
  static ClientRuntime real(String name) {
    ThreadFactory threads = Thread.ofPlatform().daemon().name(name + "-", 0).factory();
    DaemonTimers timers = new DaemonTimers(threads);
    return new ClientRuntime(timers, InstantSource.system(), threads, timers::close);
  }

  @Override
  public void close() {
    onClose.run();
  }
}
