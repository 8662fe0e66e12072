package io.minikafka.broker;

import io.minikafka.Caller;
import io.minikafka.protocol.Api;
import io.minikafka.protocol.ErrorCode;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;

/** The APIs that have a layout and no rules behind it yet. Any thread. */
final class NotServed {
  static final Set<Api> APIS = EnumSet.range(Api.OFFSET_COMMIT, Api.LEAVE_GROUP);

  private NotServed() {}

  static <Q, R> void refuse(Caller caller, Q request, Session session, Consumer<Reply<R>> done) {
    done.accept(
        Reply.failure(ErrorCode.UNKNOWN_API, "this broker does not serve consumer groups yet"));
  }
}
