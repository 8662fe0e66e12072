package io.minikafka.admin;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Gives the refusal of a request that is too large its message. The unified server refuses it
 * before any service or interceptor sees it, with a bare status.
 *
 * <p>Made by the container; runs on event loops.
 */
@ApplicationScoped
public class RequestBound {
  private static final int PRIORITY = 100;
  private static final String STATUS = "grpc-status";
  private static final String MESSAGE = "grpc-message";

  private final int maxBytes;

  RequestBound(
      @ConfigProperty(name = "quarkus.grpc.server.max-inbound-message-size") int maxBytes) {
    this.maxBytes = maxBytes;
  }

  void install(@Observes Filters filters) {
    filters.register(this::watch, PRIORITY);
  }

  private void watch(RoutingContext context) {
    if (isCall(context.request())) {
      context.addHeadersEndHandler(ignored -> explain(context.response().headers()));
    }
    context.next();
  }

  private static boolean isCall(HttpServerRequest request) {
    String type = request.getHeader("content-type");
    return type != null && type.startsWith("application/grpc");
  }

  /** Of our own refusals each has a message, in which no character needs to be escaped here. */
  private void explain(MultiMap headers) {
    boolean exhausted =
        String.valueOf(io.grpc.Status.Code.RESOURCE_EXHAUSTED.value()).equals(headers.get(STATUS));
    if (exhausted && !headers.contains(MESSAGE)) {
      headers.set(MESSAGE, "the request is larger than %d bytes, the limit".formatted(maxBytes));
    }
  }
}
