package io.minikafka.admin;

import com.google.protobuf.Empty;
import io.minikafka.PartitionId;
import io.minikafka.admin.v1.CommittedPartition;
import io.minikafka.admin.v1.GroupServiceApplyOffsetResetRequest;
import io.minikafka.admin.v1.GroupServiceApplyOffsetResetResponse;
import io.minikafka.admin.v1.GroupServiceGrpc;
import io.minikafka.admin.v1.GroupServicePlanOffsetResetRequest;
import io.minikafka.admin.v1.GroupServicePlanOffsetResetResponse;
import io.minikafka.admin.v1.GroupServiceUndoOffsetResetRequest;
import io.minikafka.admin.v1.GroupServiceUndoOffsetResetResponse;
import io.minikafka.admin.v1.PartitionReset;
import io.minikafka.admin.v1.TopicPartitions;
import io.minikafka.coordinator.GroupReply;
import io.minikafka.group.CommittedOffset;
import io.minikafka.group.GroupEvent;
import io.minikafka.group.GroupPositions;
import io.minikafka.group.GroupResult;
import io.minikafka.topic.FakeStores.FakeStore;
import io.minikafka.topic.Fixtures;
import io.quarkus.test.common.http.TestHTTPResource;
import jakarta.inject.Inject;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * What tests of changes to groups share: a client over a real channel, before a broker in memory
 * with topic {@code a} of three partitions of 100 records and topic {@code b} of one without any.
 */
abstract class GroupChangesBench {
  private static final long CONNECTION = 7;
  private static final int SESSION_MS = 10_000;

  @Inject FakeBroker broker;

  @TestHTTPResource URI http;

  ControlPlane client;
  GroupServiceGrpc.GroupServiceBlockingStub groups;

  @BeforeEach
  void connect() {
    broker.restart();
    client = new ControlPlane(http);
    groups = GroupServiceGrpc.newBlockingStub(client.channel);
    client.create("a", 3);
    client.create("b", 1);
    for (int partition = 0; partition < 3; partition++) {
      append("a", partition, 100);
    }
    broker.startGroups();
  }

  @AfterEach
  void disconnect() {
    client.close();
  }

  void append(String topic, int partition, int records) {
    var live = broker.topic(topic).orElseThrow().partition(partition).orElseThrow();
    for (int i = 0; i < records; i++) {
      Fixtures.append(live);
    }
  }

  PartitionId id(String topic, int partition) {
    return new PartitionId(broker.topic(topic).orElseThrow().id(), partition);
  }

  FakeStore store(String topic, int partition) {
    return broker.stores().store(id(topic, partition));
  }

  GroupResult ask(LongFunction<GroupEvent> event) {
    CompletableFuture<GroupReply> answer = new CompletableFuture<>();
    broker.groups().ask(CONNECTION, event, answer::complete);
    if (answer.join() instanceof GroupReply.Answered(GroupResult result)) {
      return result;
    }
    throw new AssertionError(answer.join());
  }

  /** By nobody, as a tool does. */
  void commit(String group, String topic, int partition, long offset) {
    GroupResult result = commitBy(group, "", 0, topic, partition, offset);
    if (!(result instanceof GroupResult.Committed committed && committed.written())) {
      throw new AssertionError(result);
    }
  }

  GroupResult commitBy(
      String group, String member, long grant, String topic, int partition, long offset) {
    return commitBy(
        group, member, new GroupEvent.CommitPart(id(topic, partition), grant, offset, 1, "note"));
  }

  GroupResult commitBy(String group, String member, GroupEvent.CommitPart part) {
    return ask(
        ticket ->
            new GroupEvent.Commit(
                ticket, CONNECTION, group, member, List.of(part), broker.groups().logEnds()));
  }

  GroupResult.Joined join(String group, String member, String... topics) {
    GroupResult result =
        ask(
            ticket ->
                new GroupEvent.Join(
                    ticket,
                    CONNECTION,
                    1,
                    group,
                    member,
                    "",
                    SESSION_MS,
                    SESSION_MS,
                    "",
                    List.of(topics)));
    return (GroupResult.Joined) result;
  }

  void leave(String group, String member) {
    ask(ticket -> new GroupEvent.Leave(ticket, CONNECTION, group, member, false));
  }

  /** What is committed, as {@code a-0}, with what was noted if anything was. */
  Map<String, String> committed(String group) {
    Map<String, String> committed = new TreeMap<>();
    Map<PartitionId, CommittedOffset> found =
        broker
            .groups()
            .look(all -> all.positions(group).map(GroupPositions::commits).orElse(Map.of()))
            .join();
    found.forEach(
        (partition, commit) ->
            committed.put(
                broker.topics().nameOf(partition.topicId()).orElseThrow()
                    + "-"
                    + partition.partition(),
                (commit.offset() + " " + commit.metadata()).strip()));
    return committed;
  }

  /** To the log start, of the topics that are named. */
  static GroupServicePlanOffsetResetRequest.Builder reset(String group, String... topics) {
    var request =
        GroupServicePlanOffsetResetRequest.newBuilder()
            .setGroup(group)
            .setEarliest(Empty.getDefaultInstance());
    for (String topic : topics) {
      request.addPartitions(TopicPartitions.newBuilder().setTopic(topic));
    }
    return request;
  }

  static TopicPartitions of(String topic, Integer... partitions) {
    return TopicPartitions.newBuilder()
        .setTopic(topic)
        .addAllPartitions(List.of(partitions))
        .build();
  }

  GroupServicePlanOffsetResetResponse plan(GroupServicePlanOffsetResetRequest.Builder request) {
    return groups.planOffsetReset(request.build());
  }

  GroupServiceApplyOffsetResetResponse apply(String token) {
    return groups.applyOffsetReset(
        GroupServiceApplyOffsetResetRequest.newBuilder().setToken(token).build());
  }

  GroupServiceApplyOffsetResetResponse force(String token) {
    return groups.applyOffsetReset(
        GroupServiceApplyOffsetResetRequest.newBuilder().setToken(token).setForce(true).build());
  }

  GroupServiceUndoOffsetResetResponse undo(String group) {
    return groups.undoOffsetReset(
        GroupServiceUndoOffsetResetRequest.newBuilder().setGroup(group).build());
  }

  /** One a line: old and new, what is replayed and skipped, the clamp, warnings. */
  static List<String> lines(List<PartitionReset> resets) {
    return resets.stream()
        .map(
            one ->
                "%s-%d %s > %s, %d replayed, %d skipped%s%s"
                    .formatted(
                        one.getTopic(),
                        one.getPartition(),
                        one.hasOldOffset() ? one.getOldOffset() : "-",
                        one.hasNewOffset() ? one.getNewOffset() : "-",
                        one.getReplayedRecords(),
                        one.getSkippedRecords(),
                        switch (one.getClamp()) {
                          case OFFSET_CLAMP_TO_LOG_START -> ", to the start";
                          case OFFSET_CLAMP_TO_END -> ", to the end";
                          default -> "";
                        },
                        one.getWarningsList().isEmpty() ? "" : " " + one.getWarningsList()))
        .toList();
  }

  static List<String> deleted(List<CommittedPartition> offsets) {
    return offsets.stream()
        .map(
            one ->
                "%s-%d %d %s"
                    .formatted(
                        one.getTopic(), one.getPartition(), one.getOffset(), one.getMetadata()))
        .toList();
  }
}
