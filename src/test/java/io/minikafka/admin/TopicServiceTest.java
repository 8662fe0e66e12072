package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.minikafka.PartitionId;
import io.minikafka.admin.ControlPlane.Refusal;
import io.minikafka.admin.v1.DeleteRecordsResult;
import io.minikafka.admin.v1.DeleteRecordsTarget;
import io.minikafka.admin.v1.Partition;
import io.minikafka.admin.v1.Setting;
import io.minikafka.admin.v1.SettingSource;
import io.minikafka.admin.v1.Topic;
import io.minikafka.admin.v1.TopicServiceAddPartitionsRequest;
import io.minikafka.admin.v1.TopicServiceCreateRequest;
import io.minikafka.admin.v1.TopicServiceDeleteRecordsRequest;
import io.minikafka.admin.v1.TopicServiceDeleteRequest;
import io.minikafka.admin.v1.TopicServiceDescribeRequest;
import io.minikafka.admin.v1.TopicServiceDescribeResponse;
import io.minikafka.admin.v1.TopicServiceListRequest;
import io.minikafka.admin.v1.TopicServiceListResponse;
import io.minikafka.admin.v1.TopicServiceUpdateConfigRequest;
import io.minikafka.topic.FakeStores.FakeMeta.Fault;
import io.minikafka.topic.Fixtures;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every call, over a real channel: what it does and every way it is refused. */
@QuarkusTest
@TestProfile(FakeBrokerProfile.class)
class TopicServiceTest {
  @Inject FakeBroker broker;

  @TestHTTPResource URI http;

  private ControlPlane client;

  @BeforeEach
  void connect() {
    broker.restart();
    client = new ControlPlane(http);
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  private TopicServiceDescribeResponse describe(String name) {
    return client.topics.describe(TopicServiceDescribeRequest.newBuilder().setName(name).build());
  }

  private void append(String topic, int partition, int records) {
    var live = broker.topic(topic).orElseThrow().partition(partition).orElseThrow();
    for (int i = 0; i < records; i++) {
      Fixtures.append(live);
    }
  }

  private static Map<String, String> own(List<Setting> settings) {
    return settings.stream()
        .filter(setting -> setting.getSource() == SettingSource.SETTING_SOURCE_TOPIC)
        .collect(java.util.stream.Collectors.toMap(Setting::getKey, Setting::getValue));
  }

  private static TopicServiceDeleteRecordsRequest.Builder deletion(
      String name, long... partitionsAndOffsets) {
    var request = TopicServiceDeleteRecordsRequest.newBuilder().setName(name);
    for (int i = 0; i < partitionsAndOffsets.length; i += 2) {
      request.addTargets(
          DeleteRecordsTarget.newBuilder()
              .setPartition((int) partitionsAndOffsets[i])
              .setBeforeOffset(partitionsAndOffsets[i + 1]));
    }
    return request;
  }

  @Test
  void createdTopicIsDescribedWithItsSettingsAndWhereTheyComeFrom() {
    String id =
        client
            .topics
            .create(client.request("t", 2).putSettings("retention.ms", "5").build())
            .getTopic()
            .getId();
    append("t", 1, 3);
    TopicServiceDescribeResponse told = describe("t");
    assertEquals(
        Topic.newBuilder().setName("t").setId(id).setPartitionCount(2).build(), told.getTopic());
    assertEquals(broker.topic("t").orElseThrow().id(), UUID.fromString(id));
    assertEquals(Map.of("retention.ms", "5"), own(told.getSettingsList()));
    assertEquals(8, told.getSettingsCount());
    assertEquals(
        Setting.newBuilder()
            .setKey("segment.bytes")
            .setValue("67108864")
            .setSource(SettingSource.SETTING_SOURCE_BROKER_DEFAULT)
            .setAllowed("1024 to 1073741824 bytes")
            .setDescription(told.getSettings(0).getDescription())
            .build(),
        told.getSettings(0));
    assertFalse(told.getSettings(0).getDescription().isEmpty());
    assertEquals(
        Partition.newBuilder()
            .setPartition(1)
            .setEpoch(1)
            .setHighWatermark(3)
            .setLogEndOffset(3)
            .build(),
        told.getPartitions(1));
  }

  @Test
  void everyWrongFieldOfACreationIsNamedWhereItStands() {
    Refusal refusal =
        refused(
            () ->
                client.topics.create(
                    client.request("../x", 0).putSettings("segment.bytes", "1").build()));
    assertEquals(Status.Code.INVALID_ARGUMENT, refusal.code());
    assertEquals("INVALID_REQUEST", refusal.reason());
    assertEquals(
        Map.of(
            "name",
            "topic name has an illegal character at index 2; legal are A-Z a-z 0-9 . _ -",
            "partition_count",
            "partition count 0 is outside 1 … 10000",
            "settings[\"segment.bytes\"]",
            "segment.bytes is 1, must be 1024 to 1073741824 bytes"),
        refusal.fields());
  }

  @Test
  void requestWithMoreErrorsThanTrailersHoldIsStillRefusedWithDetails() {
    TopicServiceCreateRequest.Builder request = client.request("t", 1);
    for (int i = 0; i < 500; i++) {
      request.putSettings(i + "é".repeat(100), "x");
    }
    Refusal refusal = refused(() -> client.topics.create(request.build()));
    assertEquals(Status.Code.INVALID_ARGUMENT, refusal.code());
    assertEquals(5, refusal.fields().size());
  }

  @Test
  void requestBeyondTheBoundOfMessagesIsRefused() {
    Refusal refusal = refused(() -> client.create("t".repeat(5 << 20), 1));
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, refusal.code());
  }

