package io.minikafka.it;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.protobuf.ByteString;
import grpc.health.v1.HealthGrpc;
import grpc.health.v1.HealthOuterClass.HealthCheckRequest;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.minikafka.admin.v1.AppendRecord;
import io.minikafka.admin.v1.GroupServiceGrpc;
import io.minikafka.admin.v1.GroupServiceWatchLagRequest;
import io.minikafka.admin.v1.LogServiceAppendRequest;
import io.minikafka.admin.v1.LogServiceGrpc;
import io.minikafka.admin.v1.LogServiceTailRequest;
import io.minikafka.admin.v1.LogServiceVerifyRequest;
import io.minikafka.admin.v1.TopicServiceCreateRequest;
import io.minikafka.admin.v1.TopicServiceDescribeRequest;
import io.minikafka.admin.v1.TopicServiceGrpc;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The end of a broker while clients are there that never take what they asked for. */
@Timeout(180)
class UnreadAnswersIT {
  @TempDir Path dir;

  /** Each answer has begun, and nothing of it but its head fits to the client. */
  private final List<CompletableFuture<Void>> begun = new ArrayList<>();

  @Test
  void clientsThatDoNotReadDoNotHoldUpTheEnd() throws Exception {
    try (BrokerProcess broker = BrokerProcess.start(dir.resolve("data"))) {
      ManagedChannel narrow =
          NettyChannelBuilder.forAddress("127.0.0.1", broker.httpPort())
              .usePlaintext()
              .flowControlWindow(1)
              .build();
      try {
        create(broker);
        start(
            narrow, LogServiceGrpc.getVerifyMethod(), LogServiceVerifyRequest.getDefaultInstance());
        start(
            narrow,
            LogServiceGrpc.getTailMethod(),
            LogServiceTailRequest.newBuilder().setTopic("t").build());
        start(
            narrow,
            GroupServiceGrpc.getWatchLagMethod(),
            GroupServiceWatchLagRequest.getDefaultInstance());
        start(
            narrow,
            TopicServiceGrpc.getDescribeMethod(),
            TopicServiceDescribeRequest.newBuilder().setName("t").build());
        start(narrow, HealthGrpc.getWatchMethod(), HealthCheckRequest.getDefaultInstance());
        for (CompletableFuture<Void> one : begun) {
          one.get(20, SECONDS);
        }

        assertEquals(143, broker.terminate());

        assertFalse(broker.output().contains("ERROR"), broker.output());
      } finally {
        narrow.shutdownNow();
      }
    }
  }

  private void create(BrokerProcess broker) {
    ManagedChannel wide =
        NettyChannelBuilder.forAddress("127.0.0.1", broker.httpPort()).usePlaintext().build();
    try {
      TopicServiceGrpc.newBlockingStub(wide)
          .create(TopicServiceCreateRequest.newBuilder().setName("t").setPartitionCount(1).build());
      LogServiceGrpc.newBlockingStub(wide)
          .append(
              LogServiceAppendRequest.newBuilder()
                  .setTopic("t")
                  .addRecords(AppendRecord.newBuilder().setValue(ByteString.copyFromUtf8("v")))
                  .build());
    } finally {
      wide.shutdownNow();
    }
  }

  private <Q, A> void start(ManagedChannel channel, MethodDescriptor<Q, A> method, Q request) {
    CompletableFuture<Void> head = new CompletableFuture<>();
    ClientCall<Q, A> call = channel.newCall(method, CallOptions.DEFAULT);
    call.start(
        new ClientCall.Listener<>() {
          @Override
          public void onHeaders(Metadata headers) {
            head.complete(null);
          }

          @Override
          public void onClose(Status status, Metadata trailers) {
            head.complete(null);
          }
        },
        new Metadata());
    call.sendMessage(request);
    call.halfClose();
    begun.add(head);
  }
}
