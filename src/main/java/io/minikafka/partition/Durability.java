package io.minikafka.partition;

/** What a producer wants its acknowledgement to mean; the ordinals are version 1's wire values. */
public enum Durability {
  /** What the topic's flush policy says. */
  TOPIC,
  /** In the page cache: survives the process, not the machine. */
  WRITTEN,
  /** On stable storage. */
  FLUSHED
}