  @Test
  void takenNameIsRefused() {
    client.create("t", 1);
    Refusal refusal = refused(() -> client.create("t", 1));
    assertEquals(
        new Refusal(
            Status.Code.ALREADY_EXISTS, "TOPIC_EXISTS", "topic 't' exists already", Map.of()),
        refusal);
  }

  @Test
  void limitIsNamed() {
    broker.stores().limit = 3;
    Refusal refusal = refused(() -> client.create("t", 4));
    assertEquals(
        new Refusal(
            Status.Code.RESOURCE_EXHAUSTED,
            "LIMIT_REACHED",
            "4 partitions are more than the limit 3",
            Map.of()),
        refusal);
  }

  @Test
  void storageThatFailsIsToldWithoutDetailsOfTheCode() {
    broker.stores().meta.fault = Optional.of(Fault.BEFORE);
    Refusal refusal = refused(() -> client.create("t", 4));
    assertEquals(
        new Refusal(
            Status.Code.INTERNAL,
            "STORAGE_FAILED",
            "the topic catalog could not be written (no luck); nothing was changed",
            Map.of()),
        refusal);
  }

  @Test
  void bugIsToldByNothingButItsBeingOne() {
    broker.stores().bug = Optional.of(new IllegalStateException("secret at Line.java:7"));
    Refusal refusal = refused(() -> client.create("t", 4));
    assertEquals(
        new Refusal(
            Status.Code.INTERNAL,
            "INTERNAL_ERROR",
            "internal error; the broker's log has more",
            Map.of()),
        refusal);
  }

  @Test
  void brokerThatIsNotThereIsUnavailableWithItsReason() {
    broker.unavailable("the broker is starting: 7 of 12 partitions are open");
    Refusal refusal = refused(() -> describe("t"));
    assertEquals(
        new Refusal(
            Status.Code.UNAVAILABLE,
            "SHUTTING_DOWN",
            "the broker is starting: 7 of 12 partitions are open",
            Map.of()),
        refusal);
  }

  @Test
  void trialsAnswerLikeTheChangeAndChangeNothing() {
    String id = client.create("t", 2);
    append("t", 0, 3);
    TopicServiceDescribeResponse before = describe("t");
    assertEquals(
        new UUID(0, 0).toString(),
        client
            .topics
            .create(client.request("u", 1).setValidateOnly(true).build())
            .getTopic()
            .getId());
    assertEquals(
        Map.of("retention.ms", "5"),
        own(
            client
                .topics
                .updateConfig(
                    TopicServiceUpdateConfigRequest.newBuilder()
                        .setName("t")
                        .putSet("retention.ms", "5")
                        .setValidateOnly(true)
                        .build())
                .getSettingsList()));
    assertEquals(
        9,
        client
            .topics
            .addPartitions(
                TopicServiceAddPartitionsRequest.newBuilder()
                    .setName("t")
                    .setPartitionCount(9)
                    .setValidateOnly(true)
                    .build())
            .getTopic()
            .getPartitionCount());
    assertEquals(
        2,
        client
            .topics
            .deleteRecords(deletion("t", 0, 2).setValidateOnly(true).build())
            .getResults(0)
            .getLogStartOffset());
    assertEquals(
        id,
        client
            .topics
            .delete(
                TopicServiceDeleteRequest.newBuilder().setName("t").setValidateOnly(true).build())
            .getTopic()
            .getId());
    assertEquals(before, describe("t"));
    assertEquals(Optional.empty(), broker.topic("u"));
  }

