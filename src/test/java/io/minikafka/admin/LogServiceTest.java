package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import com.google.protobuf.util.Timestamps;
import io.grpc.Status;
import io.minikafka.admin.ControlPlane.Refusal;
import io.minikafka.admin.v1.AppendRecord;
import io.minikafka.admin.v1.AppendedRecord;
import io.minikafka.admin.v1.BrokerServiceGrpc;
import io.minikafka.admin.v1.BrokerServiceListConnectionsRequest;
import io.minikafka.admin.v1.Durability;
import io.minikafka.admin.v1.FlushedPartition;
import io.minikafka.admin.v1.GroupServiceGrpc;
import io.minikafka.admin.v1.GroupServiceListRequest;
import io.minikafka.admin.v1.LogServiceAppendRequest;
import io.minikafka.admin.v1.LogServiceFlushRequest;
import io.minikafka.admin.v1.LogServiceListSegmentsRequest;
import io.minikafka.admin.v1.LogServiceListSegmentsResponse;
import io.minikafka.admin.v1.Segment;
import io.minikafka.admin.v1.TopicServiceCreateRequest;
import io.minikafka.admin.v1.TopicServiceDeleteRequest;
import io.minikafka.admin.v1.TopicServiceListRequest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Segments, appends and flushes over the service as it is wired, on real logs. */
@QuarkusTest
class LogServiceTest {
  private static final String NAME = "logs";

  @TestHTTPResource URI http;

  private ControlPlane client;

  @BeforeEach
  void connect() {
    client = new ControlPlane(http);
    client.awaitServing();
  }

  @AfterEach
  void deleteTopic() {
    try {
      client.topics.delete(TopicServiceDeleteRequest.newBuilder().setName(NAME).build());
    } finally {
      client.close();
    }
  }

  private void create(int partitions, String... settings) {
    TopicServiceCreateRequest.Builder request = client.request(NAME, partitions);
    for (int i = 0; i < settings.length; i += 2) {
      request.putSettings(settings[i], settings[i + 1]);
    }
    client.topics.create(request.build());
  }

  private static LogServiceAppendRequest.Builder appending() {
    return LogServiceAppendRequest.newBuilder().setTopic(NAME);
  }

  private static AppendRecord.Builder keyed(String key) {
    return AppendRecord.newBuilder()
        .setKey(ByteString.copyFromUtf8(key))
        .setValue(ByteString.copyFrom(new byte[600]));
  }

  private List<AppendedRecord> append(LogServiceAppendRequest.Builder request) {
    return client.logs.append(request.build()).getRecordsList();
  }

  private LogServiceListSegmentsResponse segments(int pageSize, String token) {
    return client.logs.listSegments(
        LogServiceListSegmentsRequest.newBuilder()
            .setTopic(NAME)
            .setPageSize(pageSize)
            .setPageToken(token)
            .build());
  }

  @Test
  void segmentsAreListedPageByPageAndJoin() {
    create(1, "segment.bytes", "1024");
    for (int i = 0; i < 5; i++) {
      append(appending().addRecords(keyed("k" + i).setTimestamp(Timestamps.fromMillis(1_000 + i))));
    }
    List<Segment> all = new ArrayList<>();
    String token = "";
    int pages = 0;
    do {
      LogServiceListSegmentsResponse page = segments(2, token);
      assertTrue(page.getSegmentsCount() <= 2);
      all.addAll(page.getSegmentsList());
      token = page.getNextPageToken();
      pages++;
    } while (!token.isEmpty());
    assertEquals(3, pages);
    assertEquals(5, all.size());
    for (int i = 0; i < 5; i++) {
      Segment segment = all.get(i);
      assertEquals(i, segment.getBaseOffset());
      assertEquals(i + 1, segment.getNextOffset());
      assertEquals(96 + 28 + 2 + 600, segment.getSizeBytes());
      assertEquals(1_000 + i, Timestamps.toMillis(segment.getNewestTimestamp()));
      assertTrue(segment.hasLastAppendTime());
      assertEquals(i == 4, segment.getActive());
      assertFalse(segment.getCompacted());
      assertEquals(List.of(), segment.getDamageList());
    }
  }

