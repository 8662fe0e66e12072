package io.minikafka.broker;

import io.minikafka.topic.Outcome;
import io.minikafka.topic.TopicError;

/**
 * The answer to something asked of the control plane.
 *
 * @param <T> what is given if it was done
 */
public sealed interface Result<T> {
  record Done<T>(T value) implements Result<T> {}

  record Refused<T>(Refusal refusal) implements Result<T> {}

  static <T> Result<T> done(T value) {
    return new Done<>(value);
  }

  static <T> Result<T> refused(Refusal refusal) {
    return new Refused<>(refusal);
  }

  static <T> Result<T> of(Outcome<T> outcome) {
    return switch (outcome) {
      case Outcome.Done<T>(T value) -> new Done<>(value);
      case Outcome.Refused<T>(TopicError error) -> new Refused<>(Refusal.of(error));
    };
  }
}
