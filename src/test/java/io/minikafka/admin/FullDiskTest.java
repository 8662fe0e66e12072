package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.minikafka.admin.ControlPlane.Refusal;
import io.minikafka.admin.v1.AppendRecord;
import io.minikafka.admin.v1.LogServiceAppendRequest;
import io.minikafka.admin.v1.TopicServiceDescribeRequest;
import io.minikafka.admin.v1.TopicServiceDescribeResponse;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A disk without room over a real channel: it is named, nothing is half done, and all goes on. */
@QuarkusTest
@TestProfile(FakeBrokerProfile.class)
class FullDiskTest extends GroupChangesBench {
  private static void assertFull(Supplier<?> call) {
    Refusal refusal = refused(call);
    assertEquals(Status.Code.RESOURCE_EXHAUSTED, refusal.code(), refusal::message);
    assertEquals("DISK_FULL", refusal.reason());
  }

  @Test
  void topicIsNotMade() {
    broker.stores().full = true;
    assertFull(() -> client.create("new", 3));
    assertEquals(
        Status.Code.NOT_FOUND,
        assertThrows(StatusRuntimeException.class, () -> describe("new")).getStatus().getCode());

    broker.stores().full = false;
    client.create("new", 3);
    assertEquals(3, describe("new").getPartitionsCount());
  }

  @Test
  void nothingIsAppended() {
    LogServiceAppendRequest.Builder request =
        LogServiceAppendRequest.newBuilder().setTopic("b").setPartition(0);
    for (int i = 0; i < 3; i++) {
      request.addRecords(AppendRecord.newBuilder().setValue(ByteString.copyFromUtf8("v" + i)));
    }
    broker.stores().full = true;
    assertFull(() -> client.logs.append(request.build()));
    assertEquals(0, describe("b").getPartitions(0).getLogEndOffset());

    broker.stores().full = false;
    client.logs.append(request.build());
    assertEquals(3, describe("b").getPartitions(0).getLogEndOffset());
  }

  /** What was planned is not lost with it: it is applied when groups are served again. */
  @Test
  void resetIsPlannedButNotApplied() {
    commit("g", "a", 0, 40);
    broker.stores().full = true;
    String token = plan(reset("g", "a")).getToken();
    assertFull(() -> apply(token));
    assertTrue(
        Set.of("DISK_FULL", "GROUPS_NOT_SERVED").contains(refused(() -> apply(token)).reason()));
  }

  private TopicServiceDescribeResponse describe(String name) {
    return client.topics.describe(TopicServiceDescribeRequest.newBuilder().setName(name).build());
  }
}
