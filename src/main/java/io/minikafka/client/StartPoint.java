package io.minikafka.client;

/** Where reading is to begin, before or after it is known as an offset. */
sealed interface StartPoint {
  record At(long offset) implements StartPoint {}

  record Beginning() implements StartPoint {}

  record End() implements StartPoint {}

  /** The first record that is not older, or the end. */
  record Time(long timestampMs) implements StartPoint {}

  /** Where the group has come to; if it has not begun, what the reset policy says. */
  record Committed(CommittedSource source) implements StartPoint {}

  /** Nobody said: what the reset policy says. */
  record Unsaid() implements StartPoint {}
}
