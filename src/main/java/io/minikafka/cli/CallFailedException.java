package io.minikafka.cli;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.ErrorInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.io.IOException;
import java.util.Collection;

/**
 * A call of the control plane that failed: the message is for people, the reason and the code are
 * for programs.
 */
final class CallFailedException extends IOException {
  /** The broker was not reached, or was lost. */
  static final String NO_CONNECTION = "NO_CONNECTION";

  /** The time was up. */
  static final String TIMED_OUT = "TIMED_OUT";

  /** As the broker calls it. */
  static final String UNKNOWN_GROUP = "UNKNOWN_GROUP";

  /** As the broker calls it. */
  static final String GROUP_IN_USE = "GROUP_IN_USE";

  private static final long serialVersionUID = 1;

  private final String reason;
  private final Status.Code code;

  CallFailedException(String message, String reason, StatusRuntimeException cause) {
    super(message, cause);
    this.reason = reason;
    this.code = cause.getStatus().getCode();
  }

  private CallFailedException(String message, String reason, Status.Code code) {
    super(message);
    this.reason = reason;
    this.code = code;
  }

  /** Of groups that were asked for together with others. */
  static CallFailedException unknownGroups(Collection<String> names) {
    return new CallFailedException(
        "there is no group '%s'".formatted(String.join("', '", names)),
        UNKNOWN_GROUP,
        Status.Code.NOT_FOUND);
  }

  /** Of what the broker would refuse, too, if it was asked. */
  static CallFailedException groupInUse(String message) {
    return new CallFailedException(message, GROUP_IN_USE, Status.Code.FAILED_PRECONDITION);
  }

  /** The broker's own name of the error, or one of those above; else that of the code. */
  String reason() {
    return reason;
  }

  Status.Code code() {
    return code;
  }

  /** The same, with what is to be done about it if that is the reason. */
  CallFailedException hint(String ofReason, String hint) {
    return reason.equals(ofReason) && getCause() instanceof StatusRuntimeException cause
        ? new CallFailedException(getMessage() + "; " + hint, reason, cause)
        : this;
  }

  /** What the broker calls the error; empty if the words are not the broker's. */
  static String brokersReason(StatusRuntimeException refusal) {
    com.google.rpc.Status whole = StatusProto.fromThrowable(refusal);
    if (whole == null) {
      return "";
    }
    try {
      for (Any detail : whole.getDetailsList()) {
        if (detail.is(ErrorInfo.class)) {
          return detail.unpack(ErrorInfo.class).getReason();
        }
      }
    } catch (InvalidProtocolBufferException e) {
      // Not of a broker that we know: its words have to do.
    }
    return "";
  }
}
