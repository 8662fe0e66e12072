package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Duration;
import com.google.protobuf.Empty;
import com.google.protobuf.Timestamp;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.MetadataUtils;
import io.minikafka.admin.ControlPlane.Refusal;
import io.minikafka.admin.v1.GroupServicePlanOffsetResetRequest;
import io.minikafka.admin.v1.GroupServicePlanOffsetResetResponse;
import io.minikafka.admin.v1.GroupState;
import io.minikafka.admin.v1.PartitionOffset;
import io.minikafka.admin.v1.PartitionOffsets;
import io.minikafka.partition.DamagedRange;
import io.minikafka.partition.Durability;
import io.minikafka.partition.TimeLookup;
import io.minikafka.topic.Fixtures;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

/** PlanOffsetReset over a real channel: every target, every bound, every refusal. */
@QuarkusTest
@TestProfile(FakeBrokerProfile.class)
class OffsetResetPlanTest extends GroupChangesBench {
  private static final Empty EMPTY = Empty.getDefaultInstance();

  private List<String> planned(GroupServicePlanOffsetResetRequest.Builder request) {
    return lines(plan(request).getPartitionsList());
  }

  @Test
  void earliestAndLatestAreTheEndsOfTheLog() throws IOException {
    commit("g", "a", 0, 40);
    commit("g", "a", 1, 100);
    store("a", 1).flush();
    store("a", 1).trimTo(20);
    assertEquals(
        List.of(
            "a-0 40 > 0, 40 replayed, 0 skipped",
            "a-1 100 > 20, 80 replayed, 0 skipped",
            "a-2 - > 0, 0 replayed, 0 skipped"),
        planned(reset("g", "a")));
    assertEquals(
        List.of(
            "a-0 40 > 100, 0 replayed, 60 skipped",
            "a-1 100 > 100, 0 replayed, 0 skipped",
            "a-2 - > 100, 0 replayed, 100 skipped"),
        planned(reset("g", "a").setLatest(EMPTY)));
    assertEquals(Map.of("a-0", "40 note", "a-1", "100 note"), committed("g"));
  }

  @Test
  void withoutPartitionsItIsAllThatIsCommittedOrSubscribedTo() {
    commit("g", "b", 0, 0);
    commit("g", "a", 2, 9);
    assertEquals(
        List.of("a-2 9 > 0, 9 replayed, 0 skipped", "b-0 0 > 0, 0 replayed, 0 skipped"),
        planned(reset("g")));
    join("g", "m1", "a", "not-there");
    var plan = plan(reset("g"));
    assertEquals(4, plan.getPartitionsCount());
    assertEquals(List.of("m1"), plan.getMembersList());
    assertEquals(GroupState.GROUP_STATE_STABLE, plan.getState());
  }

  @Test
  void groupThatDoesNotExistIsSaidSo() {
    var plan = plan(reset("new", "b"));
    assertEquals(List.of("the group does not exist: the reset makes it"), plan.getWarningsList());
    assertEquals(GroupState.GROUP_STATE_EMPTY, plan.getState());
    assertEquals(List.of("b-0 - > 0, 0 replayed, 0 skipped"), lines(plan.getPartitionsList()));
  }

  @Test
  void groupThatDoesNotExistIsNotSaidToBeMadeWhereNothingChanges() {
    var plan = plan(reset("ghost", "b").setShift(0));
    assertEquals(List.of("the group does not exist", "no offset changes"), plan.getWarningsList());
    assertEquals(
        List.of("b-0 - > -, 0 replayed, 0 skipped [nothing is committed: it is left as it is]"),
        lines(plan.getPartitionsList()));
  }

  @Test
  void offsetIsClampedToTheLogAndThatIsSaid() throws IOException {
    commit("g", "a", 0, 40);
    store("a", 0).flush();
    store("a", 0).trimTo(20);
    assertEquals(
        List.of(
            "a-0 40 > 20, 20 replayed, 0 skipped, to the start"
                + " [7 lies below the log start: it is set to that, 20]"),
        planned(reset("g").setOffset(7)));
    assertEquals(
        List.of(
            "a-0 40 > 100, 0 replayed, 60 skipped, to the end"
                + " [101 lies beyond the end: it is set to that, 100]"),
        planned(reset("g").setOffset(101)));
    assertEquals(
        List.of("a-0 40 > 100, 0 replayed, 60 skipped"), planned(reset("g").setOffset(100)));
  }

