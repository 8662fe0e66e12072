package io.minikafka;

import java.util.Optional;

/** The rules for topic names and partition counts. Stateless; any thread. */
public final class Names {
  /** Longest topic name, in characters (all legal ones are ASCII). */
  public static final int MAX_TOPIC_NAME_LENGTH = 200;

  /** Most partitions a topic can have. */
  public static final int MAX_PARTITIONS = 10_000;

  /** Topics whose names start so belong to the broker; clients cannot create or write them. */
  public static final String INTERNAL_PREFIX = "__";

  private Names() {}

  /** Why {@code name} is no legal name for a client's topic; empty when it is legal. */
  public static Optional<String> topicNameError(String name) {
    if (name.isEmpty()) {
      return Optional.of("topic name is empty");
    }
    if (name.length() > MAX_TOPIC_NAME_LENGTH) {
      return Optional.of(
          "topic name has %d characters; the limit is %d"
              .formatted(name.length(), MAX_TOPIC_NAME_LENGTH));
    }
    for (int i = 0; i < name.length(); i++) {
      if (!isLegal(name.charAt(i))) {
        return Optional.of(
            "topic name has an illegal character at index %d; legal are A-Z a-z 0-9 . _ -"
                .formatted(i));
      }
    }
    if (name.equals(".") || name.equals("..")) {
      return Optional.of("topic name must not be '.' or '..'");
    }
    if (name.startsWith(INTERNAL_PREFIX)) {
      return Optional.of("topic names starting with '__' are reserved for the broker");
    }
    return Optional.empty();
  }

  /** Why {@code count} is no legal number of partitions; empty when it is legal. */
  public static Optional<String> partitionCountError(long count) {
    if (count < 1 || count > MAX_PARTITIONS) {
      return Optional.of("partition count %d is outside 1 … %d".formatted(count, MAX_PARTITIONS));
    }
    return Optional.empty();
  }

  public static boolean isInternal(String topic) {
    return topic.startsWith(INTERNAL_PREFIX);
  }

  private static boolean isLegal(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '_'
        || c == '-';
  }
}
