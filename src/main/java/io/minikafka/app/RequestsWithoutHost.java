package io.minikafka.app;

import io.quarkus.logging.LoggingFilter;
import io.vertx.core.VertxException;
import java.util.logging.Filter;
import java.util.logging.LogRecord;

/**
 * Keeps out of the log what the HTTP port writes there, as an error, for each HTTP/1.1 request
 * without a Host: port scanners send them, and are answered with 400. Any thread.
 */
@LoggingFilter(name = "requests-without-host")
public final class RequestsWithoutHost implements Filter {
  @Override
  public boolean isLoggable(LogRecord line) {
    return !(line.getThrown() instanceof VertxException e
        && String.valueOf(e.getMessage()).contains("'Host' header is required"));
  }
}