  @Test
  void whatWasDeletedUnreadIsNotCounted() throws IOException {
    commit("g", "a", 0, 5);
    store("a", 0).flush();
    store("a", 0).trimTo(20);
    assertEquals(List.of("a-0 5 > 30, 0 replayed, 10 skipped"), planned(reset("g").setOffset(30)));
  }

  @Test
  void timeIsTheFirstRecordOfThenOrLaterAndBeyondTheLastTheEnd() {
    commit("g", "a", 0, 40);
    store("a", 0).found = new TimeLookup(17, 2_000);
    assertEquals(
        List.of("a-0 40 > 17, 23 replayed, 0 skipped"), planned(reset("g").setTimestamp(at(1, 5))));
    store("a", 0).found = TimeLookup.NONE;
    assertEquals(
        List.of(
            "a-0 40 > 100, 0 replayed, 60 skipped"
                + " [no record is of 1970-01-01T00:00:09Z or later: it is set to the end]"),
        planned(reset("g").setTimestamp(at(9, 0))));
    broker.setTime(Instant.ofEpochSecond(100));
    assertEquals(
        List.of(
            "a-0 40 > 100, 0 replayed, 60 skipped"
                + " [no record is of 1970-01-01T00:01:30Z or later: it is set to the end]"),
        planned(reset("g").setDuration(Duration.newBuilder().setSeconds(10))));
  }

  @Test
  void shiftIsFromWhatIsCommittedAndWithoutACommitNothingIsShifted() {
    commit("g", "a", 0, 40);
    String left = "a-1 - > -, 0 replayed, 0 skipped [nothing is committed: it is left as it is]";
    assertEquals(
        List.of("a-0 40 > 30, 10 replayed, 0 skipped", left),
        planned(reset("g").addPartitions(of("a", 1, 0)).setShift(-10)));
    assertEquals(List.of("a-0 40 > 45, 0 replayed, 5 skipped"), planned(reset("g").setShift(5)));
    assertEquals(
        List.of(
            "a-0 40 > 0, 40 replayed, 0 skipped, to the start"
                + " [-9223372036854775768 lies below the log start: it is set to that, 0]"),
        planned(reset("g").setShift(Long.MIN_VALUE)));
    assertEquals(
        List.of(
            "a-0 40 > 100, 0 replayed, 60 skipped, to the end"
                + " [9223372036854775807 lies beyond the end: it is set to that, 100]"),
        planned(reset("g").setShift(Long.MAX_VALUE)));
  }

  @Test
  void whatAnotherGroupHasNotCommittedIsLeftAsItIs() {
    commit("g", "a", 0, 40);
    commit("g", "a", 1, 50);
    commit("other", "a", 0, 90);
    commit("other", "a", 2, 95);
    assertEquals(
        List.of(
            "a-0 40 > 90, 0 replayed, 50 skipped",
            "a-1 50 > 50, 0 replayed, 0 skipped"
                + " [group other has committed nothing here: it is left as it is]",
            "a-2 - > 95, 0 replayed, 95 skipped"),
        planned(reset("g").setFromGroup("other")));
    assertEquals(
        List.of("a-0 - > 90, 0 replayed, 90 skipped", "a-2 - > 95, 0 replayed, 95 skipped"),
        planned(reset("new").setFromGroup("other")));
  }

  @Test
  void eachPartitionCanHaveItsOwnOffset() {
    commit("g", "a", 0, 40);
    assertEquals(
        List.of("a-0 40 > 1, 39 replayed, 0 skipped", "a-2 - > 3, 0 replayed, 3 skipped"),
        planned(to("g", offset("a", 2, 3), offset("a", 0, 1))));
  }

  @Test
  void countsOfACompactedTopicAreSaidToBeBounds() {
    client.topics.create(client.request("c", 1).putSettings("cleanup.policy", "compact").build());
    broker.groups().topicsChanged();
    var live = broker.topic("c").orElseThrow().partition(0).orElseThrow();
    for (int i = 0; i < 4; i++) {
      live.append(Fixtures.keyed(), Durability.TOPIC, done -> {});
    }
    commit("g", "c", 0, 3);
    String bound = " [the topic is compacted: fewer records than that may be there]";
    assertEquals(List.of("c-0 3 > 0, 3 replayed, 0 skipped" + bound), planned(reset("g")));
    assertEquals(List.of("c-0 3 > 3, 0 replayed, 0 skipped"), planned(reset("g").setOffset(3)));
  }

