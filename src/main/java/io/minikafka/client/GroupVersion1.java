package io.minikafka.client;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Heartbeat;
import io.minikafka.protocol.JoinGroup;
import io.minikafka.protocol.LeaveGroup;
import io.minikafka.protocol.OffsetCommit;
import io.minikafka.protocol.OffsetFetch;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Version 1: heartbeats that wait and bring lists, commits under grants, several at once. */
record GroupVersion1(Connection connection, int requestTimeoutMs) implements GroupDialect {

  @Override
  public int version() {
    return 1;
  }

  @Override
  public String newMember() {
    return UUID.randomUUID().toString();
  }

  @Override
  public CompletableFuture<GroupList> join(
      GroupSettings settings, String member, List<String> topics) {
    JoinGroup.Request request =
        new JoinGroup.Request(
            settings.group(),
            member,
            settings.instance(),
            settings.sessionMs(),
            settings.rebalanceMs(),
            settings.assignor(),
            topics);
    return connection
        .call(JoinGroup.V1, request, requestTimeoutMs)
        .answer()
        .thenApply(
            answer ->
                new GroupList(
                    member,
                    answer.generation(),
                    answer.assignment(),
                    answer.pending(),
                    answer.maxHeartbeatWaitMs(),
                    granted(answer.owned())));
  }

  @Override
  public CompletableFuture<Optional<GroupList>> heartbeat(Beat beat, int timeoutMs) {
    Heartbeat.Request request =
        new Heartbeat.Request(
            beat.group(), beat.member(), beat.assignment(), beat.waitMs(), beat.owned());
    return connection
        .call(Heartbeat.V1, request, timeoutMs)
        .answer()
        .thenApply(
            answer ->
                Optional.of(
                    new GroupList(
                        beat.member(),
                        answer.generation(),
                        answer.assignment(),
                        answer.pending(),
                        0,
                        granted(answer.owned()))));
  }

  private static List<GroupList.Granted> granted(List<JoinGroup.Granted> owned) {
    return owned.stream()
        .map(one -> new GroupList.Granted("", one.topic(), one.partition(), one.grant()))
        .toList();
  }

  @Override
  public CompletableFuture<Void> commit(
      String group, String member, long generation, Map<Seat, CommittedOffset> offsets) {
    List<Seat> seats = List.copyOf(offsets.keySet());
    List<OffsetCommit.Partition> parts = new ArrayList<>(seats.size());
    offsets.forEach(
        (seat, committed) ->
            parts.add(
                new OffsetCommit.Partition(
                    seat.topicId(),
                    seat.partition().partition(),
                    seat.grant(),
                    committed.offset(),
                    committed.epoch(),
                    committed.metadata())));
    return connection
        .call(OffsetCommit.V1, new OffsetCommit.Request(group, member, parts), requestTimeoutMs)
        .answer()
        .handle(
            (answer, thrown) -> {
              if (thrown != null) {
                throw Failures.of(thrown) instanceof ServerException refusal
                    ? GroupDialect.refused(group, seats, refusal)
                    : Failures.of(thrown);
              }
              check(group, seats, answer);
              return null;
            });
  }

  private static void check(String group, List<Seat> seats, OffsetCommit.Response answer) {
    if (answer.answers().size() != seats.size()) {
      throw new ConnectionException("a commit was answered for other partitions", null);
    }
    for (int i = 0; i < seats.size(); i++) {
      ErrorCode error = ErrorCode.of(answer.answers().get(i).error());
      if (error != ErrorCode.NONE) {
        List<Seat> refused = List.of(seats.get(i));
        throw GroupDialect.refused(
            group, refused, new ServerException(error, "%s; nothing was stored".formatted(error)));
      }
    }
  }

  @Override
  public CompletableFuture<Map<TopicPartition, CommittedOffset>> committed(
      String group, Map<TopicPartition, UUID> partitions) {
    List<TopicPartition> names = List.copyOf(partitions.keySet());
    List<PartitionId> ids = new ArrayList<>(names.size());
    partitions.forEach((name, id) -> ids.add(new PartitionId(id, name.partition())));
    if (ids.isEmpty()) {
      // An empty list would ask for all there are.
      return CompletableFuture.completedFuture(Map.of());
    }
    return connection
        .call(OffsetFetch.V1, new OffsetFetch.Request(group, ids), requestTimeoutMs)
        .answer()
        .thenApply(
            response -> {
              if (response.answers().size() != names.size()) {
                throw new ConnectionException("offsets were answered for other partitions", null);
              }
              Map<TopicPartition, CommittedOffset> found = new LinkedHashMap<>();
              for (int i = 0; i < names.size(); i++) {
                OffsetFetch.Answer answer = response.answers().get(i);
                if (answer.found()) {
                  found.put(
                      names.get(i),
                      new CommittedOffset(answer.offset(), answer.epoch(), answer.metadata()));
                }
              }
              return found;
            });
  }

  @Override
  public CompletableFuture<Void> leave(String group, String member, boolean keepSeat) {
    return connection
        .call(LeaveGroup.V1, new LeaveGroup.Request(group, member, keepSeat), requestTimeoutMs)
        .answer()
        .thenApply(left -> null);
  }
}
