package io.minikafka.broker;

import io.minikafka.coordinator.GroupReply;
import io.minikafka.group.GroupError;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.topic.TopicError;
import io.minikafka.topic.TopicError.FieldError;
import java.util.List;

/**
 * Why the control plane did not do what it was asked. Nothing has changed, unless the message says
 * that this is unknown.
 *
 * @param kind what the caller can do about it
 * @param reason name of the error, upper case; scripts go by it
 * @param message one sentence for people; names the field and the bound
 * @param fields what is wrong with which field of the request; may be empty
 */
public record Refusal(Kind kind, String reason, String message, List<FieldError> fields) {
  /** The reason while the offsets log is being read, or cannot be. */
  public static final String GROUPS_NOT_SERVED = "GROUPS_NOT_SERVED";

  /** What a caller can do about a refusal. */
  public enum Kind {
    /** Ask differently: a field is out of its bounds. */
    INVALID,
    NOT_FOUND,
    ALREADY_EXISTS,
    FORBIDDEN,
    UNAUTHENTICATED,
    /** An offset outside of the log. */
    OUT_OF_RANGE,
    /** A bound of the broker, or its disk is full. */
    EXHAUSTED,
    /** The state is not one in which this can be done; look again first. */
    STATE,
    /** Somebody else was faster; ask again. */
    ABORTED,
    /** Ask again later. */
    UNAVAILABLE,
    /** What was asked for is damaged. */
    DATA_LOSS,
    UNIMPLEMENTED,
    INTERNAL
  }

  public Refusal {
    fields = List.copyOf(fields);
  }

  public static Refusal of(Kind kind, String reason, String message) {
    return new Refusal(kind, reason, message, List.of());
  }

  /** Because of one field. */
  public static Refusal invalid(String field, String message) {
    return of(TopicError.invalid(field, message));
  }

  /** Because of some fields. */
  public static Refusal invalid(List<FieldError> fields) {
    return of(TopicError.invalid(fields));
  }

  public static Refusal of(ErrorCode code, String message) {
    return of(TopicError.of(code, message));
  }

  public static Refusal of(TopicError error) {
    return new Refusal(kind(error.code()), error.code().name(), error.message(), error.fields());
  }

  public static Refusal of(GroupError error, String message) {
    return of(kind(error), error.name(), message);
  }

  /** Because the coordinator could not do it, or nobody knows whether it did. */
  public static Refusal of(GroupReply.Failed failed) {
    return switch (failed.cause()) {
      case DISK_FULL -> of(ErrorCode.DISK_FULL, failed.message());
      case STORAGE_FAILED, LOADING -> of(Kind.UNAVAILABLE, GROUPS_NOT_SERVED, failed.message());
      case INTERNAL -> of(ErrorCode.INTERNAL_ERROR, failed.message());
      case SHUTTING_DOWN -> of(ErrorCode.SHUTTING_DOWN, failed.message());
    };
  }

  private static Kind kind(GroupError error) {
    return switch (error) {
      case UNKNOWN_TOPIC, UNKNOWN_MEMBER, UNKNOWN_GROUP -> Kind.NOT_FOUND;
      case OFFSET_OUT_OF_RANGE -> Kind.OUT_OF_RANGE;
      case INVALID_REQUEST -> Kind.INVALID;
      case LIMIT_REACHED -> Kind.EXHAUSTED;
      case ILLEGAL_GENERATION,
          REBALANCE_IN_PROGRESS,
          NOT_OWNER,
          FENCED_INSTANCE,
          GROUP_IN_USE,
          STATE_MOVED,
          NOTHING_TO_UNDO ->
          Kind.STATE;
    };
  }

  private static Kind kind(ErrorCode code) {
    return switch (code) {
      case NONE -> throw new IllegalArgumentException("no refusal without an error");
      case UNKNOWN_TOPIC, UNKNOWN_MEMBER, UNKNOWN_PRODUCER -> Kind.NOT_FOUND;
      case TOPIC_EXISTS -> Kind.ALREADY_EXISTS;
      case INVALID_REQUEST, CORRUPT_MESSAGE, MESSAGE_TOO_LARGE -> Kind.INVALID;
      case OFFSET_OUT_OF_RANGE -> Kind.OUT_OF_RANGE;
      case UNKNOWN_API, UNSUPPORTED_VERSION -> Kind.UNIMPLEMENTED;
      case UNAUTHENTICATED -> Kind.UNAUTHENTICATED;
      case FORBIDDEN -> Kind.FORBIDDEN;
      case DISK_FULL, LIMIT_REACHED, THROTTLED -> Kind.EXHAUSTED;
      case SHUTTING_DOWN, NOT_LEADER -> Kind.UNAVAILABLE;
      case DAMAGED_RANGE -> Kind.DATA_LOSS;
      case ILLEGAL_GENERATION,
          REBALANCE_IN_PROGRESS,
          LOG_TRUNCATED,
          OUT_OF_ORDER_SEQUENCE,
          FENCED_PRODUCER,
          NOT_OWNER,
          FENCED_INSTANCE ->
          Kind.STATE;
      case INTERNAL_ERROR, STORAGE_FAILED -> Kind.INTERNAL;
    };
  }
}
