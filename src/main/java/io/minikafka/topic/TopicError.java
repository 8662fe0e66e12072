package io.minikafka.topic;

import io.minikafka.protocol.ErrorCode;
import java.util.List;

/**
 * Why something was not done. Nothing has changed, unless the message says that this is unknown.
 *
 * @param code never {@link ErrorCode#NONE}
 * @param message one sentence for people; names the field and the bound
 * @param fields what is wrong with which field of the request; may be empty
 */
public record TopicError(ErrorCode code, String message, List<FieldError> fields) {
  /**
   * @param field {@code name}, {@code partitions}, {@code offset}, {@code page_size}, or {@code
   *     settings.} and the setting's key
   */
  public record FieldError(String field, String message) {}

  public TopicError {
    fields = List.copyOf(fields);
  }

  public static TopicError of(ErrorCode code, String message) {
    return new TopicError(code, message, List.of());
  }

  public static TopicError unknownTopic(String name) {
    return of(ErrorCode.UNKNOWN_TOPIC, "there is no topic '%s'".formatted(Echo.of(name)));
  }

  /** {@link ErrorCode#INVALID_REQUEST} because of one field. */
  public static TopicError invalid(String field, String message) {
    return invalid(List.of(new FieldError(field, message)));
  }

  /** {@link ErrorCode#INVALID_REQUEST} because of some fields. */
  public static TopicError invalid(List<FieldError> fields) {
    String message = String.join("; ", fields.stream().map(FieldError::message).toList());
    return new TopicError(ErrorCode.INVALID_REQUEST, message, fields);
  }
}
