package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.Status;
import io.minikafka.admin.ControlPlane.Refusal;
import io.minikafka.admin.v1.GroupServiceDeleteOffsetsRequest;
import io.minikafka.admin.v1.GroupServiceDeleteRequest;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Delete and DeleteOffsets over a real channel. */
@QuarkusTest
@TestProfile(FakeBrokerProfile.class)
class GroupDeletionTest extends GroupChangesBench {
  @Test
  void groupIsDeletedWithAllItHasCommitted() {
    commit("g", "b", 0, 0);
    commit("g", "a", 2, 7);
    var told = groups.delete(deletion("g").setValidateOnly(true).build());
    assertEquals(List.of("a-2 7 note", "b-0 0 note"), deleted(told.getOffsetsList()));
    assertEquals(Map.of("a-2", "7 note", "b-0", "0 note"), committed("g"));
    told = groups.delete(deletion("g").build());
    assertEquals(List.of("a-2 7 note", "b-0 0 note"), deleted(told.getOffsetsList()));
    assertEquals(
        new Refusal(Status.Code.NOT_FOUND, "UNKNOWN_GROUP", "there is no group 'g'", Map.of()),
        refused(() -> groups.delete(deletion("g").build())));
  }

  @Test
  void groupThatIsDeletedHasNothingToUndo() {
    apply(plan(reset("g", "a")).getToken());
    groups.delete(deletion("g").build());
    commit("g", "a", 0, 1);
    assertEquals("NOTHING_TO_UNDO", refused(() -> undo("g")).reason());
  }

  @Test
  void groupInUseIsNotDeletedAndItsMembersAreNamed() {
    join("g", "m1", "a");
    Refusal refusal =
        new Refusal(
            Status.Code.FAILED_PRECONDITION, "GROUP_IN_USE", "group g has 1 member: m1", Map.of());
    assertEquals(refusal, refused(() -> groups.delete(deletion("g").build())));
    assertEquals(
        refusal, refused(() -> groups.delete(deletion("g").setValidateOnly(true).build())));
    assertEquals(refusal, refused(() -> groups.deleteOffsets(offsets("g").build())));
    leave("g", "m1");
    groups.delete(deletion("g").build());
  }

  @Test
  void offsetsOfSomePartitionsAreDeleted() {
    commit("g", "a", 0, 5);
    commit("g", "a", 1, 6);
    commit("g", "b", 0, 0);
    var request = offsets("g").clearPartitions().addPartitions(of("a", 1, 2));
    var told = groups.deleteOffsets(request.setValidateOnly(true).build());
    assertEquals(List.of("a-1 6 note"), deleted(told.getOffsetsList()));
    assertEquals(3, committed("g").size());
    told = groups.deleteOffsets(request.setValidateOnly(false).build());
    assertEquals(List.of("a-1 6 note"), deleted(told.getOffsetsList()));
    told = groups.deleteOffsets(offsets("g").build());
    assertEquals(List.of("a-0 5 note"), deleted(told.getOffsetsList()));
    assertEquals(Map.of("b-0", "0 note"), committed("g"));
  }

  @Test
  void whatIsWrongWithTheDeletionOfOffsetsIsNamedWhereItStands() {
    assertEquals(
        Map.of("partitions", "no partition is named"),
        refused(() -> groups.deleteOffsets(offsets("g").clearPartitions().build())).fields());
    Refusal unknown =
        refused(
            () ->
                groups.deleteOffsets(
                    offsets("g")
                        .clearPartitions()
                        .addPartitions(of("a", 0, 3))
                        .addPartitions(of("x"))
                        .build()));
    assertEquals(
        new Refusal(
            Status.Code.NOT_FOUND,
            "UNKNOWN_TOPIC",
            "topic 'a' has no partition 3; there are 0 … 2; there is no topic 'x'",
            Map.of(
                "partitions[0].partitions[1]",
                "topic 'a' has no partition 3; there are 0 … 2",
                "partitions[1].topic",
                "there is no topic 'x'")),
        unknown);
  }

  @Test
  void offsetsOfAnUnknownGroupAreNotDeleted() {
    assertEquals(
        "UNKNOWN_GROUP", refused(() -> groups.deleteOffsets(offsets("g").build())).reason());
  }

  private static GroupServiceDeleteRequest.Builder deletion(String group) {
    return GroupServiceDeleteRequest.newBuilder().setGroup(group);
  }

  private static GroupServiceDeleteOffsetsRequest.Builder offsets(String group) {
    return GroupServiceDeleteOffsetsRequest.newBuilder().setGroup(group).addPartitions(of("a"));
  }
}
