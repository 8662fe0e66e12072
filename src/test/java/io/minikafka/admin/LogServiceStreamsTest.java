package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.minikafka.admin.ControlPlane.Refusal;
import io.minikafka.admin.v1.AppendRecord;
import io.minikafka.admin.v1.LogServiceAppendRequest;
import io.minikafka.admin.v1.LogServiceRepairPartitionRequest;
import io.minikafka.admin.v1.LogServiceTailRequest;
import io.minikafka.admin.v1.LogServiceTailResponse;
import io.minikafka.admin.v1.LogServiceVerifyRequest;
import io.minikafka.admin.v1.LogServiceVerifyResponse;
import io.minikafka.admin.v1.Payload;
import io.minikafka.admin.v1.RecordHeader;
import io.minikafka.admin.v1.RepairAction;
import io.minikafka.admin.v1.TailedRecord;
import io.minikafka.admin.v1.TopicServiceDeleteRequest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Verify, Tail and RepairPartition over the service as it is wired, on logs that are well. */
@QuarkusTest
class LogServiceStreamsTest {
  private static final String NAME = "streams";

  @TestHTTPResource URI http;

  private ControlPlane client;

  @BeforeEach
  void connect() {
    client = new ControlPlane(http);
    client.awaitServing();
    client.create(NAME, 2);
  }

  @AfterEach
  void deleteTopic() {
    try {
      if (client
          .topics
          .list(io.minikafka.admin.v1.TopicServiceListRequest.getDefaultInstance())
          .getTopicsList()
          .stream()
          .anyMatch(topic -> topic.getName().equals(NAME))) {
        client.topics.delete(TopicServiceDeleteRequest.newBuilder().setName(NAME).build());
      }
    } finally {
      client.close();
    }
  }

  private void append(String... values) {
    LogServiceAppendRequest.Builder request =
        LogServiceAppendRequest.newBuilder().setTopic(NAME).setPartition(0);
    for (String value : values) {
      request.addRecords(AppendRecord.newBuilder().setValue(ByteString.copyFromUtf8(value)));
    }
    client.logs.append(request.build());
  }

  private static LogServiceTailRequest.Builder tailing() {
    return LogServiceTailRequest.newBuilder().setTopic(NAME);
  }

  private List<TailedRecord> tail(LogServiceTailRequest.Builder request) {
    List<TailedRecord> records = new ArrayList<>();
    client.logs.tail(request.build()).forEachRemaining(part -> records.add(part.getRecord()));
    return records;
  }

  private List<String> values(LogServiceTailRequest.Builder request) {
    return tail(request).stream().map(record -> record.getValue().getText()).toList();
  }

  @Test
  void tailBeginsWhereItIsToldAndEndsAtTheEnd() {
    for (int i = 0; i < 15; i++) {
      append("v" + i);
    }
    assertEquals(10, values(tailing()).size());
    assertEquals(List.of("v13", "v14"), values(tailing().setNewest(2)));
    assertEquals(15, values(tailing().setNewest(1000)).size());
    assertEquals(List.of(), values(tailing().setNewest(0)));
    assertEquals(List.of("v7", "v8"), values(tailing().setFromOffset(7).setMaxRecords(2)));
    assertEquals(List.of(), values(tailing().setFromOffset(15)));
    assertEquals(
        15, values(tailing().setFromTime(Timestamps.fromMillis(1_000))).size(), "since long ago");
    assertEquals(
        List.of(),
        values(tailing().setFromTime(Timestamps.parseUnchecked("9999-01-01T00:00:00Z"))));
  }

