package io.minikafka.cli;

import io.minikafka.client.Consumer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a command end in order when it is interrupted (Ctrl-C, SIGTERM): it is told, and the process
 * waits for it a while. The exit code is the signal's, as for any program.
 */
final class Interruption implements AutoCloseable {
  private static final int PATIENCE_S = 10;

  private final CountDownLatch ended = new CountDownLatch(1);
  private final Consumer consumer;
  private final Thread hook;
  private volatile boolean come;

  /** From now on the end of the process waits for {@link #close}. */
  Interruption(Consumer consumer) {
    this.consumer = consumer;
    this.hook = new Thread(this::interrupt, "interrupted");
    Runtime.getRuntime().addShutdownHook(hook);
  }

  boolean hasCome() {
    return come;
  }

  private void interrupt() {
    come = true;
    consumer.wakeup();
    try {
      boolean inOrder = ended.await(PATIENCE_S, TimeUnit.SECONDS);
      if (!inOrder) {
        System.err.println("minikafka consume: ended without leaving the group");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** The command has ended. */
  @Override
  public void close() {
    ended.countDown();
    if (!come) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException e) {
        // The process is ending this very moment; the hook waits for nothing any more.
      }
    }
  }
}
