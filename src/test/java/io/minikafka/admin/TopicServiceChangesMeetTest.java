package io.minikafka.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.minikafka.admin.v1.TopicServiceAddPartitionsRequest;
import io.minikafka.admin.v1.TopicServiceDeleteRequest;
import io.minikafka.admin.v1.TopicServiceDescribeResponse;
import io.minikafka.admin.v1.TopicServiceListRequest;
import io.minikafka.admin.v1.TopicServiceUpdateConfigRequest;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes of one topic that are asked for at the same time, and those who look meanwhile. */
@QuarkusTest
@Timeout(60)
@TestProfile(FakeBrokerProfile.class)
class TopicServiceChangesMeetTest extends TopicServiceBench {
  @Test
  void ofManyWhoAddPartitionsNoneTakesAnyAway() throws Exception {
    client.create("t", 1);
    AtomicInteger next = new AtomicInteger(1);
    List<String> outcomes =
        together(
            12,
            () -> {
              int count = next.incrementAndGet();
              return outcome(
                  () ->
                      client.topics.addPartitions(
                          TopicServiceAddPartitionsRequest.newBuilder()
                              .setName("t")
                              .setPartitionCount(count)
                              .build()));
            });
    // The largest is never too late; who comes behind it is told that there are more already.
    assertTrue(
        outcomes.stream().allMatch(one -> one.isEmpty() || one.equals("INVALID_ARGUMENT")),
        outcomes::toString);
    assertEquals(13, describe("t").getPartitionsCount());
    assertEquals(13, broker.stores().open.size());
  }

  @Test
  void settingsAreThoseOfOneChangeAndNeverOfTwo() throws Exception {
    client.create("t", 1);
    AtomicInteger next = new AtomicInteger();
    List<String> outcomes =
        together(
            12,
            () -> {
              int number = next.incrementAndGet();
              return outcome(
                  () ->
                      client.topics.updateConfig(
                          TopicServiceUpdateConfigRequest.newBuilder()
                              .setName("t")
                              .putSet("segment.bytes", String.valueOf(2_000 + number))
                              .putSet("retention.ms", String.valueOf(2_000 + number))
                              .build()));
            });
    assertTrue(outcomes.stream().allMatch(String::isEmpty), outcomes::toString);
    Map<String, String> own = own(describe("t").getSettingsList());
    assertEquals(own.get("segment.bytes"), own.get("retention.ms"));
  }

  @Test
  void ofManyWhoDeleteRecordsTheOneWhoGoesFurthestCounts() throws Exception {
    client.create("t", 1);
    append("t", 0, 20);
    AtomicInteger next = new AtomicInteger();
    List<String> outcomes =
        together(
            12,
            () -> {
              int before = next.incrementAndGet();
              return outcome(() -> client.topics.deleteRecords(deletion("t", 0, before).build()));
            });
    assertTrue(outcomes.stream().allMatch(String::isEmpty), outcomes::toString);
    assertEquals(12, describe("t").getPartitions(0).getLogStartOffset());
  }

  @Test
  void whoLooksWhileTopicsComeAndGoSeesWholeOnes() throws Exception {
    AtomicInteger number = new AtomicInteger();
    List<String> outcomes =
        together(
            8,
            () -> {
              boolean changes = number.incrementAndGet() % 2 == 0;
              for (int i = 0; i < 25; i++) {
                String outcome = changes ? outcome(this::createAndDelete) : look();
                if (!List.of("", "NOT_FOUND", "ALREADY_EXISTS").contains(outcome)) {
                  return outcome;
                }
              }
              return "";
            });
    assertTrue(outcomes.stream().allMatch(String::isEmpty), outcomes::toString);
  }

  private void createAndDelete() {
    client.create("t", 3);
    client.topics.delete(TopicServiceDeleteRequest.newBuilder().setName("t").build());
  }

  private String look() {
    return outcome(
        () -> {
          TopicServiceDescribeResponse told = describe("t");
          assertEquals(3, told.getPartitionsCount());
          assertEquals(3, told.getTopic().getPartitionCount());
          client.topics.list(TopicServiceListRequest.getDefaultInstance());
        });
  }

  /** The status of a refusal; empty for success. */
  private static String outcome(Runnable call) {
    try {
      call.run();
      return "";
    } catch (StatusRuntimeException e) {
      Status.Code code = e.getStatus().getCode();
      return code.toString();
    }
  }
}
