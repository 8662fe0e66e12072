package io.minikafka.cli;

import io.minikafka.TopicPartition;
import io.minikafka.client.CommitRefusedException;
import io.minikafka.client.CommittedOffset;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerRecord;
import io.minikafka.client.OffsetOutOfRangeException;
import io.minikafka.client.RebalanceListener;
import io.minikafka.client.WakeupException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code consume} as a member of a group: prints what the group gives it and commits exactly what
 * it printed, behind the flush that made it leave the process. Where the group has committed
 * nothing, where it begins is committed too, before it ends at the latest: else what is produced
 * between two runs that begin at the end would be in neither.
 *
 * <p>Without following it ends when the group has read what was there when it began: what this
 * member has up to the end, and what others have as far as they have committed it. So a member that
 * was killed leaves nothing behind: its partitions come here when its session is over.
 *
 * <p>One thread; {@link Interruption} makes it stop from another.
 */
final class GroupConsume implements RebalanceListener {
  private static final long ASK_NANOS = 500_000_000;

  private final Consumer consumer;
  private final String group;
  private final Set<TopicPartition> partitions;
  private final Ends ends;
  private final StartPoint from;
  private final DamagePass damage;
  private final RecordPrinter printer;
  private final Duration wait;
  private final Map<TopicPartition, Long> uncommitted = new HashMap<>();

  /** Owned ones whose logs do not have the offset to begin at: a poll fails for them. */
  private final Set<TopicPartition> unreadable = new LinkedHashSet<>();

  private boolean joined;
  private long askedNanos = System.nanoTime() - ASK_NANOS;

  /**
   * @param partitions all there were when the command began
   * @param from where to begin if nothing is committed
   * @param wait the longest wait of a poll; between two it is seen whether there is an end
   */
  GroupConsume(
      Consumer consumer,
      String group,
      Set<TopicPartition> partitions,
      Ends ends,
      StartPoint from,
      DamagePass damage,
      RecordPrinter printer,
      Duration wait) {
    this.consumer = consumer;
    this.group = group;
    this.partitions = partitions;
    this.ends = ends;
    this.from = from;
    this.damage = damage;
    this.printer = printer;
    this.wait = wait;
  }

  /**
   * Until all is read, or as much as is wanted, or it is interrupted.
   *
   * @throws CommitRefusedException if what was printed last was taken away before it was committed:
   *     another member prints it again
   */
  void run(Interruption interruption) throws IOException {
    try {
      while (!interruption.hasCome() && !printer.isFull() && !isThrough()) {
        print(damage.poll(consumer, wait));
        // Behind the records that were printed: what is left out is not read again either.
        uncommitted.putAll(damage.takePassed());
        commitUnlessLost();
      }
    } catch (WakeupException e) {
      // Interrupted while it waited; what it has printed is committed now at the latest.
    } catch (OffsetOutOfRangeException e) {
      commitUnlessLost();
      throw outside(e);
    } catch (IOException e) {
      if (!RecordPrinter.isEndOfReader(e)) {
        commitUnlessLost();
        throw e;
      }
    }
    commit();
  }

  /** With the way on. */
  private IOException outside(OffsetOutOfRangeException e) {
    TopicPartition at = e.partition();
    return unreadable.contains(at)
        ? StartPoint.outside(e.position(), at, e.logStart(), e.highWatermark())
        : new IOException(
            "%s; group reset %s --topic %s:%d with --to-earliest or --to-latest sets it within"
                .formatted(e.getMessage(), group, at.topic(), at.partition()));
  }

  private void print(List<ConsumerRecord> records) throws IOException {
    try {
      for (ConsumerRecord record : records) {
        if (!printer.isFull() && ends.wants(record)) {
          printer.print(record);
        }
      }
      printer.flush();
    } finally {
      // Also if the output broke: what went out before is out.
      uncommitted.putAll(printer.takeOut());
    }
  }

  private void commitUnlessLost() {
    try {
      commit();
    } catch (CommitRefusedException e) {
      switch (e.error()) {
        // They went to somebody else, who prints them again; the next poll tells which.
        case UNKNOWN_TOPIC, UNKNOWN_MEMBER, NOT_OWNER, ILLEGAL_GENERATION -> {}
        default -> throw e;
      }
    }
  }

