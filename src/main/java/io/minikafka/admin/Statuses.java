package io.minikafka.admin;

import com.google.protobuf.Any;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.minikafka.broker.Refusal;
import io.minikafka.topic.TopicError.FieldError;
import java.util.List;
import java.util.Objects;
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
  static StatusRuntimeException of(Refusal refusal, UnaryOperator<String> path) {
    com.google.rpc.Status.Builder status =
        com.google.rpc.Status.newBuilder()
            .setCode(code(refusal.kind()).value())
            .setMessage(cut(refusal.message()))
            .addDetails(reason(refusal.reason()));
    if (!refusal.fields().isEmpty()) {
      status.addDetails(Any.pack(badRequest(refusal.fields(), path)));
    }
    return StatusProto.toStatusRuntimeException(status.build());
  }

  /** Ends a call before its service hears of it. */
  static void refuse(ServerCall<?, ?> call, Refusal why) {
    StatusRuntimeException refusal = of(why, field -> field);
    call.close(refusal.getStatus(), Objects.requireNonNull(refusal.getTrailers()));
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

  static Status.Code code(Refusal.Kind kind) {
    return switch (kind) {
      case INVALID -> Status.Code.INVALID_ARGUMENT;
      case NOT_FOUND -> Status.Code.NOT_FOUND;
      case ALREADY_EXISTS -> Status.Code.ALREADY_EXISTS;
      case FORBIDDEN -> Status.Code.PERMISSION_DENIED;
      case UNAUTHENTICATED -> Status.Code.UNAUTHENTICATED;
      case OUT_OF_RANGE -> Status.Code.OUT_OF_RANGE;
      case EXHAUSTED -> Status.Code.RESOURCE_EXHAUSTED;
      case STATE -> Status.Code.FAILED_PRECONDITION;
      case ABORTED -> Status.Code.ABORTED;
      case UNAVAILABLE -> Status.Code.UNAVAILABLE;
      case DATA_LOSS -> Status.Code.DATA_LOSS;
      case UNIMPLEMENTED -> Status.Code.UNIMPLEMENTED;
      case INTERNAL -> Status.Code.INTERNAL;
    };
  }
}
