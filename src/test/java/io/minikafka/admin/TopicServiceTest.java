package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.minikafka.PartitionId;
import io.minikafka.admin.ControlPlane.Refusal;
import io.minikafka.admin.v1.Partition;
import io.minikafka.admin.v1.Setting;
import io.minikafka.admin.v1.SettingSource;
import io.minikafka.admin.v1.Topic;
import io.minikafka.admin.v1.TopicServiceAddPartitionsRequest;
import io.minikafka.admin.v1.TopicServiceDeleteRequest;
import io.minikafka.admin.v1.TopicServiceDescribeResponse;
import io.minikafka.admin.v1.TopicServiceListRequest;
import io.minikafka.admin.v1.TopicServiceUpdateConfigRequest;
import io.minikafka.topic.SettingKey;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What each call does. */
@QuarkusTest
@TestProfile(FakeBrokerProfile.class)
class TopicServiceTest extends TopicServiceBench {
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
    assertEquals(SettingKey.values().length, told.getSettingsCount());
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
}
