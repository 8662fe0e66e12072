package io.minikafka.broker;

import io.minikafka.protocol.ErrorCode;
import java.util.function.Function;

/**
 * What comes of a request.
 *
 * @param <R> the response, if there is one
 */
public sealed interface Reply<R> {
  /** It was done. Whoever gets the response sends or releases the blobs in it. */
  record Answer<R>(R response) implements Reply<R> {}

  /**
   * It was not done.
   *
   * @param code never {@link ErrorCode#NONE}
   * @param message one sentence for people; names the field and the bound
   */
  record Failure<R>(ErrorCode code, String message) implements Reply<R> {}

  /** Nobody is there any more to hear it. */
  record Abandoned<R>() implements Reply<R> {}

  static <R> Reply<R> answer(R response) {
    return new Answer<>(response);
  }

  static <R> Reply<R> failure(ErrorCode code, String message) {
    return new Failure<>(code, message);
  }

  /** The same with another response. */
  default <S> Reply<S> map(Function<? super R, ? extends S> change) {
    return switch (this) {
      case Answer<R>(R response) -> new Answer<>(change.apply(response));
      case Failure<R>(ErrorCode code, String message) -> new Failure<>(code, message);
      case Abandoned<R>() -> new Abandoned<>();
    };
  }

  default ErrorCode error() {
    return switch (this) {
      case Answer<R> answer -> ErrorCode.NONE;
      case Abandoned<R> abandoned -> ErrorCode.NONE;
      case Failure<R> failure -> failure.code;
    };
  }
}
