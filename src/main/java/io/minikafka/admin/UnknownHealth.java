package io.minikafka.admin;

import grpc.health.v1.HealthOuterClass.HealthCheckRequest;
import grpc.health.v1.HealthOuterClass.HealthCheckResponse;
import grpc.health.v1.HealthOuterClass.HealthCheckResponse.ServingStatus;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.quarkus.grpc.GlobalInterceptor;
import jakarta.enterprise.context.ApplicationScoped;

/**
 * Says of services that are not there what gRPC's health protocol wants said: to Check NOT_FOUND,
 * to Watch SERVICE_UNKNOWN. The health service itself answers UNKNOWN to both, and has that for no
 * service that is there.
 */
@GlobalInterceptor
@ApplicationScoped
public class UnknownHealth implements ServerInterceptor {
  private static final String HEALTH = "grpc.health.v1.Health";

  /** The number of it in the protocol; the classes Quarkus brings are older than the word. */
  private static final int SERVICE_UNKNOWN = 3;

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    if (!HEALTH.equals(call.getMethodDescriptor().getServiceName())) {
      return next.startCall(call, headers);
    }
    Health<Q, A> health = new Health<>(call);
    return new SimpleForwardingServerCallListener<>(next.startCall(health, headers)) {
      @Override
      public void onMessage(Q message) {
        if (message instanceof HealthCheckRequest request) {
          health.asked = request.getService();
        }
        super.onMessage(message);
      }
    };
  }

  /** One call, on its thread. */
  private static final class Health<Q, A> extends SimpleForwardingServerCall<Q, A> {
    private String asked = "";
    private boolean unknown;

    Health(ServerCall<Q, A> call) {
      super(call);
    }

    @Override
    public void sendMessage(A answer) {
      if (!(answer instanceof HealthCheckResponse health)
          || health.getStatus() != ServingStatus.UNKNOWN) {
        super.sendMessage(answer);
      } else if (getMethodDescriptor().getType() == MethodType.UNARY) {
        unknown = true;
      } else {
        super.sendMessage(
            getMethodDescriptor()
                .parseResponse(
                    HealthCheckResponse.newBuilder()
                        .setStatusValue(SERVICE_UNKNOWN)
                        .build()
                        .toByteString()
                        .newInput()));
      }
    }

    @Override
    public void close(Status status, Metadata trailers) {
      super.close(
          unknown && status.isOk()
              ? Status.NOT_FOUND.withDescription("there is no service '%s'".formatted(asked))
              : status,
          trailers);
    }
  }
}
