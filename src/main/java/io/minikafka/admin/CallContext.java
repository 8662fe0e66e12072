package io.minikafka.admin;

import com.google.protobuf.Message;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.minikafka.Caller;
import io.minikafka.broker.Refusal;
import io.minikafka.protocol.ErrorCode;
import io.quarkus.grpc.GlobalInterceptor;
import io.vertx.core.Vertx;
import jakarta.enterprise.context.ApplicationScoped;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Notes of each call who makes it, how long they will wait and when they give up: of these the
 * unified server tells its services nothing. Refuses a call that says how long in no way that gRPC
 * knows, and one without a request, which is also what is left of one that cannot be read.
 */
@GlobalInterceptor
@ApplicationScoped
public class CallContext implements ServerInterceptor {
  private static final Metadata.Key<String> TIMEOUT = ascii("grpc-timeout");
  private static final Metadata.Key<String> USER_AGENT = ascii("user-agent");

  /** Longest part of what a client calls itself that is kept. */
  private static final int MAX_NAME_CHARS = 100;

  private static final Refusal NO_REQUEST =
      Refusal.of(
          ErrorCode.INVALID_REQUEST,
          "there is no request that can be read: none came, or it is no message of this call (a text"
              + " in it that is not UTF-8, a field that is cut)");

  private static final Context.Key<Call> KEY = Context.key("minikafka-call");

  /** Counts down: calls of the control plane have negative numbers. */
  private final AtomicLong lastNumber = new AtomicLong();

  /**
   * @param timeout what the client gave the call; empty if it waits for ever
   * @param cancelled completes when the client has given up, is gone, or has its answer
   * @param outlet how fast the client takes an answer in parts
   * @param request what it asks, there when the method is entered
   */
  record Call(
      Caller caller,
      Optional<Duration> timeout,
      CompletableFuture<Void> cancelled,
      Outlet outlet,
      AtomicReference<@Nullable Message> request) {
    /** Of the fields that the request cannot do without, those that are not there. */
    Optional<Refusal> missing() {
      return Optional.ofNullable(request.get()).flatMap(RequiredFields::missing);
    }

    /** Whether the client's time was up before its call was read. Timers count in milliseconds. */
    boolean isOver() {
      return timeout.filter(given -> given.toMillis() < 1).isPresent();
    }
  }

  /** Of the call whose method is being entered; ask before the first thread hop. */
  static Call current() {
    return KEY.get();
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Caller caller =
        new Caller(
            lastNumber.decrementAndGet(),
            Caller.ANONYMOUS,
            clientName(headers.get(USER_AGENT)),
            host(call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR)));
    CompletableFuture<Void> cancelled = LostClients.current();
    LoopBoundCall<Q, A> bound = new LoopBoundCall<>(call, Vertx.currentContext(), cancelled);
    String given = headers.get(TIMEOUT);
    Optional<Duration> timeout = timeout(given);
    if (given != null && timeout.isEmpty()) {
      Statuses.refuse(bound, noTimeout(given));
      return new ServerCall.Listener<>() {};
    }
    Call noted = new Call(caller, timeout, cancelled, bound, new AtomicReference<>());
    ServerCall.Listener<Q> listener =
        Contexts.interceptCall(Context.current().withValue(KEY, noted), bound, headers, next);
    return new SimpleForwardingServerCallListener<>(listener) {
      @Override
      public void onMessage(Q message) {
        if (message instanceof Message request) {
          noted.request().set(request);
        }
        super.onMessage(message);
      }

      @Override
      public void onHalfClose() {
        if (noted.request().get() == null
            && call.getMethodDescriptor().getType().clientSendsOneMessage()) {
          Statuses.refuse(bound, NO_REQUEST);
        } else {
          super.onHalfClose();
        }
      }

      @Override
      public void onReady() {
        super.onReady();
        bound.ready();
      }

      @Override
      public void onCancel() {
        cancelled.complete(null);
        super.onCancel();
      }
    };
  }

  private static String clientName(@Nullable String userAgent) {
    return userAgent == null
        ? ""
        : userAgent.substring(0, Math.min(userAgent.length(), MAX_NAME_CHARS));
  }

  private static String host(@Nullable SocketAddress address) {
    return switch (address) {
      case InetSocketAddress inet -> inet.getHostString();
      case null, default -> "";
    };
  }

  /** Whoever wanted a deadline shall not wait for ever because nobody understood it. */
  private static Refusal noTimeout(String given) {
    return Refusal.of(
        ErrorCode.INVALID_REQUEST,
        "grpc-timeout is '%s', must be 1 to 8 digits and one of H, M, S, m, u, n"
            .formatted(given.substring(0, Math.min(given.length(), MAX_NAME_CHARS))));
  }

  /** At most eight digits and a unit, by gRPC's specification; empty if it is anything else. */
  static Optional<Duration> timeout(@Nullable String header) {
    if (header == null || !header.matches("[0-9]{1,8}[HMSmun]")) {
      return Optional.empty();
    }
    long value = Long.parseLong(header.substring(0, header.length() - 1));
    return Optional.of(
        switch (header.charAt(header.length() - 1)) {
          case 'H' -> Duration.ofHours(value);
          case 'M' -> Duration.ofMinutes(value);
          case 'S' -> Duration.ofSeconds(value);
          case 'm' -> Duration.ofMillis(value);
          case 'u' -> Duration.ofNanos(value * 1000);
          default -> Duration.ofNanos(value);
        });
  }

  private static Metadata.Key<String> ascii(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }
}
