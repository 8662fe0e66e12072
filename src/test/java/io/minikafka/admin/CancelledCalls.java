package io.minikafka.admin;

import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.quarkus.grpc.GlobalInterceptor;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.spi.Prioritized;
import java.util.concurrent.Semaphore;

/** Counts calls whose service has entered, and has seen that they were cancelled. */
@GlobalInterceptor
@ApplicationScoped
public class CancelledCalls implements ServerInterceptor, Prioritized {
  private final Semaphore entered = new Semaphore(0);
  private final Semaphore cancelled = new Semaphore(0);

  /** Next to the service: what it counts the service has seen. */
  @Override
  public int getPriority() {
    return Integer.MIN_VALUE;
  }

  void awaitEntered() throws InterruptedException {
    entered.acquire();
  }

  void awaitCancelled() throws InterruptedException {
    cancelled.acquire();
  }

  void reset() {
    entered.drainPermits();
    cancelled.drainPermits();
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    return new SimpleForwardingServerCallListener<>(next.startCall(call, headers)) {
      @Override
      public void onHalfClose() {
        super.onHalfClose();
        entered.release();
      }

      @Override
      public void onCancel() {
        super.onCancel();
        cancelled.release();
      }
    };
  }
}
