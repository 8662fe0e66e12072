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

  /** One line for the operator; empty if the process was told to end. */
  public static Optional<String> reason() {
    return Optional.ofNullable(REASON.get());
  }
}
