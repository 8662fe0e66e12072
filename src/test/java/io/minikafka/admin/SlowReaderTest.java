package io.minikafka.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.CallOptions;
import io.grpc.ClientCall;
import io.grpc.ManagedChannel;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.netty.NettyChannelBuilder;
import io.minikafka.admin.v1.AppendRecord;
import io.minikafka.admin.v1.LogServiceAppendRequest;
import io.minikafka.admin.v1.LogServiceGrpc;
import io.minikafka.admin.v1.LogServiceTailRequest;
import io.minikafka.admin.v1.LogServiceTailResponse;
import io.minikafka.admin.v1.LogServiceVerifyRequest;
import io.minikafka.admin.v1.LogServiceVerifyResponse;
import io.minikafka.admin.v1.TopicServiceDeleteRequest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.net.URI;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Answers in parts over a real channel, to a client that takes one part, and the rest much later.
 */
@QuarkusTest
@Timeout(120)
class SlowReaderTest {
  private static final int WINDOW_BYTES = 65_535;

  /** The window, what a connection holds before it calls itself full, and one part beyond. */
  private static final long BOUND_BYTES = 4L * WINDOW_BYTES;

  /** So long that the reports of its partitions are many times the bound. */
  private static final String NAME = "slow-" + "x".repeat(190);

  private static final int PARTITIONS = 2_000;
  private static final int RECORDS = 500;
  private static final int RECORD_BYTES = 4_000;

  @Inject CancelledCalls calls;

  @TestHTTPResource URI http;

  private ControlPlane client;
  private ManagedChannel narrow;

  @BeforeEach
  void connect() {
    client = new ControlPlane(http);
    client.awaitServing();
    calls.reset();
    narrow =
        NettyChannelBuilder.forAddress(http.getHost(), http.getPort())
            .usePlaintext()
            .flowControlWindow(WINDOW_BYTES)
            .build();
  }

  @AfterEach
  void deleteTopic() {
    narrow.shutdownNow();
    client.topics.delete(TopicServiceDeleteRequest.newBuilder().setName(NAME).build());
    client.close();
  }

  @Test
  void recordsThatAreNotTakenStayInTheLog() throws Exception {
    client.create(NAME, 1);
    LogServiceAppendRequest.Builder some = LogServiceAppendRequest.newBuilder().setTopic(NAME);
    for (int i = 0; i < 50; i++) {
      some.addRecords(
          AppendRecord.newBuilder().setValue(ByteString.copyFrom(new byte[RECORD_BYTES])));
    }
    for (int i = 0; i < RECORDS; i += 50) {
      client.logs.append(some.build());
    }
    LogServiceTailRequest request =
        LogServiceTailRequest.newBuilder()
            .setTopic(NAME)
            .setFromOffset(0)
            .setMaxRecordsPerSecond(10_000)
            .build();
    Slow<LogServiceTailRequest, LogServiceTailResponse> slow =
        new Slow<>(LogServiceGrpc.getTailMethod(), request);

    CancelledCalls.Sent sent = whatIsSentWhileAnotherReadsAll(slow, client.logs.tail(request));

    assertTrue(sent.bytes() < BOUND_BYTES, () -> sent.bytes() + " bytes were sent");
    List<LogServiceTailResponse> all = slow.takeAll();
    assertEquals(RECORDS, all.size());
    for (int i = 0; i < RECORDS; i++) {
      assertEquals(i, all.get(i).getRecord().getOffset());
    }
  }

  @Test
  void logsWhoseReportsAreNotTakenAreNotReadYet() throws Exception {
    client.create(NAME, PARTITIONS);
    LogServiceVerifyRequest request = LogServiceVerifyRequest.newBuilder().setTopic(NAME).build();
    Slow<LogServiceVerifyRequest, LogServiceVerifyResponse> slow =
        new Slow<>(LogServiceGrpc.getVerifyMethod(), request);

    CancelledCalls.Sent sent = whatIsSentWhileAnotherReadsAll(slow, client.logs.verify(request));

    assertTrue(sent.bytes() < BOUND_BYTES, () -> sent.bytes() + " bytes were sent");
    List<LogServiceVerifyResponse> all = slow.takeAll();
    assertEquals(PARTITIONS, all.size());
    assertEquals(PARTITIONS, all.getLast().getCheckedPartitionCount());
  }

  /**
   * The other one asks later for the same, so what is to come for the slow one has come by then.
   */
  private CancelledCalls.Sent whatIsSentWhileAnotherReadsAll(Slow<?, ?> slow, Iterator<?> other)
      throws Exception {
    slow.awaitFirst();
    CancelledCalls.Sent sent = slow.sent;
    LogBroker.await("the client's turn", () -> !sent.isReady());
    while (other.hasNext()) {
      other.next();
    }
    return sent;
  }

  /** A client that asks for one part only. */
  private final class Slow<Q, A> extends ClientCall.Listener<A> {
    private final BlockingQueue<A> taken = new LinkedBlockingQueue<>();
    private final CompletableFuture<Status> end = new CompletableFuture<>();
    private final ClientCall<Q, A> call;
    private final CancelledCalls.Sent sent;

    Slow(MethodDescriptor<Q, A> method, Q request) {
      call = narrow.newCall(method, CallOptions.DEFAULT);
      call.start(this, new Metadata());
      call.request(1);
      call.sendMessage(request);
      call.halfClose();
      LogBroker.await("the call", () -> calls.last().isPresent());
      sent = calls.last().orElseThrow();
    }

    @Override
    public void onMessage(A message) {
      taken.add(message);
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      end.complete(status);
    }

    void awaitFirst() {
      LogBroker.await("the first part", () -> !taken.isEmpty());
    }

    List<A> takeAll() throws Exception {
      call.request(Integer.MAX_VALUE);
      assertEquals(Status.Code.OK, end.get(60, TimeUnit.SECONDS).getCode());
      return List.copyOf(taken);
    }
  }
}
