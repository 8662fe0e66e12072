package io.minikafka.admin;

import com.google.protobuf.MessageLite;
import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.quarkus.grpc.GlobalInterceptor;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.spi.Prioritized;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts calls whose service has entered, and has seen that they were cancelled, and what the last
 * of those that are answered in parts has sent.
 */
@GlobalInterceptor
@ApplicationScoped
public class CancelledCalls implements ServerInterceptor, Prioritized {
  private final Semaphore entered = new Semaphore(0);
  private final Semaphore cancelled = new Semaphore(0);

  /** Of the last call that is answered in parts. */
  private volatile Optional<Sent> last = Optional.empty();

  /** What a call was given to send. */
  static final class Sent {
    private final ServerCall<?, ?> call;
    private final AtomicLong parts = new AtomicLong();
    private final AtomicLong bytes = new AtomicLong();

    Sent(ServerCall<?, ?> call) {
      this.call = call;
    }

    boolean isReady() {
      return call.isReady();
    }

    long parts() {
      return parts.get();
    }

    long bytes() {
      return bytes.get();
    }

    private void count(Object message) {
      parts.incrementAndGet();
      bytes.addAndGet(((MessageLite) message).getSerializedSize());
    }
  }

  /** Empty before the first. */
  Optional<Sent> last() {
    return last;
  }

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
    last = Optional.empty();
    entered.drainPermits();
    cancelled.drainPermits();
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    return new SimpleForwardingServerCallListener<>(next.startCall(counted(call), headers)) {
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

  private <Q, A> ServerCall<Q, A> counted(ServerCall<Q, A> call) {
    if (call.getMethodDescriptor().getType().serverSendsOneMessage()) {
      return call;
    }
    Sent sent = new Sent(call);
    last = Optional.of(sent);
    return new SimpleForwardingServerCall<>(call) {
      @Override
      public void sendMessage(A message) {
        sent.count(message);
        super.sendMessage(message);
      }
    };
  }
}
