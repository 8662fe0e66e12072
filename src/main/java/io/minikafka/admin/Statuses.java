package io.minikafka.admin;

import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.topic.TopicError;
import io.minikafka.topic.TopicError.FieldError;
import java.util.List;
import java.util.function.UnaryOperator;

/** Our errors as gRPC says them: a status, and details from google.rpc. Stateless. */
final class Statuses {
  static final String DOMAIN = "minikafka";

  /** Trailers are bounded by most clients to 8 KiB in all. */
  private static final int MAX_FIELDS = 5;

  private static final int MAX_MESSAGE_CHARS = 600;

  private Statuses() {}

  /**
   * @param path from a field as the broker calls it to where it stands in the request
   */
  static StatusRuntimeException of(TopicError error, UnaryOperator<String> path) {
    com.google.rpc.Status.Builder status =
        com.google.rpc.Status.newBuilder()
            .setCode(code(error.code()).value())
            .setMessage(cut(error.message()))
            .addDetails(reason(error.code().name()));
    if (!error.fields().isEmpty()) {
      status.addDetails(Any.pack(badRequest(error.fields(), path)));
    }
    return StatusProto.toStatusRuntimeException(status.build());
  }

  /** Whatever the reason, a call may succeed later. */
  static StatusRuntimeException of(BrokerAccess.State.Unavailable unavailable) {
    return StatusProto.toStatusRuntimeException(
        com.google.rpc.Status.newBuilder()
            .setCode(Status.Code.UNAVAILABLE.value())
            .setMessage(cut(unavailable.message()))
            .addDetails(reason(unavailable.why().name()))
            .build());
  }

  private static Any reason(String name) {
    return Any.pack(ErrorInfo.newBuilder().setReason(name).setDomain(DOMAIN).build());
  }

  static StatusRuntimeException of(ErrorCode code, String message) {
    return of(TopicError.of(code, message), field -> field);
  }

  private static BadRequest badRequest(List<FieldError> fields, UnaryOperator<String> path) {
    BadRequest.Builder request = BadRequest.newBuilder();
    for (FieldError field : fields.subList(0, Math.min(fields.size(), MAX_FIELDS))) {
      request
          .addFieldViolationsBuilder()
          .setField(path.apply(field.field()))
          .setDescription(cut(field.message()));
    }
    return request.build();
  }

  private static String cut(String message) {
    return message.length() <= MAX_MESSAGE_CHARS
        ? message
        : message.substring(0, MAX_MESSAGE_CHARS) + "…";
  }

  static Status.Code code(ErrorCode code) {
    return switch (code) {
      case NONE -> Status.Code.OK;
      case UNKNOWN_TOPIC, UNKNOWN_MEMBER, UNKNOWN_PRODUCER -> Status.Code.NOT_FOUND;
      case TOPIC_EXISTS -> Status.Code.ALREADY_EXISTS;
      case INVALID_REQUEST, CORRUPT_MESSAGE, MESSAGE_TOO_LARGE -> Status.Code.INVALID_ARGUMENT;
      case OFFSET_OUT_OF_RANGE -> Status.Code.OUT_OF_RANGE;
      case UNKNOWN_API, UNSUPPORTED_VERSION -> Status.Code.UNIMPLEMENTED;
      case UNAUTHENTICATED -> Status.Code.UNAUTHENTICATED;
      case FORBIDDEN -> Status.Code.PERMISSION_DENIED;
      case DISK_FULL, LIMIT_REACHED, THROTTLED -> Status.Code.RESOURCE_EXHAUSTED;
      case SHUTTING_DOWN, NOT_LEADER -> Status.Code.UNAVAILABLE;
      case DAMAGED_RANGE -> Status.Code.DATA_LOSS;
      case ILLEGAL_GENERATION,
          REBALANCE_IN_PROGRESS,
          LOG_TRUNCATED,
          OUT_OF_ORDER_SEQUENCE,
          FENCED_PRODUCER,
          NOT_OWNER,
          FENCED_INSTANCE ->
          Status.Code.FAILED_PRECONDITION;
      case INTERNAL_ERROR, STORAGE_FAILED -> Status.Code.INTERNAL;
    };
  }
}
