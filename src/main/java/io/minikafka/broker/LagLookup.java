package io.minikafka.broker;

import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import io.minikafka.group.CommittedOffset;
import io.minikafka.group.GroupDescription;
import io.minikafka.group.GroupDescription.MemberView;
import io.minikafka.group.GroupResult.FetchedOffset;
import io.minikafka.partition.AppendTimeLookup;
import io.minikafka.partition.DeletionOutlook;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionStore;
import io.minikafka.topic.Topic;
import io.minikafka.topic.Topics;
import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

/**
 * Works out how far groups have read: the one place where it is done, so that whoever asks, over
 * whichever way, is told the same.
 *
 * <p>Any thread; the work is done on the worker, which it gives back after {@link #LOOKUPS_AT_ONCE}
 * lookups that may have touched the disk.
 */
final class LagLookup {
  static final int LOOKUPS_AT_ONCE = 64;

  private final Topics topics;
  private final InstantSource wallClock;
  private final Executor worker;
  private final AppendTimes appendTimes;

  /**
   * @param wallClock that of the append times
   * @param nanoTime monotonic
   */
  LagLookup(Topics topics, InstantSource wallClock, LongSupplier nanoTime, Executor worker) {
    this.topics = topics;
    this.wallClock = wallClock;
    this.worker = worker;
    this.appendTimes = new AppendTimes(nanoTime);
  }

  /**
   * The lag of some groups, in their order.
   *
   * @return exceptionally with {@link RejectedExecutionException} if the worker has stopped;
   *     cancelling it ends the work
   */
  CompletableFuture<List<GroupLag>> of(List<GroupDescription> groups) {
    Run run = new Run(groups);
    run.goOn();
    return run.answer;
  }

  /** What is asked about one partition. */
  private record Reading(
      TopicPartition name, Partition partition, String owner, Optional<CommittedOffset> commit) {}

  /** One pass over some groups. One thread at a time. */
  private final class Run {
    final CompletableFuture<List<GroupLag>> answer = new CompletableFuture<>();

    private final Iterator<GroupDescription> groups;
    private final List<GroupLag> done = new ArrayList<>();
    private Optional<GroupDescription> group = Optional.empty();
    private Iterator<Reading> readings = List.<Reading>of().iterator();
    private List<PartitionLag> partitions = new ArrayList<>();
    private int lookups;

    Run(List<GroupDescription> groups) {
      this.groups = groups.iterator();
    }

    void goOn() {
      try {
        worker.execute(this::work);
      } catch (RejectedExecutionException e) {
        answer.completeExceptionally(e);
      }
    }

    private void work() {
      try {
        lookups = 0;
        while (!answer.isDone()) {
          if (lookups >= LOOKUPS_AT_ONCE) {
            goOn();
            return;
          }
          if (readings.hasNext()) {
            partitions.add(lag(readings.next()));
          } else if (!nextGroup()) {
            answer.complete(List.copyOf(done));
          }
        }
      } catch (RuntimeException | Error e) {
        answer.completeExceptionally(e);
      }
    }

    private boolean nextGroup() {
      group.ifPresent(ended -> done.add(GroupLag.of(ended.summary(), partitions)));
      group = groups.hasNext() ? Optional.of(groups.next()) : Optional.empty();
      partitions = new ArrayList<>();
      readings = group.map(next -> readings(next).iterator()).orElse(readings);
      return group.isPresent();
    }

    private PartitionLag lag(Reading reading) {
      String name = group.orElseThrow().summary().group();
      Partition partition = reading.partition;
      // Read before the snapshot: so it is never above the end that is seen with it.
      long seen = partition.highWatermark();
      PartitionStore.Snapshot now = partition.snapshot();
      long highWatermark = Math.max(now.start(), seen);
      Unread unread =
          now.isOffline() || reading.commit.isEmpty()
              ? Unread.NOT_KNOWN
              : unread(name, partition, reading.commit.get().offset(), now, highWatermark);
      return new PartitionLag(
          reading.name,
          reading.owner,
          reading.commit,
          now.start(),
          highWatermark,
          unread.records,
          unread.ms,
          reading.commit.map(commit -> Math.max(0, now.start() - commit.offset())).orElse(0L),
          unread.deletionInMs,
          unread.outlook.afterBytes(),
          now.offline());
    }

