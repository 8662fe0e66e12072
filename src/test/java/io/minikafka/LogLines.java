package io.minikafka;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What a class, or a package, says in the log until this is closed. Any thread. */
public final class LogLines extends Handler implements AutoCloseable {
  private final List<String> lines = Collections.synchronizedList(new ArrayList<>());

  /** Kept: a logger that nobody has is forgotten, with its handlers. */
  private final Logger logger;

  public LogLines(String name) {
    logger = Logger.getLogger(name);
    logger.addHandler(this);
  }

  public List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  public void publish(LogRecord line) {
    lines.add(line.getMessage());
  }

  @Override
  public void flush() {}

  @Override
  public void close() {
    logger.removeHandler(this);
  }
}
