package io.minikafka.admin;

import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.minikafka.broker.HttpUse;
import io.minikafka.broker.Refusal;
import io.minikafka.protocol.ErrorCode;
import io.quarkus.grpc.GlobalInterceptor;
import jakarta.enterprise.context.ApplicationScoped;
import java.util.Optional;

/**
 * Refuses calls that are answered in parts, of whatever service, where connections with such calls
 * have filled their share of the HTTP port: one keeps its connection for as long as it likes, and
 * probes and scrapes need places that become free.
 */
@GlobalInterceptor
@ApplicationScoped
public class StreamBound implements ServerInterceptor {
  private final BrokerAccess broker;

  StreamBound(BrokerAccess broker) {
    this.broker = broker;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Optional<HttpUse> full =
        call.getMethodDescriptor().getType().serverSendsOneMessage()
            ? Optional.empty()
            : broker.http().filter(use -> !use.hasRoomForStream());
    if (full.isEmpty()) {
      return next.startCall(call, headers);
    }
    Statuses.refuse(call, tooMany(full.get()));
    return new ServerCall.Listener<>() {};
  }

  private static Refusal tooMany(HttpUse use) {
    return Refusal.of(
        ErrorCode.LIMIT_REACHED,
        "%d connections of the HTTP port have open streams or wait for an answer; beyond %d of %d no stream begins (minikafka.http.max-connections)"
            .formatted(use.busy(), use.streamLimit(), use.limit()));
  }
}
