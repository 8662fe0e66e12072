package io.minikafka.admin;

import io.quarkus.runtime.ShutdownDelayInitiatedEvent;
import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import jakarta.annotation.Priority;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Ends what would hold up the end of the process: calls whose clients do not take their answers,
 * and those that would go on for ever, as a watch of the health does. The HTTP port closes when no
 * call is open, or much later.
 *
 * <p>Made by the container; runs on event loops, and once on the thread that stops the process.
 */
@ApplicationScoped
public class UnreadAnswers {
  /** Before the calls are handed to their services. */
  private static final int PRIORITY = 105;

  /** When the broker has stopped: until then calls are answered. */
  private static final int AFTER_THE_BROKER = 10_000;

  /** Enough for the end of an answer to come over slow networks. */
  private static final long TAKE_MS = 1_000;

  /** Of HTTP/2: it is none, what was done is done. Clients take it for "unavailable". */
  private static final long NO_ERROR = 0;

  private final Vertx vertx;
  private final Set<Open> open = ConcurrentHashMap.newKeySet();

  /** A call that is not over, by identity. */
  private static final class Open {
    private final RoutingContext exchange;
    private final Context loop;

    Open(RoutingContext exchange, Context loop) {
      this.exchange = exchange;
      this.loop = loop;
    }

    void reset() {
      loop.runOnContext(
          ignored -> {
            if (!exchange.response().ended()) {
              exchange.response().reset(NO_ERROR);
            }
          });
    }
  }

  UnreadAnswers(Vertx vertx) {
    this.vertx = vertx;
  }

  void install(@Observes Filters filters) {
    filters.register(this::watch, PRIORITY);
  }

  private void watch(RoutingContext exchange) {
    if (RequestBound.isCall(exchange.request())) {
      Open call = new Open(exchange, Vertx.currentContext());
      open.add(call);
      exchange.addEndHandler(ended -> open.remove(call));
    }
    exchange.next();
  }

  void end(@Observes @Priority(AFTER_THE_BROKER) ShutdownDelayInitiatedEvent stopping) {
    vertx.setTimer(TAKE_MS, due -> open.forEach(Open::reset));
  }
}
