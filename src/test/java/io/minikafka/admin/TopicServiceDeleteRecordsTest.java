package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.Status;
import io.minikafka.admin.ControlPlane.Refusal;
import io.minikafka.admin.v1.DeleteRecordsResult;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Records up to an offset. */
@QuarkusTest
@TestProfile(FakeBrokerProfile.class)
class TopicServiceDeleteRecordsTest extends TopicServiceBench {
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
