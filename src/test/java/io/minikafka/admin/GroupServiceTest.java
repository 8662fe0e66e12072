package io.minikafka.admin;

import static io.minikafka.admin.ControlPlane.refused;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.minikafka.admin.v1.Group;
import io.minikafka.admin.v1.GroupServiceDescribeRequest;
import io.minikafka.admin.v1.GroupServiceDescribeResponse;
import io.minikafka.admin.v1.GroupServiceListRequest;
import io.minikafka.admin.v1.GroupServiceListResponse;
import io.minikafka.admin.v1.GroupServiceWatchLagRequest;
import io.minikafka.admin.v1.GroupState;
import io.minikafka.admin.v1.Member;
import io.minikafka.admin.v1.MemberState;
import io.minikafka.admin.v1.PartitionLag;
import io.minikafka.admin.v1.PartitionRef;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** List and Describe of GroupService over a real channel. */
@QuarkusTest
@Timeout(60)
@TestProfile(FakeBrokerProfile.class)
class GroupServiceTest extends GroupChangesBench {
  private GroupServiceListResponse list(int pageSize, String token) {
    return groups.list(
        GroupServiceListRequest.newBuilder().setPageSize(pageSize).setPageToken(token).build());
  }

  private GroupServiceDescribeResponse describe(String group) {
    return groups.describe(GroupServiceDescribeRequest.newBuilder().setGroup(group).build());
  }

  private static List<String> names(GroupServiceListResponse page) {
    return page.getGroupsList().stream().map(Group::getName).toList();
  }

  @Test
  void groupsAreListedByNamePageByPage() {
    for (String name : List.of("d", "a", "c", "b", "e")) {
      commit(name, "a", 0, 40);
    }
    assertEquals(List.of("a", "b", "c", "d", "e"), names(list(0, "")));
    assertEquals("", list(5, "").getNextPageToken());
    GroupServiceListResponse first = list(2, "");
    assertEquals(List.of("a", "b"), names(first));
    GroupServiceListResponse second = list(2, first.getNextPageToken());
    assertEquals(List.of("c", "d"), names(second));
    GroupServiceListResponse last = list(2, second.getNextPageToken());
    assertEquals(List.of("e"), names(last));
    assertEquals("", last.getNextPageToken());
  }

  @Test
  void listTellsTheSumsOfEachGroup() {
    commit("g", "a", 0, 40);
    commit("g", "a", 1, 90);
    join("g", "m1", "a", "b");
    Group group = list(0, "").getGroups(0);
    assertEquals("g", group.getName());
    assertEquals(GroupState.GROUP_STATE_STABLE, group.getState());
    assertEquals(1, group.getMemberCount());
    assertEquals(2, group.getCommittedPartitionCount());
    assertEquals(60 + 10, group.getTotalLagRecords());
    assertEquals(2, group.getUnknownLagPartitionCount(), "a-2 and b-0 have no commit");
  }

  /** What is behind a token stays behind it, whatever goes meanwhile. */
  @Test
  void pagesGoOnWhenTheGroupTheyEndedWithIsDeleted() {
    for (String name : List.of("a", "b", "c")) {
      commit(name, "a", 0, 40);
    }
    String token = list(2, "").getNextPageToken();
    groups.delete(
        io.minikafka.admin.v1.GroupServiceDeleteRequest.newBuilder().setGroup("b").build());
    commit("bb", "a", 0, 1);
    assertEquals(List.of("bb", "c"), names(list(2, token)));
  }

  @Test
  void pageThatNobodyCanGiveIsRefused() {
    var size = refused(() -> list(-1, ""));
    assertEquals(Status.Code.INVALID_ARGUMENT, size.code());
    assertEquals("INVALID_REQUEST", size.reason());
    assertEquals("page_size is -1, must be 0 or more", size.fields().get("page_size"));
    var token = refused(() -> list(0, "bogus"));
    assertEquals(Status.Code.INVALID_ARGUMENT, token.code());
    assertTrue(token.fields().containsKey("page_token"), token::toString);
  }

  @Test
  void membersAreDescribedWithWhatTheyOwnAndWhatIsComing() {
    join("g", "m1", "a");
    long began = broker.timers().nanoTime();
    broker.timers().advanceMs(1_450);
    CompletableFuture<?> second = CompletableFuture.runAsync(() -> join("g", "m2", "a"));
    LogBroker.await("it has joined", () -> joined(second));
    broker.timers().advanceMs(500);
    long ageMs = (broker.timers().nanoTime() - began) / 1_000_000;
    GroupServiceDescribeResponse told = describe("g");
    assertEquals(GroupState.GROUP_STATE_REBALANCING, told.getGroup().getState());
    assertEquals(List.of("m1", "m2"), told.getMembersList().stream().map(Member::getId).toList());
    Member first = told.getMembers(0);
    assertEquals(MemberState.MEMBER_STATE_LIVE, first.getState());
    assertEquals(1, first.getProtocolVersion());
    assertEquals(10, first.getSessionTimeout().getSeconds());
    assertEquals(10, first.getRebalanceTimeout().getSeconds());
    assertEquals(Duration.ofMillis(ageMs), age(first), "m1 was heard of when it joined");
    assertEquals(List.of("a"), first.getTopicsList());
    assertEquals(
        List.of(0, 1, 2), first.getOwnedList().stream().map(one -> one.getPartition()).toList());
    Member last = told.getMembers(1);
    assertEquals(Duration.ofMillis(500), age(last));
    assertEquals(List.of(), last.getOwnedList());
    assertEquals(
        List.of(PartitionRef.newBuilder().setTopic("a").setPartition(2).build()),
        last.getPendingList());
    assertEquals(2, told.getRebalancesCount());
    assertTrue(
        told.getRebalances(0).getReasonsList().toString().contains("m2 joined"), told::toString);
    assertFalse(told.getRebalances(0).hasDuration(), "it is under way");
    assertTrue(told.getRebalances(1).hasDuration());
  }

