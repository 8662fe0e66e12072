package io.minikafka.cli;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.minikafka.client.Producer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Decides who has the last word of {@code produce}: the command, or the end of the process when it
 * is ended from outside (Ctrl-C, SIGTERM), whatever the command waits for then. In that case what
 * is in flight gets a moment to be acknowledged, and what became of the records is said here. The
 * exit code is the signal's, as for any program.
 */
final class ProduceEnd implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Producer producer;
  private final Runnable lastWord;
  private final AtomicBoolean taken = new AtomicBoolean();
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook = new Thread(this::interrupt, "interrupted");

  /**
   * From now on the end of the process waits for the last word.
   *
   * @param lastWord of a command that is interrupted, on a thread of its own
   */
  ProduceEnd(Producer producer, Runnable lastWord) {
    this.producer = producer;
    this.lastWord = lastWord;
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void interrupt() {
    if (taken.compareAndSet(false, true)) {
      producer.close(PATIENCE);
      lastWord.run();
      return;
    }
    try {
      ended.await(PATIENCE.toNanos(), NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * The command takes the last word. Does not return if the process is being ended and has it: the
   * producer was then closed under the command, and what that brought about is not to be told.
   */
  void take() throws InterruptedException {
    if (!taken.compareAndSet(false, true)) {
      new CountDownLatch(1).await();
    }
  }

  /** The command has said its last word. */
  @Override
  public void close() {
    ended.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending this very moment.
    }
  }
}
