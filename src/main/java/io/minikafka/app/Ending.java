package io.minikafka.app;

import io.quarkus.runtime.Quarkus;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Why the process ends although nobody told it to. Belongs to the process, as its exit code does,
 * and outlives the container. Any thread.
 */
public final class Ending {
  private static final int FAILED = 1;

  private static final AtomicReference<@Nullable String> REASON = new AtomicReference<>();

  private Ending() {}

  /** Ends the process in good order, without success. The first reason is kept. */
  static void because(String reason) {
    REASON.compareAndSet(null, reason);
    Quarkus.asyncExit(FAILED);
  }

  /**
   * Memory ran out that the virtual machine does not watch itself: outside of the heap. Half of the
   * requests would be answered from then on, and half of the work be left undone.
   */
  static void outOfMemory(String reason) {
    because(
        ("out of memory: %s. Give the process more (JAVA_OPTS=-XX:MaxDirectMemorySize=…), or let it"
                + " take less (minikafka.net.total-in-flight-bytes), and start again; what was"
                + " acknowledged is safe")
            .formatted(reason));
  }

  /** Whatever a thread ended with; see {@link #outOfMemory}. */
  static void ifOutOfMemory(Throwable failure) {
    if (failure instanceof OutOfMemoryError) {
      outOfMemory(String.valueOf(failure.getMessage()));
    }
  }

  /** One line for the operator; empty if the process was told to end. */
  public static Optional<String> reason() {
    return Optional.ofNullable(REASON.get());
  }
}