  private void commit() {
    if (uncommitted.isEmpty()) {
      return;
    }
    Map<TopicPartition, CommittedOffset> offsets = new LinkedHashMap<>();
    uncommitted.forEach((partition, offset) -> offsets.put(partition, CommittedOffset.of(offset)));
    try {
      consumer.commitSync(offsets);
    } catch (WakeupException e) {
      // Interrupted in the middle; it says the same once more, to know the outcome.
      consumer.commitSync(offsets);
    }
    uncommitted.clear();
  }

  private boolean isThrough() {
    if (ends.follow()) {
      return false;
    }
    if (!unreadable.isEmpty()) {
      // A poll that ended before the broker's answer came has not failed yet. Or the log has grown.
      begin(Set.copyOf(unreadable));
      return false;
    }
    Set<TopicPartition> own = consumer.assignment();
    List<TopicPartition> others = new ArrayList<>();
    for (TopicPartition partition : partitions) {
      if (!own.contains(partition)) {
        others.add(partition);
      } else if (!ends.isReached(partition, consumer.position(partition))) {
        return false;
      }
    }
    long now = System.nanoTime();
    if (!others.isEmpty() && now - askedNanos < ASK_NANOS) {
      return false;
    }
    askedNanos = now;
    return others.isEmpty() || areReached(others);
  }

  private boolean areReached(List<TopicPartition> others) {
    Map<TopicPartition, CommittedOffset> committed = consumer.committed(others);
    List<TopicPartition> unread = new ArrayList<>();
    for (TopicPartition partition : others) {
      CommittedOffset offset = committed.get(partition);
      if (offset == null) {
        unread.add(partition);
      } else if (!ends.isReached(partition, offset.offset())) {
        return false;
      }
    }
    if (unread.isEmpty()) {
      return true;
    }
    if (!joined || !(from instanceof StartPoint.Beginning)) {
      // Whoever gets them commits where it begins.
      return false;
    }
    // Others may have found nothing there to commit, and nothing is lost by that.
    Map<TopicPartition, Long> starts = consumer.beginningOffsets(unread);
    return unread.stream()
        .allMatch(partition -> ends.isReached(partition, starts.getOrDefault(partition, 0L)));
  }

  @Override
  public void onAssigned(Set<TopicPartition> assigned) {
    joined = true;
    Set<TopicPartition> fresh = new LinkedHashSet<>(assigned);
    fresh.removeAll(consumer.committed(assigned).keySet());
    for (TopicPartition partition : fresh) {
      from.seek(consumer, partition);
    }
    begin(fresh);
  }

  private void begin(Set<TopicPartition> fresh) {
    unreadable.addAll(fresh);
    for (TopicPartition partition : from instanceof StartPoint.Offset ? readable(fresh) : fresh) {
      unreadable.remove(partition);
      uncommitted.putIfAbsent(partition, consumer.position(partition));
    }
  }

  /** Those whose logs have the offset to begin at. */
  private Set<TopicPartition> readable(Set<TopicPartition> fresh) {
    Map<TopicPartition, Long> starts = consumer.beginningOffsets(fresh);
    Map<TopicPartition, Long> highWatermarks = consumer.endOffsets(fresh);
    Set<TopicPartition> readable = new LinkedHashSet<>(fresh);
    readable.removeIf(
        partition -> {
          long offset = consumer.position(partition);
          return offset < starts.getOrDefault(partition, 0L)
              || offset > highWatermarks.getOrDefault(partition, 0L);
        });
    return readable;
  }

  @Override
  public void onRevoked(Set<TopicPartition> revoked) {
    commitUnlessLost();
    forget(revoked);
  }

  @Override
  public void onLost(Set<TopicPartition> lost) {
    forget(lost);
  }

  private void forget(Set<TopicPartition> partitions) {
    uncommitted.keySet().removeAll(partitions);
    unreadable.removeAll(partitions);
  }
}
