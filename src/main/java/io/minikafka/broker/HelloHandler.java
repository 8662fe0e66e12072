package io.minikafka.broker;

import io.minikafka.Caller;
import io.minikafka.protocol.Api;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Hello;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** API 11: who is there and what each side can do. Any thread; never waits. */
final class HelloHandler {
  /** Longest name a client may give itself, in chars; it is repeated in logs and metrics. */
  static final int MAX_CLIENT_NAME_LENGTH = 200;

  private static final List<Hello.ApiVersions> APIS =
      Arrays.stream(Api.values())
          .map(api -> new Hello.ApiVersions(api.code(), api.minVersion(), api.maxVersion()))
          .toList();

  private final BrokerIdentity identity;
  private final BrokerLimits limits;

  HelloHandler(BrokerIdentity identity, BrokerLimits limits) {
    this.identity = identity;
    this.limits = limits;
  }

  void hello(
      Caller caller, Hello.Request request, Session session, Consumer<Reply<Hello.Response>> done) {
    if (request.client().length() > MAX_CLIENT_NAME_LENGTH) {
      done.accept(
          Reply.failure(
              ErrorCode.INVALID_REQUEST,
              "client name of %d characters; the limit is %d"
                  .formatted(request.client().length(), MAX_CLIENT_NAME_LENGTH)));
      return;
    }
    session.introduce(request.client());
    done.accept(
        Reply.answer(
            new Hello.Response(
                identity.clusterId(),
                identity.version(),
                identity.node().get().node(),
                limits.maxFrameBytes(),
                false,
                List.of(),
                APIS)));
  }
}
