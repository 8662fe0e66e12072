package io.minikafka.client;

import io.minikafka.TopicPartition;
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

/**
 * Version 0, for a server that knows no more: heartbeats only say that something changed, a
 * partition a commit, no static members, no choice of the assignor, no metadata (the last three are
 * refused).
 */
record GroupVersion0(Connection connection, int requestTimeoutMs) implements GroupDialect {

  @Override
  public int version() {
    return 0;
  }

  @Override
  public String newMember() {
    return "";
  }

  @Override
  public CompletableFuture<GroupList> join(
      GroupSettings settings, String member, List<String> topics) {
    if (settings.isStatic() || !settings.assignor().isEmpty()) {
      return unsupported("a static member, or the choice of an assignor,");
    }
    JoinGroup.RequestV0 request =
        new JoinGroup.RequestV0(settings.group(), member, settings.sessionMs(), topics);
    return connection
        .call(JoinGroup.V0, request, requestTimeoutMs)
        .answer()
        .thenApply(
            answer ->
                new GroupList(
                    answer.member(),
                    answer.generation(),
                    0,
                    false,
                    0,
                    answer.partitions().stream().map(GroupVersion0::granted).toList()));
  }

  private static GroupList.Granted granted(TopicPartition name) {
    return new GroupList.Granted(name.topic(), TopicInfo.NO_ID, name.partition(), 0);
  }

  @Override
  public CompletableFuture<Optional<GroupList>> heartbeat(Beat beat, int timeoutMs) {
    Heartbeat.RequestV0 request =
        new Heartbeat.RequestV0(beat.group(), beat.member(), (int) beat.generation());
    return connection
        .call(Heartbeat.V0, request, timeoutMs)
        .answer()
        .thenApply(answer -> Optional.empty());
  }

  @Override
  public CompletableFuture<Void> commit(
      String group, String member, long generation, Map<Seat, CommittedOffset> offsets) {
    if (offsets.values().stream().anyMatch(offset -> !offset.metadata().isEmpty())) {
      return unsupported("metadata of a commit");
    }
    List<CompletableFuture<?>> all = new ArrayList<>(offsets.size());
    offsets.forEach(
        (seat, committed) -> {
          OffsetCommit.RequestV0 request =
              new OffsetCommit.RequestV0(
                  group,
                  member,
                  (int) generation,
                  seat.partition().topic(),
                  seat.partition().partition(),
                  committed.offset());
          all.add(
              connection
                  .call(OffsetCommit.V0, request, requestTimeoutMs)
                  .answer()
                  .exceptionallyCompose(
                      thrown ->
                          CompletableFuture.failedFuture(
                              Failures.of(thrown) instanceof ServerException refusal
                                  ? GroupDialect.refused(group, List.of(seat), refusal)
                                  : Failures.of(thrown))));
        });
    return CompletableFuture.allOf(all.toArray(CompletableFuture[]::new));
  }

  @Override
  public CompletableFuture<Map<TopicPartition, CommittedOffset>> committed(
      String group, Map<TopicPartition, UUID> partitions) {
    CompletableFuture<Map<TopicPartition, CommittedOffset>> all =
        CompletableFuture.completedFuture(new LinkedHashMap<>());
    for (TopicPartition partition : partitions.keySet()) {
      OffsetFetch.RequestV0 request =
          new OffsetFetch.RequestV0(group, partition.topic(), partition.partition());
      // All are sent at once; only their answers are put together one by one.
      all =
          all.thenCombine(
              connection.call(OffsetFetch.V0, request, requestTimeoutMs).answer(),
              (found, answer) -> {
                if (answer.found()) {
                  found.put(partition, CommittedOffset.of(answer.offset()));
                }
                return found;
              });
    }
    return all;
  }

  @Override
  public CompletableFuture<Void> leave(String group, String member, boolean keepSeat) {
    return connection
        .call(LeaveGroup.V0, new LeaveGroup.RequestV0(group, member), requestTimeoutMs)
        .answer()
        .thenApply(left -> null);
  }

  private static <T> CompletableFuture<T> unsupported(String what) {
    return CompletableFuture.failedFuture(
        new UnsupportedByServerException(
            what + " is not in version 0 of the protocol, all this server speaks", null));
  }
}