  @Test
  void damageThatLiesAheadOfTheNewOffsetIsNamed() {
    commit("g", "a", 0, 40);
    store("a", 0).damage = List.of(damaged(10, 15), damaged(50, 51));
    assertEquals(
        List.of(
            "a-0 40 > 14, 26 replayed, 0 skipped"
                + " [10 … 14 are damaged and lie in the way and 1 more range]"),
        planned(reset("g").setOffset(14)));
    assertEquals(
        List.of("a-0 40 > 15, 25 replayed, 0 skipped [50 … 50 are damaged and lie in the way]"),
        planned(reset("g").setOffset(15)));
    assertEquals(List.of("a-0 40 > 51, 0 replayed, 11 skipped"), planned(reset("g").setOffset(51)));
  }

  @Test
  void planThatChangesNothingSaysSo() {
    commit("g", "b", 0, 0);
    assertEquals(List.of("no offset changes"), plan(reset("g")).getWarningsList());
  }

  @Test
  void partitionThatIsOfflineIsRefusedByName() {
    store("a", 1).goOffline("no luck");
    assertEquals(
        new Refusal(
            Status.Code.FAILED_PRECONDITION,
            "PARTITION_OFFLINE",
            "a-1 is offline (no luck): where its log starts and ends is not known",
            Map.of()),
        refused(() -> plan(reset("g", "a"))));
    assertEquals(1, plan(reset("g").addPartitions(of("a", 0))).getPartitionsCount());
  }

  @Test
  void lookupThatFailsIsNamed() {
    store("a", 2).failLookup = Optional.of(new IOException("no luck"));
    Refusal refusal = refused(() -> plan(reset("g", "a").setTimestamp(at(1, 0))));
    assertEquals("STORAGE_FAILED", refusal.reason());
    assertEquals("looking for a time in a-2 failed: no luck", refusal.message());
  }

  @Test
  void whatIsWrongWithTheSelectionIsNamedWhereItStands() {
    wrong(
        "partitions",
        "group 'g' has committed nothing and nobody in it has subscribed to anything; name"
            + " partitions",
        reset("g"));
    wrong(
        "partitions[1]",
        "a-0 is named twice",
        reset("g").addPartitions(of("a", 0)).addPartitions(of("a")));
    wrong(
        "partitions[0].partitions[1]",
        "a-1 is named twice",
        reset("g").addPartitions(of("a", 1, 1)));
    wrong(
        "partitions[0].topic",
        "topic '__consumer_offsets' belongs to the broker; no group reads it",
        reset("g", "__consumer_offsets"));
    wrong("group", "group is empty", reset("", "a"));
    wrong("group", "group has 201 characters; the limit is 200", reset("g".repeat(201), "a"));
    Refusal unknown = refused(() -> plan(reset("g", "b", "x\n").addPartitions(of("a", 2, -1))));
    assertEquals(Status.Code.NOT_FOUND, unknown.code());
    assertEquals("UNKNOWN_TOPIC", unknown.reason());
    assertEquals(
        Map.of(
            "partitions[1].topic",
            "there is no topic 'x?'",
            "partitions[2].partitions[1]",
            "topic 'a' has no partition -1; there are 0 … 2"),
        unknown.fields());
  }