  @Test
  void topicsAreListedByNamePageByPage() {
    for (String name : List.of("d", "a", "c", "e", "b")) {
      client.create(name, 1);
    }
    List<String> pages = new ArrayList<>();
    String token = "";
    do {
      TopicServiceListResponse page =
          client.topics.list(
              TopicServiceListRequest.newBuilder().setPageSize(2).setPageToken(token).build());
      pages.add(String.join(" ", page.getTopicsList().stream().map(Topic::getName).toList()));
      token = page.getNextPageToken();
    } while (!token.isEmpty());
    assertEquals(List.of("a b", "c d", "e"), pages);
  }

  @Test
  void pageThatIsExactlyFullAtTheEndHasNoNext() {
    client.create("a", 1);
    client.create("b", 1);
    TopicServiceListResponse page =
        client.topics.list(TopicServiceListRequest.newBuilder().setPageSize(2).build());
    assertEquals("", page.getNextPageToken());
  }

  @Test
  void negativePageSizeIsRefused() {
    Refusal refusal =
        refused(
            () -> client.topics.list(TopicServiceListRequest.newBuilder().setPageSize(-1).build()));
    assertEquals(Status.Code.INVALID_ARGUMENT, refusal.code());
    assertEquals(Map.of("page_size", "page_size is -1, must be 0 or more"), refusal.fields());
  }

  @Test
  void brokersOwnTopicsAreListedOnlyWhenAskedForAndCannotBeChanged() {
    broker.topics().ensureInternal("__x", 1, List.of()).join();
    assertEquals(
        0, client.topics.list(TopicServiceListRequest.getDefaultInstance()).getTopicsCount());
    Topic listed =
        client
            .topics
            .list(TopicServiceListRequest.newBuilder().setIncludeInternal(true).build())
            .getTopics(0);
    assertTrue(listed.getInternal());
    assertTrue(describe("__x").getTopic().getInternal());
    Refusal forbidden =
        new Refusal(
            Status.Code.PERMISSION_DENIED,
            "FORBIDDEN",
            "topic '__x' belongs to the broker and cannot be changed",
            Map.of());
    assertEquals(
        forbidden,
        refused(
            () ->
                client.topics.delete(
                    TopicServiceDeleteRequest.newBuilder().setName("__x").build())));
    assertEquals(
        forbidden,
        refused(
            () ->
                client.topics.updateConfig(
                    TopicServiceUpdateConfigRequest.newBuilder().setName("__x").build())));
    assertEquals(
        forbidden,
        refused(
            () ->
                client.topics.addPartitions(
                    TopicServiceAddPartitionsRequest.newBuilder()
                        .setName("__x")
                        .setPartitionCount(2)
                        .build())));
    assertEquals(
        forbidden, refused(() -> client.topics.deleteRecords(deletion("__x", 0, 0).build())));
  }

  @Test
  void callsThatNameATopicThatIsNotThereSaySo() {
    Refusal missing =
        new Refusal(Status.Code.NOT_FOUND, "UNKNOWN_TOPIC", "there is no topic 'nobody'", Map.of());
    assertEquals(missing, refused(() -> describe("nobody")));
    assertEquals(
        missing,
        refused(
            () ->
                client.topics.delete(
                    TopicServiceDeleteRequest.newBuilder().setName("nobody").build())));
    assertEquals(
        missing,
        refused(
            () ->
                client.topics.updateConfig(
                    TopicServiceUpdateConfigRequest.newBuilder().setName("nobody").build())));
    assertEquals(
        missing,
        refused(
            () ->
                client.topics.addPartitions(
                    TopicServiceAddPartitionsRequest.newBuilder()
                        .setName("nobody")
                        .setPartitionCount(2)
                        .build())));
    assertEquals(
        missing, refused(() -> client.topics.deleteRecords(deletion("nobody", 0, 0).build())));
  }

  @Test
  void deletedTopicIsGoneAndOneCreatedAgainHasAnotherId() {
    String first = client.create("t", 1);
    Topic deleted =
        client
            .topics
            .delete(TopicServiceDeleteRequest.newBuilder().setName("t").build())
            .getTopic();
    assertEquals(first, deleted.getId());
    assertEquals(Status.Code.NOT_FOUND, refused(() -> describe("t")).code());
    assertNotEquals(first, client.create("t", 1));
  }

