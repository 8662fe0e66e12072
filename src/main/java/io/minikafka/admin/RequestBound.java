package io.minikafka.admin;

import io.quarkus.vertx.http.runtime.filters.Filters;
import io.vertx.core.MultiMap;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.ext.web.RoutingContext;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.event.Observes;
import java.util.Map;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/**
 * Keeps calls to the bounds of a request. One whose headers are larger is refused here; far below
 * what the HTTP port takes in, since beyond that it can only end the whole connection. One whose
 * body is larger is refused by the unified server, before any service or interceptor sees it, with
 * a bare status: that is given its message.
 *
 * <p>Made by the container; runs on event loops.
 */
@ApplicationScoped
public class RequestBound {
  private static final int PRIORITY = 100;

  /** Of all headers of a call, as HTTP/2 counts: names, values, and 32 bytes for each. */
  static final int MAX_HEADER_BYTES = 16 << 10;

  private static final int HEADER_OVERHEAD_BYTES = 32;
  private static final String STATUS = "grpc-status";
  private static final String MESSAGE = "grpc-message";
  private static final String EXHAUSTED =
      String.valueOf(io.grpc.Status.Code.RESOURCE_EXHAUSTED.value());

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
      int headerBytes = bytes(context.request().headers());
      if (headerBytes > MAX_HEADER_BYTES) {
        refuse(context.response(), headerBytes);
        return;
      }
      context.addHeadersEndHandler(ignored -> explain(context.response().headers()));
    }
    context.next();
  }

  private static int bytes(MultiMap headers) {
    int bytes = 0;
    for (Map.Entry<String, String> header : headers) {
      bytes += header.getKey().length() + header.getValue().length() + HEADER_OVERHEAD_BYTES;
    }
    return bytes;
  }

  private static void refuse(HttpServerResponse response, int headerBytes) {
    response.putHeader("content-type", "application/grpc");
    response.putHeader(STATUS, EXHAUSTED);
    response.putHeader(
        MESSAGE,
        "the headers of the call have %d bytes; the limit is %d"
            .formatted(headerBytes, MAX_HEADER_BYTES));
    response.end();
  }

  static boolean isCall(HttpServerRequest request) {
    String type = request.getHeader("content-type");
    return type != null && type.startsWith("application/grpc");
  }

  /** Of our own refusals each has a message, in which no character needs to be escaped here. */
  private void explain(MultiMap headers) {
    if (EXHAUSTED.equals(headers.get(STATUS)) && !headers.contains(MESSAGE)) {
      headers.set(MESSAGE, "the request is larger than %d bytes, the limit".formatted(maxBytes));
    }
  }
}