  @Test
  void recordsAreToldAsTheyAreAndLongOnesAreCut() {
    byte[] bytes = {(byte) 0xff, 0, 1};
    client.logs.append(
        LogServiceAppendRequest.newBuilder()
            .setTopic(NAME)
            .setPartition(0)
            .addRecords(
                AppendRecord.newBuilder()
                    .setKey(ByteString.copyFrom(bytes))
                    .setTimestamp(Timestamps.fromMillis(1_234))
                    .addHeaders(
                        RecordHeader.newBuilder()
                            .setKey("h")
                            .setValue(ByteString.copyFromUtf8("x")))
                    .addHeaders(RecordHeader.newBuilder().setKey("none")))
            .addRecords(
                AppendRecord.newBuilder().setValue(ByteString.copyFromUtf8("aé".repeat(100))))
            .build());
    List<TailedRecord> told = tail(tailing().setMaxPayloadBytes(5));
    TailedRecord first = told.get(0);
    assertEquals(
        Payload.newBuilder().setData(ByteString.copyFrom(bytes)).setSizeBytes(3).build(),
        first.getKey());
    assertFalse(first.hasValue());
    assertEquals(1_234, Timestamps.toMillis(first.getTimestamp()));
    assertTrue(first.hasAppendTime());
    assertEquals(2, first.getHeaderCount());
    assertEquals("x", first.getHeaders(0).getValue().getText());
    assertFalse(first.getHeaders(1).hasValue());
    Payload cut = told.get(1).getValue();
    assertFalse(told.get(1).hasKey());
    assertEquals(300, cut.getSizeBytes());
    assertEquals(5, cut.getData().size());
    assertEquals("aéa", cut.getText(), "no half character");
  }

  @Test
  void tailFollowsUntilItIsCancelled() throws InterruptedException {
    append("old");
    cancellable(
        context -> {
          Iterator<LogServiceTailResponse> parts =
              client.logs.tail(tailing().setFollow(true).build());
          assertEquals("old", parts.next().getRecord().getValue().getText());
          append("new");
          assertEquals("new", parts.next().getRecord().getValue().getText());
          context.cancel(null);
          StatusRuntimeException ended = assertThrows(StatusRuntimeException.class, parts::hasNext);
          assertEquals(Status.Code.CANCELLED, ended.getStatus().getCode());
        });
  }

  private static void cancellable(Consumer<Context.CancellableContext> work) {
    Context.CancellableContext context = Context.current().withCancellation();
    context.run(() -> work.accept(context));
  }

  @Test
  void tailEndsWithItsTopicAndKeepsToItsDeadline() {
    append("old");
    Iterator<LogServiceTailResponse> parts = client.logs.tail(tailing().setFollow(true).build());
    parts.next();
    client.topics.delete(TopicServiceDeleteRequest.newBuilder().setName(NAME).build());
    Refusal gone = refused(parts::hasNext);
    assertEquals(Status.Code.NOT_FOUND, gone.code());
    assertEquals("UNKNOWN_TOPIC", gone.reason());
    client.create(NAME, 1);
    StatusRuntimeException late =
        assertThrows(
            StatusRuntimeException.class,
            () ->
                client
                    .logs
                    .withDeadlineAfter(300, TimeUnit.MILLISECONDS)
                    .tail(tailing().setFollow(true).build())
                    .hasNext());
    assertEquals(Status.Code.DEADLINE_EXCEEDED, late.getStatus().getCode());
  }

  @Test
  void tailsThatCannotBeAreRefused() {
    append("old");
    Refusal beyond = refused(() -> values(tailing().setFromOffset(2)));
    assertEquals(Status.Code.OUT_OF_RANGE, beyond.code());
    assertEquals("OFFSET_OUT_OF_RANGE", beyond.reason());
    Map<String, LogServiceTailRequest.Builder> wrong =
        Map.of(
            "from_offset", tailing().setFromOffset(-1),
            "newest", tailing().setNewest(1_000_001),
            "max_records", tailing().setMaxRecords(-1),
            "max_records_per_second", tailing().setMaxRecordsPerSecond(10_001),
            "max_payload_bytes", tailing().setMaxPayloadBytes(65_537));
    wrong.forEach(
        (field, request) -> {
          Refusal refusal = refused(() -> values(request));
          assertEquals(Status.Code.INVALID_ARGUMENT, refusal.code());
          assertEquals(Set.of(field), refusal.fields().keySet());
        });
    assertEquals(Status.Code.NOT_FOUND, refused(() -> values(tailing().setPartition(2))).code());
    assertEquals(Status.Code.NOT_FOUND, refused(() -> values(tailing().setTopic("nope"))).code());
  }

