package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.Status;
import io.minikafka.admin.BrokerAccess.Why;
import io.minikafka.admin.ControlPlane.Refusal;
import io.minikafka.admin.v1.TopicServiceAddPartitionsRequest;
import io.minikafka.admin.v1.TopicServiceCreateRequest;
import io.minikafka.admin.v1.TopicServiceDeleteRequest;
import io.minikafka.admin.v1.TopicServiceUpdateConfigRequest;
import io.minikafka.topic.FakeStores.FakeMeta.Fault;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Every way a call is refused, and what is told then. */
@QuarkusTest
@TestProfile(FakeBrokerProfile.class)
class TopicServiceRefusalsTest extends TopicServiceBench {
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
  void brokerThatStartsSaysSoAndHowFarItIs() {
    broker.unavailable(Why.STARTING, "the broker is recovering: 7 of 12 partitions are open");
    Refusal refusal = refused(() -> describe("t"));
    assertEquals(
        new Refusal(
            Status.Code.UNAVAILABLE,
            "STARTING",
            "the broker is recovering: 7 of 12 partitions are open",
            Map.of()),
        refusal);
  }

  @Test
  void brokerThatIsNoMoreSaysWhy() {
    broker.unavailable(Why.SHUTTING_DOWN, "the broker is stopping");
    assertEquals("SHUTTING_DOWN", refused(() -> describe("t")).reason());
    broker.unavailable(Why.STORAGE_FAILED, "the broker's storage failed: no luck");
    assertEquals(
        new Refusal(
            Status.Code.UNAVAILABLE,
            "STORAGE_FAILED",
            "the broker's storage failed: no luck",
            Map.of()),
        refused(() -> describe("t")));
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
}
