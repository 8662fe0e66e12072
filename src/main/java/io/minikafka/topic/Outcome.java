package io.minikafka.topic;

import io.minikafka.protocol.ErrorCode;

/**
 * The answer to something asked about topics.
 *
 * @param <T> what is given if it was done
 */
public sealed interface Outcome<T> {
  record Done<T>(T value) implements Outcome<T> {}

  record Refused<T>(TopicError error) implements Outcome<T> {}

  static <T> Outcome<T> done(T value) {
    return new Done<>(value);
  }

  static <T> Outcome<T> refused(TopicError error) {
    return new Refused<>(error);
  }

  static <T> Outcome<T> refused(ErrorCode code, String message) {
    return new Refused<>(TopicError.of(code, message));
  }
}
