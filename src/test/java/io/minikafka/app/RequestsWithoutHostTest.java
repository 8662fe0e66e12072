package io.minikafka.app;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.vertx.core.VertxException;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class RequestsWithoutHostTest {
  private static LogRecord line(Throwable thrown) {
    LogRecord line = new LogRecord(Level.SEVERE, "HTTP Request to / failed");
    line.setThrown(thrown);
    return line;
  }

  @Test
  void onlyTheMissingHostIsNoError() {
    RequestsWithoutHost filter = new RequestsWithoutHost();

    assertFalse(
        filter.isLoggable(
            line(new VertxException("For HTTP/1.x requests, the 'Host' header is required"))));
    assertTrue(filter.isLoggable(line(new VertxException("something else"))));
    assertTrue(filter.isLoggable(line(new IllegalStateException("'Host' header is required"))));
    assertTrue(filter.isLoggable(new LogRecord(Level.SEVERE, "without an exception")));
  }
}
