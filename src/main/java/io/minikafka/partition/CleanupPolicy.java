package io.minikafka.partition;

import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What becomes of old records. */
public enum CleanupPolicy {
  /** Retention gives up the oldest segments by size and age. */
  DELETE("delete"),
  /** Compaction keeps the newest record of each key; retention does nothing. */
  COMPACT("compact"),
  /** Both. */
  COMPACT_DELETE("compact,delete");

  private final String text;

  CleanupPolicy(String text) {
    this.text = text;
  }

  /** As it stands in settings. */
  public String text() {
    return text;
  }

  public boolean deletes() {
    return this != COMPACT;
  }

  public boolean compacts() {
    return this != DELETE;
  }

  /** The words may stand in any order. */
  public static Optional<CleanupPolicy> of(String text) {
    List<String> words = words(text);
    Set<String> named = new HashSet<>(words);
    return Arrays.stream(values())
        .filter(policy -> named.size() == words.size())
        .filter(policy -> named.equals(new HashSet<>(words(policy.text))))
        .findFirst();
  }

  private static List<String> words(String text) {
    return Arrays.asList(text.split(",", -1));
  }
}