  @Test
  void asManyTailsAsMayBeAndThePlaceOfOneThatEnded() {
    cancellable(
        context -> {
          List<Iterator<LogServiceTailResponse>> open = new ArrayList<>();
          append("old");
          for (int i = 0; i < 20; i++) {
            open.add(client.logs.tail(tailing().setFollow(true).build()));
            open.getLast().next();
          }
          Refusal full = refused(() -> values(tailing()));
          assertEquals(Status.Code.RESOURCE_EXHAUSTED, full.code());
          assertEquals("LIMIT_REACHED", full.reason());
          context.cancel(null);
        });
    long giveUp = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
    while (true) {
      try {
        assertEquals(1, values(tailing()).size());
        return;
      } catch (StatusRuntimeException e) {
        assertTrue(System.nanoTime() < giveUp, "places are not given back");
      }
    }
  }

  private List<LogServiceVerifyResponse> verify(LogServiceVerifyRequest.Builder request) {
    List<LogServiceVerifyResponse> parts = new ArrayList<>();
    client.logs.verify(request.build()).forEachRemaining(parts::add);
    return parts;
  }

  @Test
  void verifyReadsAllBytesAndTellsTheEndOfEachPartition() {
    for (int i = 0; i < 50; i++) {
      append("value " + i);
    }
    long bytes = 50L * (96 + 28) + 10 * 7 + 40 * 8;
    List<LogServiceVerifyResponse> parts =
        verify(LogServiceVerifyRequest.newBuilder().setTopic(NAME));
    LogServiceVerifyResponse last = parts.getLast();
    assertEquals(2, last.getPartitionCount());
    assertEquals(2, last.getCheckedPartitionCount());
    assertEquals(bytes, last.getCheckedBytes());
    assertEquals(bytes, last.getTotalBytes());
    assertTrue(parts.stream().allMatch(part -> part.getFindingsCount() == 0));
    LogServiceVerifyResponse one =
        verify(LogServiceVerifyRequest.newBuilder().setTopic(NAME).setPartition(1)).getLast();
    assertEquals(0, one.getCheckedBytes());
    assertEquals(1, one.getCheckedPartitionCount());
    assertTrue(verify(LogServiceVerifyRequest.newBuilder()).getLast().getCheckedBytes() >= bytes);
  }

  @Test
  void verificationsThatCannotBeAreRefused() {
    Refusal topic = refused(() -> verify(LogServiceVerifyRequest.newBuilder().setTopic("nope")));
    assertEquals(Status.Code.NOT_FOUND, topic.code());
    assertEquals("UNKNOWN_TOPIC", topic.reason());
    Refusal unnamed = refused(() -> verify(LogServiceVerifyRequest.newBuilder().setPartition(0)));
    assertEquals(Map.of("topic", "a partition is named, but no topic"), unnamed.fields());
  }

  @Test
  void repairsThatCannotBeAreRefused() {
    append("old");
    LogServiceRepairPartitionRequest.Builder request =
        LogServiceRepairPartitionRequest.newBuilder().setTopic(NAME);
    Refusal unsaid = refused(() -> client.logs.repairPartition(request.build()));
    assertEquals(Map.of("action", "action is 0, must be 1 (skip) or 2 (cut)"), unsaid.fields());
    for (RepairAction action :
        List.of(RepairAction.REPAIR_ACTION_SKIP, RepairAction.REPAIR_ACTION_CUT)) {
      Refusal well = refused(() -> client.logs.repairPartition(request.setAction(action).build()));
      assertEquals(
          new Refusal(
              Status.Code.FAILED_PRECONDITION,
              "NOT_DAMAGED",
              "streams-0: offset 0 is not damaged; nothing in this partition is known to be",
              Map.of()),
          well);
    }
    Refusal own =
        refused(
            () ->
                client.logs.repairPartition(
                    request.clone().setTopic("__consumer_offsets").build()));
    assertEquals(Status.Code.FAILED_PRECONDITION, own.code());
    assertEquals("NOT_POSSIBLE", own.reason());
    assertEquals(
        Status.Code.NOT_FOUND,
        refused(() -> client.logs.repairPartition(request.setPartition(9).build())).code());
  }
}
