package io.minikafka.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.minikafka.admin.v1.DeleteRecordsTarget;
import io.minikafka.admin.v1.SettingSource;
import io.minikafka.admin.v1.TopicServiceAddPartitionsRequest;
import io.minikafka.admin.v1.TopicServiceDeleteRecordsRequest;
import io.minikafka.admin.v1.TopicServiceDeleteRequest;
import io.minikafka.admin.v1.TopicServiceDescribeRequest;
import io.minikafka.admin.v1.TopicServiceDescribeResponse;
import io.minikafka.admin.v1.TopicServiceUpdateConfigRequest;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.net.URI;
import org.junit.jupiter.api.Test;

/** One topic's life over the service as it is wired: real catalog, real logs. */
@QuarkusTest
class RealBrokerTest {
  private static final String NAME = "one-life";

  @TestHTTPResource URI http;

  @Test
  void topicIsCreatedChangedGrownCutAndDeleted() {
    try (ControlPlane client = new ControlPlane(http)) {
      client.awaitServing();
      String id = client.create(NAME, 2);
      client.topics.updateConfig(
          TopicServiceUpdateConfigRequest.newBuilder()
              .setName(NAME)
              .putSet("segment.bytes", "2048")
              .build());
      client.topics.addPartitions(
          TopicServiceAddPartitionsRequest.newBuilder().setName(NAME).setPartitionCount(3).build());
      var cut =
          client.topics.deleteRecords(
              TopicServiceDeleteRecordsRequest.newBuilder()
                  .setName(NAME)
                  .addTargets(DeleteRecordsTarget.newBuilder().setPartition(2).setBeforeOffset(-1))
                  .build());
      assertEquals(0, cut.getResults(0).getLogStartOffset());
      TopicServiceDescribeResponse told = describe(client);
      assertEquals(id, told.getTopic().getId());
      assertEquals("2048", told.getSettings(0).getValue());
      assertEquals(SettingSource.SETTING_SOURCE_TOPIC, told.getSettings(0).getSource());
      assertEquals(3, told.getPartitionsCount());
      assertTrue(told.getPartitionsList().stream().allMatch(p -> p.hasSizeBytes()));
      client.topics.delete(TopicServiceDeleteRequest.newBuilder().setName(NAME).build());
      assertEquals(Status.Code.NOT_FOUND, ControlPlane.refused(() -> describe(client)).code());
      assertNotEquals(id, client.create(NAME, 1));
      client.topics.delete(TopicServiceDeleteRequest.newBuilder().setName(NAME).build());
    }
  }

  private static TopicServiceDescribeResponse describe(ControlPlane client) {
    return client.topics.describe(TopicServiceDescribeRequest.newBuilder().setName(NAME).build());
  }
}