  private static Duration age(Member member) {
    return GroupMessages.duration(member.getSessionAge());
  }

  /** Lets a little time go by, as joins are gathered for a while. */
  private boolean joined(CompletableFuture<?> join) {
    if (!join.isDone() && describe("g").getMembersCount() == 1) {
      broker.timers().advanceMs(1);
    }
    return join.isDone();
  }

  @Test
  void partitionsAreThoseCommittedOwnedOrSubscribedTo() {
    commit("g", "b", 0, 0);
    commit("g", "a", 1, 30);
    assertEquals(List.of("a-1", "b-0"), partitions());
    join("g", "m1", "a");
    assertEquals(List.of("a-0", "a-1", "a-2", "b-0"), partitions());
    PartitionLag lag = describe("g").getPartitions(1);
    assertEquals("m1", lag.getOwner());
    assertEquals(30, lag.getCommittedOffset());
    assertEquals("note", lag.getMetadata());
    assertEquals(0, lag.getLogStartOffset());
    assertEquals(100, lag.getHighWatermark());
    assertEquals(70, lag.getLagRecords());
    assertFalse(lag.hasLagTime(), "these stores know no append times");
    assertEquals("", describe("g").getPartitions(3).getOwner());
    assertEquals(0, describe("g").getPartitions(3).getLagRecords());
  }

  private List<String> partitions() {
    return describe("g").getPartitionsList().stream()
        .map(lag -> lag.getTopic() + "-" + lag.getPartition())
        .toList();
  }

  @Test
  void unknownGroupIsNotFound() {
    var refusal = refused(() -> describe("nobody"));
    assertEquals(Status.Code.NOT_FOUND, refusal.code());
    assertEquals("UNKNOWN_GROUP", refusal.reason());
    assertEquals("there is no group 'nobody'", refusal.message());
  }

  @Test
  void whileGroupsAreNotServedEveryCallSaysSo() {
    broker.restart();
    for (Supplier<?> call : calls()) {
      var refusal = refused(call);
      assertEquals(Status.Code.UNAVAILABLE, refusal.code());
      assertEquals("GROUPS_NOT_SERVED", refusal.reason());
    }
  }

  @Test
  void whileThereIsNoBrokerEveryCallSaysSo() {
    broker.unavailable(BrokerAccess.Why.STARTING, "the broker is starting");
    for (Supplier<?> call : calls()) {
      var refusal = refused(call);
      assertEquals(Status.Code.UNAVAILABLE, refusal.code());
      assertEquals("the broker is starting", refusal.message());
    }
  }

  private List<Supplier<?>> calls() {
    return List.of(
        () -> list(0, ""),
        () -> describe("g"),
        () -> groups.watchLag(GroupServiceWatchLagRequest.getDefaultInstance()).next());
  }

  /** Whoever looks while a group reads on sees a state that there was, and no lag below 0. */
  @Test
  void whatIsSeenWhileOthersCommitIsNeverImpossible() throws Exception {
    commit("g", "a", 0, 0);
    Thread writer =
        Thread.ofVirtual()
            .start(
                () -> {
                  for (int i = 1; i <= 200; i++) {
                    append("a", 0, 1);
                    commit("g", "a", 0, 100 + i);
                  }
                });
    List<Long> seen = new ArrayList<>();
    boolean more = true;
    while (more) {
      more = writer.isAlive();
      PartitionLag lag = describe("g").getPartitions(0);
      assertTrue(lag.getLagRecords() >= 0, lag::toString);
      assertTrue(lag.getCommittedOffset() <= lag.getHighWatermark(), lag::toString);
      assertTrue(list(0, "").getGroups(0).getTotalLagRecords() >= 0);
      seen.add(lag.getCommittedOffset());
    }
    writer.join();
    assertEquals(seen.stream().sorted().toList(), seen);
    assertEquals(300, seen.getLast());
    assertEquals(0, describe("g").getGroup().getTotalLagRecords());
  }

  @Test
  void groupsComeAndGoWhileTheyAreListed() throws Exception {
    Thread changes =
        Thread.ofVirtual()
            .start(
                () -> {
                  for (int i = 0; i < 100; i++) {
                    commit("g" + i % 10, "a", 0, i);
                  }
                });
    boolean more = true;
    while (more) {
      more = changes.isAlive();
      List<String> names = new ArrayList<>();
      String token = "";
      do {
        GroupServiceListResponse page = list(3, token);
        names.addAll(names(page));
        token = page.getNextPageToken();
      } while (!token.isEmpty());
      assertEquals(names.stream().sorted().distinct().toList(), names);
    }
    changes.join();
    assertEquals(
        Stream.iterate(0, i -> i < 10, i -> i + 1).map(i -> "g" + i).toList(), names(list(0, "")));
  }
}
