package io.minikafka.bench;

import io.minikafka.client.Durability;

/** What acknowledgements reached, in the words of a row. */
final class Durabilities {
  private Durabilities() {}

  /** Empty if the server does not say. */
  static String text(Durability reached) {
    return switch (reached) {
      case TOPIC_POLICY -> "";
      case WRITTEN -> "written";
      case FLUSHED -> "flushed";
    };
  }

  /** The same of the code in a produce answer. */
  static String text(int code) {
    return switch (code) {
      case 1 -> text(Durability.WRITTEN);
      case 2 -> text(Durability.FLUSHED);
      default -> "";
    };
  }
}
