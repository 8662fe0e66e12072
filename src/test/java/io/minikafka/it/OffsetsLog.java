package io.minikafka.it;

import io.minikafka.TopicPartition;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerRecord;
import io.minikafka.client.ConsumerSettings;
import io.minikafka.codec.Bytes;
import io.minikafka.group.GroupRecord;
import io.minikafka.group.GroupRecord.MemberKey;
import io.minikafka.group.GroupRecordCodec;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All records of one group in the log of committed offsets, oldest first: what the broker granted,
 * and which commits it took. Immutable.
 */
final class OffsetsLog {
  private static final TopicPartition LOG = new TopicPartition("__consumer_offsets", 0);

  private final List<Entry> entries;

  private record Entry(long timestamp, GroupRecord record) {}

  /**
   * How long the broker took from a new generation to the last change of ownership it led to.
   *
   * @param sortedMs of each generation
   */
  record Rebalances(List<Long> sortedMs) {
    private long percentile(double share) {
      return sortedMs.get((int) Math.min(sortedMs.size() - 1L, (long) (share * sortedMs.size())));
    }

    @Override
    public String toString() {
      return "%d rebalances: p50 %d ms, p99 %d ms, longest %d ms"
          .formatted(sortedMs.size(), percentile(0.5), percentile(0.99), percentile(1));
    }
  }

  private OffsetsLog(List<Entry> entries) {
    this.entries = entries;
  }

  static OffsetsLog read(ClientSettings client, String group) {
    List<Entry> entries = new ArrayList<>();
    try (Consumer consumer = Consumer.open(ConsumerSettings.builder(client).build())) {
      consumer.assign(List.of(LOG));
      long end = consumer.endOffsets(List.of(LOG)).getOrDefault(LOG, 0L);
      while (consumer.position(LOG) < end) {
        for (ConsumerRecord record : consumer.poll(Duration.ofSeconds(10))) {
          GroupRecord read =
              GroupRecordCodec.read(
                  buffer(record.key().orElseThrow()), record.value().map(OffsetsLog::buffer));
          if (read.key().group().equals(group)) {
            entries.add(new Entry(record.timestamp(), read));
          }
        }
      }
    }
    return new OffsetsLog(entries);
  }

  private static ByteBuffer buffer(Bytes bytes) {
    return ByteBuffer.wrap(bytes.toArray());
  }

  /** Looks at the owners after each single record, also inside a batch. */
  List<String> partitionsWithTwoOwners() {
    List<String> wrong = new ArrayList<>();
    Map<MemberKey, List<Integer>> owned = new HashMap<>();
    for (Entry entry : entries) {
      switch (entry.record) {
        case GroupRecord.Member member -> {
          List<Integer> now =
              member.owned().stream().map(each -> each.partition().partition()).toList();
          owned.forEach(
              (other, theirs) -> {
                if (!other.equals(member.key())) {
                  theirs.stream()
                      .filter(now::contains)
                      .forEach(
                          partition ->
                              wrong.add(
                                  "%d of %s and %s at %d"
                                      .formatted(
                                          partition,
                                          other.member(),
                                          member.key().member(),
                                          entry.timestamp)));
                }
              });
          owned.put(member.key(), now);
        }
        case GroupRecord.Tombstone(MemberKey key) -> owned.remove(key);
        default -> {}
      }
    }
    return wrong;
  }

  /** The members of this test commit what they have read on: no later commit is smaller. */
  List<String> commitsThatWentBack() {
    List<String> wrong = new ArrayList<>();
    Map<Integer, Long> newest = new HashMap<>();
    for (Entry entry : entries) {
      if (entry.record instanceof GroupRecord.Commit commit) {
        int partition = commit.key().partition().partition();
        long offset = commit.value().offset();
        Long before = newest.put(partition, offset);
        if (before != null && before > offset) {
          wrong.add("%d from %d to %d".formatted(partition, before, offset));
        }
      }
    }
    return wrong;
  }

  /** Commits that were acknowledged to somebody and are not in the log. */
  List<GroupHistory.Commit> missing(List<GroupHistory.Commit> acknowledged) {
    Map<Integer, List<Long>> logged = new HashMap<>();
    for (Entry entry : entries) {
      if (entry.record instanceof GroupRecord.Commit commit) {
        logged
            .computeIfAbsent(commit.key().partition().partition(), any -> new ArrayList<>())
            .add(commit.value().offset());
      }
    }
    return acknowledged.stream()
        .filter(
            commit -> !logged.getOrDefault(commit.partition(), List.of()).contains(commit.offset()))
        .toList();
  }

  /** Of generations that moved a partition. */
  Rebalances rebalances() {
    List<Long> durations = new ArrayList<>();
    Optional<Entry> bump = Optional.empty();
    long last = -1;
    for (Entry entry : entries) {
      if (entry.record instanceof GroupRecord.Group) {
        if (bump.isPresent() && last >= 0) {
          durations.add(last - bump.get().timestamp);
        }
        bump = Optional.of(entry);
        last = -1;
      } else if (entry.record instanceof GroupRecord.Member) {
        last = entry.timestamp;
      }
    }
    return new Rebalances(durations.stream().sorted().toList());
  }
}
