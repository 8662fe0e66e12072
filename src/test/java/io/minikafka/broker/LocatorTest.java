package io.minikafka.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.PartitionId;
import io.minikafka.topic.FakeStores;
import io.minikafka.topic.Fixtures;
import io.minikafka.topic.Topics;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is said of a disk that fails under a request. */
class LocatorTest {
  private final List<String> lines = new ArrayList<>();

  /** Keeps what would be seen, with whether a stack trace would be. */
  private final class Lines implements System.Logger {
    @Override
    public String getName() {
      return "lines";
    }

    @Override
    public boolean isLoggable(Level level) {
      return level.compareTo(Level.INFO) >= 0;
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String line, @Nullable Throwable thrown) {
      if (isLoggable(level)) {
        lines.add(thrown == null ? line : line + " at " + thrown.getStackTrace()[0]);
      }
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object... values) {
      log(level, bundle, format, (Throwable) null);
    }
  }

  @Test
  void readingThatFailsIsOneLineWithTheNameOfTheTopic() {
    Topics topics = Fixtures.started(new FakeStores());
    UUID id = Fixtures.done(topics.create("orders", 2, List.of(), false)).id();
    IOException failure = new IOException("Input/output error");

    new Locator(topics).warn(new Lines(), "reading", new PartitionId(id, 1), failure);

    assertEquals(List.of("reading orders/1 failed: Input/output error"), lines);
  }

  @Test
  void topicThatIsGoneMeanwhileIsToldByItsId() {
    Topics topics = Fixtures.started(new FakeStores());
    UUID id = new UUID(1, 2);

    new Locator(topics).warn(new Lines(), "reading", new PartitionId(id, 0), new IOException("x"));

    assertEquals(List.of("reading 00000000-0000-0001-0000-000000000002/0 failed: x"), lines);
  }
}
