package io.minikafka.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import io.grpc.ManagedChannel;
import io.grpc.ManagedChannelBuilder;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import io.minikafka.admin.v1.LogServiceGrpc;
import io.minikafka.admin.v1.TopicServiceCreateRequest;
import io.minikafka.admin.v1.TopicServiceGrpc;
import io.minikafka.admin.v1.TopicServiceListRequest;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** A client of the control plane over a real channel, and what it is told. */
final class ControlPlane implements AutoCloseable {
  final ManagedChannel channel;
  final TopicServiceGrpc.TopicServiceBlockingStub topics;
  final LogServiceGrpc.LogServiceBlockingStub logs;

  ControlPlane(URI http) {
    channel =
        ManagedChannelBuilder.forAddress(http.getHost(), http.getPort()).usePlaintext().build();
    topics = TopicServiceGrpc.newBlockingStub(channel);
    logs = LogServiceGrpc.newBlockingStub(channel);
  }

  /** Waits until the broker behind it has recovered. */
  void awaitServing() {
    long giveUpNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (true) {
      try {
        topics.list(TopicServiceListRequest.getDefaultInstance());
        return;
      } catch (StatusRuntimeException e) {
        boolean starting = e.getStatus().getCode() == Status.Code.UNAVAILABLE;
        if (!starting || System.nanoTime() > giveUpNanos) {
          throw e;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(10));
      }
    }
  }

  TopicServiceCreateRequest.Builder request(String name, int partitions) {
    return TopicServiceCreateRequest.newBuilder().setName(name).setPartitionCount(partitions);
  }

  String create(String name, int partitions) {
    return topics.create(request(name, partitions).build()).getTopic().getId();
  }

  /**
   * What a refused call told.
   *
   * @param reason of the ErrorInfo
   * @param fields field violations by their field
   */
  record Refusal(Status.Code code, String reason, String message, Map<String, String> fields) {}

  static Refusal refused(Supplier<?> call) {
    StatusRuntimeException failure = assertThrows(StatusRuntimeException.class, call::get);
    String reason = "";
    Map<String, String> fields = new LinkedHashMap<>();
    try {
      com.google.rpc.Status status = Objects.requireNonNull(StatusProto.fromThrowable(failure));
      assertEquals(failure.getStatus().getCode().value(), status.getCode());
      for (Any detail : status.getDetailsList()) {
        if (detail.is(ErrorInfo.class)) {
          ErrorInfo info = detail.unpack(ErrorInfo.class);
          assertEquals("minikafka", info.getDomain());
          reason = info.getReason();
        } else if (detail.is(BadRequest.class)) {
          for (var field : detail.unpack(BadRequest.class).getFieldViolationsList()) {
            fields.put(field.getField(), field.getDescription());
          }
        }
      }
    } catch (InvalidProtocolBufferException e) {
      throw new AssertionError(e);
    }
    String message = String.valueOf(failure.getStatus().getDescription());
    return new Refusal(failure.getStatus().getCode(), reason, message, fields);
  }

  @Override
  public void close() {
    channel.shutdownNow();
  }
}