  @Test
  void whatIsWrongWithTheTargetIsNamedWhereItStands() {
    wrong("target", "no target is named", reset("g", "a").clearEarliest());
    wrong("offset", "offset is -1, must be 0 or more", reset("g", "a").setOffset(-1));
    for (Timestamp never :
        List.of(
            at(253_402_300_800L, 0), at(-62_135_596_801L, 0), at(0, -1), at(0, 1_000_000_000))) {
      wrong("timestamp", "timestamp is no time", reset("g", "a").setTimestamp(never));
    }
    for (long[] wrong : List.of(new long[] {-1, 0}, new long[] {0, -1})) {
      wrong(
          "duration",
          "duration is negative, must be 0 or more",
          reset("g", "a")
              .setDuration(Duration.newBuilder().setSeconds(wrong[0]).setNanos((int) wrong[1])));
    }
    wrong(
        "duration",
        "duration is more than 315576000000 s",
        reset("g", "a").setDuration(Duration.newBuilder().setSeconds(315_576_000_001L)));
    wrong("offsets.offsets", "offsets names no partition", to("g"));
    wrong(
        "partitions",
        "partitions must be empty: the offsets name their own",
        to("g", offset("a", 0, 1)).addPartitions(of("a")));
    wrong(
        "offsets.offsets[1].offset",
        "offset -5 is below 0",
        to("g", offset("a", 0, 1), offset("a", 1, -5)));
    wrong(
        "offsets.offsets[1].partition",
        "a-0 is named twice",
        to("g", offset("a", 0, 1), offset("a", 0, 2)));
    assertEquals(
        Map.of("offsets.offsets[0].topic", "there is no topic 'x'"),
        refused(() -> plan(to("g", offset("x", 0, 1)))).fields());
    Refusal nobody = refused(() -> plan(reset("g", "a").setFromGroup("nobody")));
    assertEquals(Status.Code.NOT_FOUND, nobody.code());
    assertEquals("UNKNOWN_GROUP", nobody.reason());
    assertEquals("there is no group 'nobody'", nobody.message());
    assertTrue(nobody.fields().containsKey("from_group"));
  }

  @Test
  void resetOfMorePartitionsThanOneBatchHoldsIsRefused() {
    client.create("large", 10_000);
    assertEquals(10_000, plan(reset("g", "large")).getPartitionsCount());
    assertEquals(
        new Refusal(
            Status.Code.RESOURCE_EXHAUSTED,
            "LIMIT_REACHED",
            "10001 partitions at once; the limit is 10000",
            Map.of()),
        refused(() -> plan(reset("g", "large", "b"))));
  }

  @Test
  void tokensDifferAndTellUntilWhenTheyAreGood() {
    broker.setTime(Instant.ofEpochSecond(1_000));
    GroupServicePlanOffsetResetResponse one = plan(reset("g", "a"));
    assertEquals(at(1_600, 0), one.getExpiresAt());
    assertNotEquals(one.getToken(), plan(reset("g", "a")).getToken());
  }

  /** The timeout goes out as a header only, so that it is the server alone that keeps it. */
  @Test
  void planWhoseDeadlinePassedBeforeItsTurnLooksForNoTime() {
    CountDownLatch gate = broker.occupyWorker();
    Metadata headers = new Metadata();
    headers.put(Metadata.Key.of("grpc-timeout", Metadata.ASCII_STRING_MARSHALLER), "200m");
    var hurried = groups.withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers));
    Status.Code code =
        refused(() -> hurried.planOffsetReset(reset("g", "a").setTimestamp(at(1, 0)).build()))
            .code();
    assertEquals(Status.Code.DEADLINE_EXCEEDED, code);
    gate.countDown();
    for (int i = 0; i < 10; i++) {
      plan(reset("g", "b"));
    }
    assertEquals(0, store("a", 0).lookups.get());
  }

  @Test
  void brokerThatDoesNotServeGroupsSaysSo() {
    broker.groups().stop().join();
    Refusal refusal = refused(() -> plan(reset("g", "a")));
    assertEquals(Status.Code.UNAVAILABLE, refusal.code());
    assertEquals("SHUTTING_DOWN", refusal.reason());
  }

  private static DamagedRange damaged(long from, long to) {
    return new DamagedRange(from, to, 0, 0, 0, "missing", 0);
  }

  private void wrong(
      String field, String message, GroupServicePlanOffsetResetRequest.Builder request) {
    Refusal refusal = refused(() -> plan(request));
    assertEquals(Status.Code.INVALID_ARGUMENT, refusal.code());
    assertEquals("INVALID_REQUEST", refusal.reason());
    assertTrue(
        refusal.fields().getOrDefault(field, "").startsWith(message),
        () -> refusal.fields().toString());
  }

  private static Timestamp at(long seconds, int nanos) {
    return Timestamp.newBuilder().setSeconds(seconds).setNanos(nanos).build();
  }

  private static PartitionOffset offset(String topic, int partition, long offset) {
    return PartitionOffset.newBuilder()
        .setTopic(topic)
        .setPartition(partition)
        .setOffset(offset)
        .build();
  }

  private static GroupServicePlanOffsetResetRequest.Builder to(
      String group, PartitionOffset... offsets) {
    return GroupServicePlanOffsetResetRequest.newBuilder()
        .setGroup(group)
        .setOffsets(PartitionOffsets.newBuilder().addAllOffsets(List.of(offsets)));
  }
}
