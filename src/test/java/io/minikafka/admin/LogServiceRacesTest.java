package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static io.minikafka.admin.v1.RepairAction.REPAIR_ACTION_SKIP;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.MetadataUtils;
import io.minikafka.admin.ControlPlane.Refusal;
import io.minikafka.admin.v1.LogServiceGrpc;
import io.minikafka.admin.v1.LogServiceRepairPartitionResponse;
import io.minikafka.admin.v1.LogServiceVerifyResponse;
import io.minikafka.admin.v1.TopicServiceDeleteRequest;
import io.minikafka.admin.v1.TopicServiceDeleteResponse;
import io.minikafka.admin.v1.TopicServiceGrpc;
import io.minikafka.codec.Bytes;
import io.minikafka.partition.Partition;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.BatchCheck;
import io.minikafka.record.CheckedBatch;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Verify and RepairPartition over a channel, held on the disk while something happens. */
@QuarkusTest
@Timeout(60)
@TestProfile(FakeBrokerProfile.class)
class LogServiceRacesTest {
  @Inject FakeBroker broker;

  @Inject CancelledCalls calls;

  @TestHTTPResource URI http;

  @TempDir Path data;

  private HarmedLog log;

  /** Who has come to where the disk holds them. */
  private final Semaphore held = new Semaphore(0);

  private final CountDownLatch gate = new CountDownLatch(1);

  /** Files that were read, one for each reading. */
  private final List<Path> read = Collections.synchronizedList(new ArrayList<>());

  @BeforeEach
  void write() throws IOException {
    log = new HarmedLog(broker, http, data);
    calls.reset();
  }

  @AfterEach
  void close() throws IOException {
    gate.countDown();
    log.close();
  }

  private void hold() throws IOException {
    held.release();
    try {
      gate.await();
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
  }

  /** Readings of the second segment wait. */
  private void holdReading() {
    Path second = log.segment(0, 10);
    log.disk.readFault =
        (action, path) -> {
          read.add(path);
          if (path.equals(second)) {
            hold();
          }
        };
  }

  @Test
  void aVerificationThatIsCancelledReadsNoMore() throws Exception {
    holdReading();
    Context.CancellableContext context = Context.current().withCancellation();
    context.run(() -> log.client.logs.verify(HarmedLog.all()));
    held.acquire();
    context.cancel(null);
    calls.awaitCancelled();
    nothingMoreIsRead();
  }

  private void nothingMoreIsRead() throws Exception {
    int before = read.size();
    gate.countDown();
    broker.awaitIdleWorker();
    assertEquals(List.of(), read.subList(before, read.size()));
    log.disk.readFault = (action, path) -> {};
    assertEquals(2, log.verify().getLast().getCheckedPartitionCount(), "its place is free");
  }

  /** The timeout goes out as a header only, so that it is the server alone that keeps it. */
  @Test
  void aVerificationWhoseDeadlinePassedReadsNoMore() throws Exception {
    holdReading();
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("grpc-timeout", Metadata.ASCII_STRING_MARSHALLER), "200m");
    var hurried =
        log.client.logs.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    Iterator<LogServiceVerifyResponse> parts = hurried.verify(HarmedLog.all());
    held.acquire();
    assertEquals(Status.Code.DEADLINE_EXCEEDED, refusedCode(parts));
    nothingMoreIsRead();
  }

  private static Status.Code refusedCode(Iterator<LogServiceVerifyResponse> parts) {
    try {
      parts.forEachRemaining(part -> {});
      throw new AssertionError("it was not refused");
    } catch (io.grpc.StatusRuntimeException e) {
      return e.getStatus().getCode();
    }
  }

