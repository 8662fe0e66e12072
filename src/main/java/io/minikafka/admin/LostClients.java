package io.minikafka.admin;

import io.quarkus.vertx.http.runtime.filters.Filters;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Notices when a call's connection breaks or its stream is reset for whatever reason. Of these the
 * unified server tells its services nothing: to them only a stream that was reset as cancelled is
 * over, and an answer in parts would go on for nobody.
 *
 * <p>Made by the container; runs on event loops.
 */
@ApplicationScoped
public class LostClients {
  /** Before the calls are handed to their services. */
  private static final int PRIORITY = 110;

  /** Of the request that this event loop is handing over. */
  private static final ThreadLocal<@Nullable CompletableFuture<Void>> HANDED_OVER =
      new ThreadLocal<>();

  void install(@Observes Filters filters) {
    filters.register(
        context -> {
          CompletableFuture<Void> over = new CompletableFuture<>();
          context.addEndHandler(ended -> over.complete(null));
          HANDED_OVER.set(over);
          try {
            context.next();
          } finally {
            HANDED_OVER.remove();
          }
        },
        PRIORITY);
  }

  /**
   * Of the call that is being handed over on this thread: completes when its exchange is over,
   * answered or lost.
   */
  static CompletableFuture<Void> current() {
    CompletableFuture<Void> over = HANDED_OVER.get();
    return over == null ? new CompletableFuture<>() : over;
  }
}
