package io.minikafka.client;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import io.minikafka.protocol.ErrorCode;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/**
 * What a member of a group says, in words that do not depend on the version of the protocol. As
 * {@link Dialect}: immutable, any thread, nothing blocks, futures fail with a {@link
 * MinikafkaException}.
 */
sealed interface GroupDialect permits GroupVersion0, GroupVersion1 {
  int version();

  /**
   * @param member this member's id, or what {@link #newMember} made
   */
  CompletableFuture<GroupList> join(GroupSettings settings, String member, List<String> topics);

  /** The id to join with for the first time. */
  String newMember();

  /**
   * The list as it is now; empty from version 0, which tells only that it has changed, by {@link
   * ErrorCode#REBALANCE_IN_PROGRESS}.
   */
  CompletableFuture<Optional<GroupList>> heartbeat(Beat beat, int timeoutMs);

  /**
   * @param generation the group's, by the last answer; version 0's
   * @param assignment number of the last list; version 1's
   * @param waitMs how long the answer may wait for news; version 1's
   * @param owned what this member has; version 1's
   */
  record Beat(
      String group,
      String member,
      long generation,
      long assignment,
      int waitMs,
      List<PartitionId> owned) {}

  /**
   * Stores all or nothing (version 0: each by itself, all sent at once). Fails with {@link
   * CommitRefusedException} if it was refused for one of the partitions.
   */
  CompletableFuture<Void> commit(
      String group, String member, long generation, Map<Seat, CommittedOffset> offsets);

  /** What the group has committed, of these partitions. */
  CompletableFuture<Map<TopicPartition, CommittedOffset>> committed(
      String group, Map<TopicPartition, UUID> partitions);

  CompletableFuture<Void> leave(String group, String member, boolean keepSeat);

  /** The exception for a commit that was refused; other refusals stay what they are. */
  static MinikafkaException refused(String group, Collection<Seat> seats, ServerException refusal) {
    return switch (refusal.error()) {
      case UNKNOWN_MEMBER,
          NOT_OWNER,
          ILLEGAL_GENERATION,
          REBALANCE_IN_PROGRESS,
          FENCED_INSTANCE,
          UNKNOWN_TOPIC,
          OFFSET_OUT_OF_RANGE,
          INVALID_REQUEST ->
          new CommitRefusedException(
              refusal.error(),
              "group %s did not take the commit of %s: %s"
                  .formatted(
                      group, seats.stream().map(Seat::partition).toList(), refusal.getMessage()));
      default -> refusal;
    };
  }
}