    private Unread unread(
        String name,
        Partition partition,
        long committed,
        PartitionStore.Snapshot now,
        long highWatermark) {
      long from = Math.max(committed, now.start());
      if (from >= highWatermark) {
        return Unread.NOTHING;
      }
      AppendTimeLookup oldest = appendTimes.known(name, partition, from);
      if (oldest == null) {
        lookups++;
        oldest = appendTimes.find(name, partition, from);
      }
      OptionalLong records = OptionalLong.of(highWatermark - from);
      long nowMs = wallClock.millis();
      return switch (oldest) {
        case AppendTimeLookup.Found(long offset, long appendTime) ->
            new Unread(
                records,
                OptionalLong.of(Math.max(0, nowMs - appendTime)),
                outlook(partition, offset),
                nowMs);
        // What lies between was compacted away: nothing is unread.
        case AppendTimeLookup.None none ->
            new Unread(records, OptionalLong.of(0), DeletionOutlook.NONE, nowMs);
        case AppendTimeLookup.Unknown unknown ->
            new Unread(records, OptionalLong.empty(), outlook(partition, from), nowMs);
      };
    }
  }

  private static DeletionOutlook outlook(Partition partition, long offset) {
    try {
      return partition.deletionOutlook(offset);
    } catch (IOException e) {
      return DeletionOutlook.NONE;
    }
  }

  /** What is unread of a partition. */
  private record Unread(
      OptionalLong records, OptionalLong ms, DeletionOutlook outlook, OptionalLong deletionInMs) {
    static final Unread NOT_KNOWN =
        new Unread(
            OptionalLong.empty(), OptionalLong.empty(), DeletionOutlook.NONE, OptionalLong.empty());

    static final Unread NOTHING =
        new Unread(
            OptionalLong.of(0), OptionalLong.of(0), DeletionOutlook.NONE, OptionalLong.empty());

    Unread(OptionalLong records, OptionalLong ms, DeletionOutlook outlook, long nowMs) {
      this(
          records,
          ms,
          outlook,
          outlook.atMs().isEmpty()
              ? OptionalLong.empty()
              : OptionalLong.of(Math.max(0, outlook.atMs().getAsLong() - nowMs)));
    }
  }

  /** Every partition that a group has to do with and that exists, by name. */
  private List<Reading> readings(GroupDescription group) {
    Map<PartitionId, Optional<CommittedOffset>> commits = new HashMap<>();
    Map<PartitionId, String> owners = new HashMap<>();
    Map<TopicPartition, Partition> concerned = new TreeMap<>();
    for (FetchedOffset fetched : group.commits()) {
      commits.put(fetched.partition(), fetched.commit());
      add(fetched.partition(), concerned);
    }
    for (MemberView member : group.members()) {
      member
          .owned()
          .forEach(
              owned -> {
                owners.put(owned.partition(), member.member());
                add(owned.partition(), concerned);
              });
      member.topics().stream()
          .flatMap(topic -> topics.topic(topic).stream())
          .forEach(
              topic -> topic.partitions().forEach(partition -> add(partition.id(), concerned)));
    }
    return concerned.entrySet().stream()
        .map(
            entry -> {
              PartitionId id = entry.getValue().id();
              return new Reading(
                  entry.getKey(),
                  entry.getValue(),
                  owners.getOrDefault(id, ""),
                  commits.getOrDefault(id, Optional.empty()));
            })
        .toList();
  }

  private void add(PartitionId id, Map<TopicPartition, Partition> concerned) {
    topics
        .topic(id.topicId())
        .filter(topic -> !topic.isInternal())
        .ifPresent(
            (Topic topic) ->
                topic
                    .partition(id.partition())
                    .ifPresent(
                        partition ->
                            concerned.put(
                                new TopicPartition(topic.name(), id.partition()), partition)));
  }
}
