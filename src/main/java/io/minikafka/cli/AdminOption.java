package io.minikafka.cli;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.AbstractStub;
import io.minikafka.admin.v1.BrokerServiceGrpc;
import io.minikafka.admin.v1.GroupServiceGrpc;
import io.minikafka.admin.v1.LogServiceGrpc;
import io.minikafka.admin.v1.TopicServiceGrpc;
import io.minikafka.client.ServerAddress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import picocli.CommandLine.Option;

/** Which broker a command administers, and the way to its control plane. */
final class AdminOption {
  /** Enough for all that is said about 10,000 partitions. */
  private static final int MAX_ANSWER_BYTES = 64 << 20;

  @Option(
      names = "--admin",
      paramLabel = "HOST:PORT",
      defaultValue = "${env:MINIKAFKA_ADMIN:-localhost:8080}",
      converter = BrokerOption.Address.class,
      description = "The broker's control plane ($MINIKAFKA_ADMIN, else localhost:8080).")
  ServerAddress address = new ServerAddress("localhost", 8080);

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      defaultValue = "30",
      converter = WholeNumber.Seconds.class,
      description = "How long to wait for an answer (30).")
  int timeoutSeconds = 30;

  /**
   * Makes one call.
   *
   * @throws IOException with the broker's own words if it refuses, or why it cannot be reached
   */
  <T> T call(Function<TopicServiceGrpc.TopicServiceBlockingStub, T> request) throws IOException {
    return call(TopicServiceGrpc::newBlockingStub, request);
  }

  /** The same to the service of groups. */
  <T> T groups(Function<GroupServiceGrpc.GroupServiceBlockingStub, T> request) throws IOException {
    return call(GroupServiceGrpc::newBlockingStub, request);
  }

  /** The same to the service of logs. */
  <T> T logs(Function<LogServiceGrpc.LogServiceBlockingStub, T> request) throws IOException {
    return call(LogServiceGrpc::newBlockingStub, request);
  }

  /** The same to the service of the broker itself. */
  <T> T broker(Function<BrokerServiceGrpc.BrokerServiceBlockingStub, T> request)
      throws IOException {
    return call(BrokerServiceGrpc::newBlockingStub, request);
  }

  /** Takes a part of an answer; false when that was enough. */
  interface Part<T> {
    boolean take(T part) throws IOException;
  }

  /** A call to the service of logs that is answered in parts, and takes as long as it takes. */
  <T> void logParts(
      Function<LogServiceGrpc.LogServiceBlockingStub, Iterator<T>> request, Part<T> each)
      throws IOException {
    parts(false, LogServiceGrpc::newBlockingStub, request, each);
  }

  /**
   * The same to the service of groups.
   *
   * @param bounded whether the time-out holds for all of it; else there is none
   */
  <T> void groupParts(
      boolean bounded,
      Function<GroupServiceGrpc.GroupServiceBlockingStub, Iterator<T>> request,
      Part<T> each)
      throws IOException {
    parts(bounded, GroupServiceGrpc::newBlockingStub, request, each);
  }

  private <S extends AbstractStub<S>, T> T call(
      Function<Channel, S> service, Function<S, T> request) throws IOException {
    ManagedChannel channel = channel();
    try {
      return request.apply(inTime(service.apply(channel)));
    } catch (StatusRuntimeException e) {
      throw failure(e, false);
    } finally {
      channel.shutdownNow();
    }
  }

  private <S extends AbstractStub<S>, T> void parts(
      boolean bounded, Function<Channel, S> service, Function<S, Iterator<T>> request, Part<T> each)
      throws IOException {
    ManagedChannel channel = channel();
    boolean answered = false;
    try {
      S stub = service.apply(channel);
      Iterator<T> parts = request.apply(bounded ? inTime(stub) : stub);
      boolean wanted = true;
      while (wanted && parts.hasNext()) {
        answered = true;
        wanted = each.take(parts.next());
      }
    } catch (StatusRuntimeException e) {
      throw failure(e, answered);
    } finally {
      channel.shutdownNow();
    }
  }

  private ManagedChannel channel() {
    return ManagedChannelBuilder.forTarget("dns:///" + address)
        .usePlaintext()
        .maxInboundMessageSize(MAX_ANSWER_BYTES)
        .build();
  }

  private <S extends AbstractStub<S>> S inTime(S stub) {
    return stub.withDeadlineAfter(timeoutSeconds, TimeUnit.SECONDS);
  }

  /**
   * @param answered whether the answer had begun
   */
  private CallFailedException failure(StatusRuntimeException refusal, boolean answered) {
    String reason = CallFailedException.brokersReason(refusal);
    Status status = refusal.getStatus();
    String description = status.getDescription();
    if (!reason.isEmpty()) {
      return new CallFailedException(description == null ? reason : description, reason, refusal);
    }
    return switch (status.getCode()) {
      case UNAVAILABLE -> {
        boolean never = !answered && (refusal.getCause() == null || isOfConnecting(refusal));
        yield new CallFailedException(
            never ? unreachable(refusal) : "the connection to %s was lost".formatted(address),
            CallFailedException.NO_CONNECTION,
            refusal);
      }
      case DEADLINE_EXCEEDED ->
          new CallFailedException(
              "no answer from %s within %d s; what was asked may still happen"
                  .formatted(address, timeoutSeconds),
              CallFailedException.TIMED_OUT,
              refusal);
      default ->
          new CallFailedException(
              description == null ? status.getCode().toString() : description,
              status.getCode().toString(),
              refusal);
    };
  }

  private String unreachable(StatusRuntimeException refusal) {
    return "cannot connect to %s: %s (the control plane is the broker's HTTP port, 8080 by default; --admin names it)"
        .formatted(address, cause(refusal));
  }

  /** Not of a connection that there was and that broke. */
  private static boolean isOfConnecting(Throwable refusal) {
    for (Throwable next = refusal; next != null; next = next.getCause()) {
      if (next instanceof ConnectException
          || next instanceof NoRouteToHostException
          || next instanceof UnknownHostException
          || next instanceof UnresolvedAddressException) {
        return true;
      }
    }
    return false;
  }

  /**
   * What the transport says last and most plainly: "Connection refused". It puts the call and its
   * error number before.
   */
  private static String cause(Throwable refusal) {
    Throwable last = refusal;
    for (Throwable next = refusal; next != null; next = next.getCause()) {
      last = next;
    }
    String message = last.getMessage();
    return message == null
        ? last.toString()
        : message.substring(message.lastIndexOf(": ") + 1).strip();
  }
}
