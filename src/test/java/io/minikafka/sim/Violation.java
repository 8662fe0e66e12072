package io.minikafka.sim;

/** A promise was broken; says which. */
final class Violation extends AssertionError {
  private static final long serialVersionUID = 1;

  Violation(String message, Object... values) {
    super(message.formatted(values));
  }
}
