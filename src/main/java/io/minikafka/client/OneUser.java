package io.minikafka.client;

import java.util.ConcurrentModificationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets one thread at a time use a consumer, until it is closed; that thread may come again from
 * inside a call (a callback), but not for everything.
 */
final class OneUser {
  private final AtomicReference<@Nullable Thread> user = new AtomicReference<>();

  // The using thread's alone.
  private int depth;
  private boolean closed;

  /**
   * @throws ConcurrentModificationException if another thread is using it
   * @throws IllegalStateException if it is closed
   */
  <T> T use(Supplier<T> work) {
    enter();
    try {
      return work.get();
    } finally {
      leave();
    }
  }

  /**
   * The same for what a callback must not do.
   *
   * @throws IllegalStateException in a callback, too
   */
  <T> T useOutside(Supplier<T> work) {
    return use(
        () -> {
          if (depth > 1) {
            throw new IllegalStateException(
                "a callback may not poll, subscribe, assign or close the consumer");
          }
          return work.get();
        });
  }

  void run(Runnable work) {
    use(
        () -> {
          work.run();
          return true;
        });
  }

  void runOutside(Runnable work) {
    useOutside(
        () -> {
          work.run();
          return true;
        });
  }

  boolean isClosed() {
    return closed;
  }

  /** To be called inside a use: it is the last. */
  void close() {
    closed = true;
  }

  private void enter() {
    Thread other = user.compareAndExchange(null, Thread.currentThread());
    if (other != null && other != Thread.currentThread()) {
      throw new ConcurrentModificationException(
          "this consumer is being used by thread " + other.getName());
    }
    if (closed) {
      user.set(null);
      throw new IllegalStateException("the consumer is closed");
    }
    depth++;
  }

  private void leave() {
    depth--;
    if (depth == 0) {
      user.set(null);
    }
  }
}