  @Test
  void settingsAreSetAndResetTogether() {
    client.topics.create(client.request("t", 1).putSettings("retention.ms", "5").build());
    List<Setting> settings =
        client
            .topics
            .updateConfig(
                TopicServiceUpdateConfigRequest.newBuilder()
                    .setName("t")
                    .putSet("segment.bytes", "2048")
                    .addReset("retention.ms")
                    .build())
            .getSettingsList();
    assertEquals(Map.of("segment.bytes", "2048"), own(settings));
    UUID id = broker.topic("t").orElseThrow().id();
    assertEquals(2048, broker.stores().store(new PartitionId(id, 0)).settings.segmentBytes());
  }

  @Test
  void settingThatIsBothSetAndResetIsRefused() {
    client.create("t", 1);
    Refusal refusal =
        refused(
            () ->
                client.topics.updateConfig(
                    TopicServiceUpdateConfigRequest.newBuilder()
                        .setName("t")
                        .putSet("retention.ms", "7")
                        .addReset("retention.ms")
                        .build()));
    assertEquals(Map.of("set[\"retention.ms\"]", "retention.ms is given twice"), refusal.fields());
  }

  @Test
  void partitionsAreAddedAndNeverTakenAway() {
    client.create("t", 2);
    var request = TopicServiceAddPartitionsRequest.newBuilder().setName("t");
    assertEquals(
        5,
        client
            .topics
            .addPartitions(request.setPartitionCount(5).build())
            .getTopic()
            .getPartitionCount());
    assertEquals(5, describe("t").getPartitionsCount());
    Refusal refusal =
        refused(() -> client.topics.addPartitions(request.setPartitionCount(4).build()));
    assertEquals(
        Map.of(
            "partition_count",
            "partition count 4 must be more than the 5 there are; partitions cannot be taken away"),
        refusal.fields());
  }

  @Test
  void recordsAreDeletedUpToAnOffsetOrAllThatAreVisible() {
    client.create("t", 3);
    append("t", 0, 5);
    append("t", 2, 5);
    var results =
        client.topics.deleteRecords(deletion("t", 2, 3, 0, -1, 1, 0).build()).getResultsList();
    assertEquals(List.of(result(2, 3), result(0, 5), result(1, 0)), results);
    assertEquals(3, describe("t").getPartitions(2).getLogStartOffset());
  }

  private static DeleteRecordsResult result(int partition, long start) {
    return DeleteRecordsResult.newBuilder()
        .setPartition(partition)
        .setLogStartOffset(start)
        .build();
  }

  @Test
  void offsetBelowTheLogStartDeletesNothing() {
    client.create("t", 1);
    append("t", 0, 5);
    client.topics.deleteRecords(deletion("t", 0, 3).build());
    assertEquals(
        List.of(result(0, 3)),
        client.topics.deleteRecords(deletion("t", 0, 1).build()).getResultsList());
  }

  @Test
  void deletionsThatCannotBeAreRefusedAndNothingIsDeleted() {
    client.create("t", 2);
    append("t", 0, 5);
    Refusal beyond = refused(() -> client.topics.deleteRecords(deletion("t", 0, 2, 1, 1).build()));
    assertEquals(
        new Refusal(
            Status.Code.OUT_OF_RANGE,
            "OFFSET_OUT_OF_RANGE",
            "offset 1 of partition 1 is above its high watermark 0",
            Map.of()),
        beyond);
    Refusal negative = refused(() -> client.topics.deleteRecords(deletion("t", 0, -2).build()));
    assertEquals(
        Map.of(
            "targets.before_offset",
            "offset -2 of partition 0 must be -1 (the high watermark) or more"),
        negative.fields());
    Refusal partition =
        refused(() -> client.topics.deleteRecords(deletion("t", 0, 2, 2, 0).build()));
    assertEquals(
        new Refusal(
            Status.Code.NOT_FOUND,
            "UNKNOWN_TOPIC",
            "topic 't' has no partition 2; there are 0 … 1",
            Map.of()),
        partition);
    Refusal twice = refused(() -> client.topics.deleteRecords(deletion("t", 0, 2, 0, 2).build()));
    assertEquals(Map.of("targets", "partition 0 is named twice"), twice.fields());
    Refusal none = refused(() -> client.topics.deleteRecords(deletion("t").build()));
    assertEquals(Map.of("targets", "no partition is named"), none.fields());
    assertEquals(0, describe("t").getPartitions(0).getLogStartOffset());
  }
}
