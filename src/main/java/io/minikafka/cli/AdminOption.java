package io.minikafka.cli;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.AbstractStub;
import io.minikafka.admin.v1.BrokerServiceGrpc;
import io.minikafka.admin.v1.GroupServiceGrpc;
import io.minikafka.admin.v1.LogServiceGrpc;
import io.minikafka.admin.v1.TopicServiceGrpc;
import io.minikafka.client.ServerAddress;
import java.io.IOException;
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

  /** What becomes of the parts of an answer. */
  interface Parts<T> {
    void take(Iterator<T> parts) throws IOException;
  }

  /** A call to the service of logs that is answered in parts, and takes as long as it takes. */
  <T> void logParts(
      Function<LogServiceGrpc.LogServiceBlockingStub, Iterator<T>> request, Parts<T> taker)
      throws IOException {
    ManagedChannel channel =
        ManagedChannelBuilder.forTarget("dns:///" + address).usePlaintext().build();
    try {
      taker.take(request.apply(LogServiceGrpc.newBlockingStub(channel)));
    } catch (StatusRuntimeException e) {
      throw new IOException(inWords(e), e);
    } finally {
      channel.shutdownNow();
    }
  }

  private <S extends AbstractStub<S>, T> T call(
      Function<Channel, S> service, Function<S, T> request) throws IOException {
    ManagedChannel channel =
        ManagedChannelBuilder.forTarget("dns:///" + address)
            .usePlaintext()
            .maxInboundMessageSize(MAX_ANSWER_BYTES)
            .build();
    try {
      long seconds = Math.clamp(timeoutSeconds, 1, 86_400);
      return request.apply(service.apply(channel).withDeadlineAfter(seconds, TimeUnit.SECONDS));
    } catch (StatusRuntimeException e) {
      throw new IOException(inWords(e), e);
    } finally {
      channel.shutdownNow();
    }
  }

  /**
   * Makes one call to the service of groups that is answered in parts.
   *
   * @param bounded whether the time-out holds for all of it; else there is none
   * @param each takes a part; false when that was enough
   * @throws IOException as {@link #call}, or what {@code each} throws
   */
  <T> void groupParts(
      boolean bounded,
      Function<GroupServiceGrpc.GroupServiceBlockingStub, Iterator<T>> request,
      Part<T> each)
      throws IOException {
    ManagedChannel channel =
        ManagedChannelBuilder.forTarget("dns:///" + address)
            .usePlaintext()
            .maxInboundMessageSize(MAX_ANSWER_BYTES)
            .build();
    boolean answered = false;
    try {
      GroupServiceGrpc.GroupServiceBlockingStub stub = GroupServiceGrpc.newBlockingStub(channel);
      Iterator<T> parts =
          request.apply(
              bounded
                  ? stub.withDeadlineAfter(Math.clamp(timeoutSeconds, 1, 86_400), TimeUnit.SECONDS)
                  : stub);
      boolean wanted = true;
      while (wanted && parts.hasNext()) {
        answered = true;
        wanted = each.take(parts.next());
      }
    } catch (StatusRuntimeException e) {
      throw new IOException(answered ? inWordsLater(e) : inWords(e), e);
    } finally {
      channel.shutdownNow();
    }
  }

  /** Takes a part of an answer. */
  interface Part<T> {
    boolean take(T part) throws IOException;
  }

  /** Of a call whose answer had begun. */
  private String inWordsLater(StatusRuntimeException refusal) {
    // The broker's own words come with details; what the transport says has none.
    com.google.rpc.Status whole = StatusProto.fromThrowable(refusal);
    boolean fromBroker = whole != null && whole.getDetailsCount() > 0;
    return refusal.getStatus().getCode() == Status.Code.UNAVAILABLE && !fromBroker
        ? "lost the connection to %s".formatted(address)
        : inWords(refusal);
  }

  private String inWords(StatusRuntimeException refusal) {
    String description = refusal.getStatus().getDescription();
    return switch (refusal.getStatus().getCode()) {
      case UNAVAILABLE ->
          refusal.getCause() != null || description == null
              ? "cannot connect to %s: %s (the control plane is the broker's HTTP port, 8080 by default; --admin names it)"
                  .formatted(address, cause(refusal))
              : description;
      case DEADLINE_EXCEEDED ->
          "no answer from %s within %d s; what was asked may still happen"
              .formatted(address, timeoutSeconds);
      default -> description == null ? refusal.getStatus().getCode().toString() : description;
    };
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