  @Test
  void tokenOfSegmentsIsRefusedElsewhere() {
    create(2, "segment.bytes", "1024");
    for (int i = 0; i < 3; i++) {
      append(appending().addRecords(keyed("k")));
    }
    int partition = append(appending().addRecords(keyed("k"))).getFirst().getPartition();
    LogServiceListSegmentsRequest.Builder request =
        LogServiceListSegmentsRequest.newBuilder()
            .setTopic(NAME)
            .setPartition(partition)
            .setPageSize(1);
    String token = client.logs.listSegments(request.build()).getNextPageToken();
    request.setPageToken(token);
    assertEquals(1, client.logs.listSegments(request.build()).getSegmentsCount());

    Map<String, Supplier<Object>> others =
        Map.of(
            "another partition",
            () -> client.logs.listSegments(request.setPartition(1 - partition).build()),
            "topics",
            () ->
                client.topics.list(
                    TopicServiceListRequest.newBuilder().setPageToken(token).build()),
            "groups",
            () ->
                GroupServiceGrpc.newBlockingStub(client.channel)
                    .list(GroupServiceListRequest.newBuilder().setPageToken(token).build()),
            "connections",
            () ->
                BrokerServiceGrpc.newBlockingStub(client.channel)
                    .listConnections(
                        BrokerServiceListConnectionsRequest.newBuilder()
                            .setPageToken(token)
                            .build()));
    others.forEach(
        (which, call) -> {
          Refusal refusal = refused(call);
          assertEquals(Status.Code.INVALID_ARGUMENT, refusal.code(), which);
          assertEquals(Set.of("page_token"), refusal.fields().keySet(), which);
        });
  }

  @Test
  void partitionThatWasNeverWrittenHasNoSegments() {
    create(1);
    assertEquals(LogServiceListSegmentsResponse.getDefaultInstance(), segments(0, ""));
  }

  @Test
  void listingThatCannotBeIsRefused() {
    create(1);
    Refusal negative = refused(() -> segments(-1, ""));
    assertEquals(
        new Refusal(
            Status.Code.INVALID_ARGUMENT,
            "INVALID_REQUEST",
            "page_size is -1, must be 0 or more",
            Map.of("page_size", "page_size is -1, must be 0 or more")),
        negative);
    assertEquals(Set.of("page_token"), refused(() -> segments(0, "??")).fields().keySet());
    Refusal partition =
        refused(
            () ->
                client.logs.listSegments(
                    LogServiceListSegmentsRequest.newBuilder()
                        .setTopic(NAME)
                        .setPartition(1)
                        .build()));
    assertEquals(Status.Code.NOT_FOUND, partition.code());
    assertEquals("topic 'logs' has no partition 1; there are 0 … 0", partition.message());
    Refusal topic =
        refused(
            () ->
                client.logs.listSegments(
                    LogServiceListSegmentsRequest.newBuilder().setTopic("nope").build()));
    assertEquals(
        new Refusal(Status.Code.NOT_FOUND, "UNKNOWN_TOPIC", "there is no topic 'nope'", Map.of()),
        topic);
  }