  @Test
  void asManyVerificationsAsMayBeAndThePlaceOfOneThatEnded() throws Exception {
    holdReading();
    Context.CancellableContext first = Context.current().withCancellation();
    first.run(() -> log.client.logs.verify(HarmedLog.all()));
    Iterator<LogServiceVerifyResponse> second = log.client.logs.verify(HarmedLog.all());
    held.acquire(2);
    Refusal full = refused(log::verify);
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, full.code());
    assertEquals("LIMIT_REACHED", full.reason());
    assertEquals(
        "2 verifications are under way, as many as may be at once; try again when one has ended",
        full.message());
    first.cancel(null);
    calls.awaitCancelled();
    Iterator<LogServiceVerifyResponse> third = log.client.logs.verify(HarmedLog.all());
    gate.countDown();
    for (Iterator<LogServiceVerifyResponse> each : List.of(second, third)) {
      List<LogServiceVerifyResponse> parts = new ArrayList<>();
      each.forEachRemaining(parts::add);
      assertEquals(2, parts.getLast().getCheckedPartitionCount());
    }
  }

  /** Damage that is found in what is not there any more is nobody's, and harms nobody. */
  @Test
  void aVerificationGoesOnBehindATopicThatIsDeleted() throws Exception {
    log.harm();
    log.client.create("other", 1);
    holdReading();
    Iterator<LogServiceVerifyResponse> parts = log.client.logs.verify(HarmedLog.all());
    held.acquire();
    log.client.topics.delete(deletion());
    assertFalse(Files.exists(log.directory));
    gate.countDown();
    List<LogServiceVerifyResponse> told = new ArrayList<>();
    parts.forEachRemaining(told::add);
    assertEquals(2, told.getLast().getCheckedPartitionCount());
    assertEquals(0, told.stream().mapToInt(LogServiceVerifyResponse::getFindingsCount).sum());
    assertFalse(Files.exists(log.directory));
    log.client.create(HarmedLog.NAME, 1);
    log.append(0);
    assertEquals(HarmedLog.records(0, 5), log.seen(0));
  }

  private static TopicServiceDeleteRequest deletion() {
    return TopicServiceDeleteRequest.newBuilder().setName(HarmedLog.NAME).build();
  }

  @Test
  void aTopicIsDeletedWhenARepairUnderWayHasEndedAndLeavesNothing() throws Exception {
    log.harm();
    log.findings();
    Partition partition = broker.topic(HarmedLog.NAME).orElseThrow().partitions().getFirst();
    log.disk.fault =
        (action, path) -> {
          if (action.equals("create") && path.toString().endsWith(".cleaned")) {
            hold();
          }
        };
    ListenableFuture<LogServiceRepairPartitionResponse> repair =
        LogServiceGrpc.newFutureStub(log.client.channel)
            .repairPartition(log.repair(REPAIR_ACTION_SKIP, 15));
    held.acquire();
    ListenableFuture<TopicServiceDeleteResponse> deleted =
        TopicServiceGrpc.newFutureStub(log.client.channel).delete(deletion());
    // The repair holds one worker and the deletion the other: nothing that needs one may be asked.
    while (partition.objection(anyBatch()).isEmpty()) {
      Thread.onSpinWait();
    }
    assertFalse(deleted.isDone());
    gate.countDown();
    deleted.get();
    endedOrOvertaken(repair);
    assertFalse(Files.exists(log.directory));
    log.client.create(HarmedLog.NAME, 1);
    log.append(0);
    assertEquals(HarmedLog.records(0, 5), log.seen(0));
  }

  private static CheckedBatch anyBatch() {
    BatchBuilder batch = new BatchBuilder(64).append(1, null, new byte[1], List.of());
    return (CheckedBatch) BatchCheck.version1(Bytes.of(batch.version1()));
  }

  /** Whether the deletion still meets the repair is up to how far either was. */
  private static void endedOrOvertaken(ListenableFuture<?> repair) {
    try {
      now(repair);
    } catch (io.grpc.StatusRuntimeException e) {
      assertEquals(Status.Code.NOT_FOUND, e.getStatus().getCode());
      assertEquals("UNKNOWN_TOPIC", refused(() -> now(repair)).reason());
    }
  }

  private static <T> T now(ListenableFuture<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof io.grpc.StatusRuntimeException refused) {
        throw refused;
      }
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
