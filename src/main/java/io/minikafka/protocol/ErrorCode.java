package io.minikafka.protocol;

/** The error table. The ordinal is the u16 on the wire. */
public enum ErrorCode {
  NONE,
  /** No such topic, or no such partition of it. */
  UNKNOWN_TOPIC,
  OFFSET_OUT_OF_RANGE,
  CORRUPT_MESSAGE,
  INVALID_REQUEST,
  TOPIC_EXISTS,
  UNKNOWN_MEMBER,
  ILLEGAL_GENERATION,
  REBALANCE_IN_PROGRESS,
  MESSAGE_TOO_LARGE,
  INTERNAL_ERROR,
  UNKNOWN_API,
  /** Retriable: refresh the metadata. */
  NOT_LEADER,
  DISK_FULL,
  STORAGE_FAILED,
  DAMAGED_RANGE,
  LOG_TRUNCATED,
  OUT_OF_ORDER_SEQUENCE,
  UNKNOWN_PRODUCER,
  FENCED_PRODUCER,
  UNSUPPORTED_VERSION,
  UNAUTHENTICATED,
  FORBIDDEN,
  THROTTLED,
  SHUTTING_DOWN,
  NOT_OWNER,
  FENCED_INSTANCE,
  LIMIT_REACHED;

  private static final ErrorCode[] BY_CODE = values();

  public int code() {
    return ordinal();
  }

  /** The error of that number; one this build does not know is {@link #INTERNAL_ERROR}. */
  public static ErrorCode of(int code) {
    return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : INTERNAL_ERROR;
  }

  /** What a version 0 client is told instead: it knows the first twelve only. */
  public ErrorCode forVersion0() {
    return switch (this) {
      case NOT_LEADER, DISK_FULL, STORAGE_FAILED, THROTTLED, SHUTTING_DOWN, LIMIT_REACHED ->
          INTERNAL_ERROR;
      case DAMAGED_RANGE -> CORRUPT_MESSAGE;
      case LOG_TRUNCATED -> OFFSET_OUT_OF_RANGE;
      case UNSUPPORTED_VERSION -> UNKNOWN_API;
      case UNAUTHENTICATED, FORBIDDEN -> INVALID_REQUEST;
      case NOT_OWNER -> ILLEGAL_GENERATION;
      case FENCED_INSTANCE -> UNKNOWN_MEMBER;
      // Version 0 has no producer ids, so these three cannot arise there.
      case OUT_OF_ORDER_SEQUENCE, UNKNOWN_PRODUCER, FENCED_PRODUCER -> INVALID_REQUEST;
      case NONE,
          UNKNOWN_TOPIC,
          OFFSET_OUT_OF_RANGE,
          CORRUPT_MESSAGE,
          INVALID_REQUEST,
          TOPIC_EXISTS,
          UNKNOWN_MEMBER,
          ILLEGAL_GENERATION,
          REBALANCE_IN_PROGRESS,
          MESSAGE_TOO_LARGE,
          INTERNAL_ERROR,
          UNKNOWN_API ->
          this;
    };
  }
}