  @Test
  void recordsGoWhereTheirKeysBelongAndAreAnsweredInOrder() {
    create(4);
    LogServiceAppendRequest.Builder request = appending();
    for (int i = 0; i < 20; i++) {
      request.addRecords(keyed("key-" + i));
    }
    List<AppendedRecord> told = append(request);
    long[] next = new long[4];
    Set<Integer> partitions = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      int partition = io.minikafka.record.KeyHash.partition(("key-" + i).getBytes(), 4);
      assertEquals(partition, told.get(i).getPartition());
      assertEquals(next[partition]++, told.get(i).getOffset());
      assertEquals("", told.get(i).getError());
      partitions.add(partition);
    }
    assertEquals(4, partitions.size());
  }

  @Test
  void durabilityIsWhatWasAskedForOrTheTopicsOwn() {
    create(1, "flush.policy", "none");
    AppendedRecord written = append(appending().addRecords(keyed("k"))).getFirst();
    assertEquals(Durability.DURABILITY_WRITTEN, written.getDurability());
    AppendedRecord flushed =
        append(appending().addRecords(keyed("k")).setDurability(Durability.DURABILITY_FLUSHED))
            .getFirst();
    assertEquals(Durability.DURABILITY_FLUSHED, flushed.getDurability());
    assertEquals(1, flushed.getOffset());
  }

  @Test
  void appendThatIsOnlyValidatedAppendsNothing() {
    create(3);
    List<AppendedRecord> told =
        append(appending().setPartition(2).addRecords(keyed("k")).setValidateOnly(true));
    assertEquals(List.of(AppendedRecord.newBuilder().setPartition(2).build()), told);
    assertEquals(0, append(appending().setPartition(2).addRecords(keyed("k"))).get(0).getOffset());
  }

  @Test
  void appendsThatCannotBeAreRefusedAndNothingIsAppended() {
    create(1, "max.message.bytes", "1024", "cleanup.policy", "compact");
    Refusal none = refused(() -> append(appending()));
    assertEquals(Map.of("records", "records are 0, must be 1 to 100"), none.fields());
    LogServiceAppendRequest.Builder many = appending();
    for (int i = 0; i < 101; i++) {
      many.addRecords(AppendRecord.newBuilder().setKey(ByteString.copyFromUtf8("k")));
    }
    assertEquals(
        Map.of("records", "records are 101, must be 1 to 100"),
        refused(() -> append(many)).fields());
    Refusal large =
        refused(() -> append(appending().addRecords(keyed("a")).addRecords(keyed("b"))));
    assertEquals(Status.Code.INVALID_ARGUMENT, large.code());
    assertEquals("MESSAGE_TOO_LARGE", large.reason());
    assertEquals(Set.of("records"), large.fields().keySet());
    Refusal keyless = refused(() -> append(appending().addRecords(AppendRecord.newBuilder())));
    assertEquals("INVALID_REQUEST", keyless.reason());
    assertEquals(Set.of("records"), keyless.fields().keySet());
    Refusal durability =
        refused(() -> append(appending().addRecords(keyed("a")).setDurabilityValue(7)));
    assertEquals(Map.of("durability", "durability is 7, must be 0 to 2"), durability.fields());
    Refusal time =
        refused(
            () ->
                append(
                    appending()
                        .addRecords(
                            keyed("a")
                                .setTimestamp(
                                    com.google.protobuf.Timestamp.newBuilder().setNanos(-1)))));
    assertEquals(Set.of("records.timestamp"), time.fields().keySet());
    Refusal partition = refused(() -> append(appending().setPartition(-1).addRecords(keyed("a"))));
    assertEquals(Status.Code.NOT_FOUND, partition.code());
    Refusal internal =
        refused(() -> append(appending().setTopic("__consumer_offsets").addRecords(keyed("a"))));
    assertEquals(Status.Code.PERMISSION_DENIED, internal.code());
    assertEquals("FORBIDDEN", internal.reason());
    assertEquals(0, append(appending().addRecords(keyed("a"))).getFirst().getOffset());
  }

  @Test
  void flushMakesDurableWhatWasOnlyWritten() {
    create(3, "flush.policy", "none");
    append(appending().setPartition(1).addRecords(keyed("a")));
    FlushedPartition one =
        client
            .logs
            .flush(LogServiceFlushRequest.newBuilder().setTopic(NAME).setPartition(1).build())
            .getPartitions(0);
    assertEquals(
        FlushedPartition.newBuilder().setTopic(NAME).setPartition(1).setDurableOffset(1).build(),
        one);
    append(appending().setPartition(2).addRecords(keyed("a")));
    List<FlushedPartition> topic =
        client
            .logs
            .flush(LogServiceFlushRequest.newBuilder().setTopic(NAME).build())
            .getPartitionsList();
    assertEquals(
        List.of(0L, 1L, 1L), topic.stream().map(FlushedPartition::getDurableOffset).toList());
    append(appending().setPartition(0).addRecords(keyed("a")));
    List<FlushedPartition> all =
        client.logs.flush(LogServiceFlushRequest.getDefaultInstance()).getPartitionsList();
    assertEquals(
        List.of(FlushedPartition.newBuilder().setTopic(NAME).setDurableOffset(1).build()), all);
  }

  @Test
  void flushOfWhatIsNotThereIsRefused() {
    create(1);
    Refusal unnamed =
        refused(
            () -> client.logs.flush(LogServiceFlushRequest.newBuilder().setPartition(0).build()));
    assertEquals(Map.of("topic", "a partition is named, but no topic"), unnamed.fields());
    assertEquals(
        "UNKNOWN_TOPIC",
        refused(() -> client.logs.flush(LogServiceFlushRequest.newBuilder().setTopic("no").build()))
            .reason());
  }
}
