package io.minikafka.client;

import io.minikafka.TopicPartition;
import io.minikafka.record.KeyHash;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The queues of one topic, and where keyless records go. Any thread; partitions may be added, and
 * what was learnt of the topic replaced.
 */
final class TopicQueues {
  private final PartitionQueue.Owner owner;
  private final ProducerSettings.Keyless keyless;
  private final AtomicInteger turn = new AtomicInteger(ThreadLocalRandom.current().nextInt());

  /** Written under this object's monitor. Never shorter than before. */
  private volatile PartitionQueue[] queues = {};

  /** When what is known is to be asked for again, in the timers' nanoseconds. */
  private final AtomicLong dueNanos = new AtomicLong();

  private volatile TopicInfo info;
  private volatile boolean stale;

  TopicQueues(PartitionQueue.Owner owner, TopicInfo info) {
    this.owner = owner;
    this.keyless = owner.settings().keyless();
    this.info = info;
    learn(info);
  }

  TopicInfo info() {
    return info;
  }

  /** The server said that it is not so; ask again before the next record. */
  void doubt(TopicInfo doubted) {
    if (info.equals(doubted)) {
      stale = true;
    }
  }

  boolean isStale() {
    return stale;
  }

  /** Whether what is known has grown old; of several callers one is told so. */
  boolean takeDue() {
    long now = owner.timers().nanoTime();
    long due = dueNanos.get();
    return now - due >= 0 && dueNanos.compareAndSet(due, now + maxAgeNanos());
  }

  /** Asking failed; it is worth another attempt after a while. */
  void askAgainSoon() {
    long pauseNanos = TimeUnit.MILLISECONDS.toNanos(owner.settings().client().maxBackoffMs());
    dueNanos.set(owner.timers().nanoTime() + Math.min(pauseNanos, maxAgeNanos()));
  }

  private long maxAgeNanos() {
    return TimeUnit.MILLISECONDS.toNanos(owner.settings().metadataMaxAgeMs());
  }

  synchronized void learn(TopicInfo news) {
    dueNanos.set(owner.timers().nanoTime() + maxAgeNanos());
    PartitionQueue[] grown = queues;
    if (grown.length < news.partitions()) {
      grown = Arrays.copyOf(grown, news.partitions());
      for (int i = queues.length; i < grown.length; i++) {
        grown[i] = new PartitionQueue(owner, new TopicPartition(news.name(), i));
      }
    }
    queues = grown;
    info = news;
    stale = false;
  }

  /** All there ever were, also of partitions that are gone. */
  List<PartitionQueue> all() {
    return Arrays.asList(queues);
  }

  /** Where a record without a partition of its own goes, of so many partitions. */
  int choose(ProducerRecord record, int partitions) {
    byte[] key = record.rawKey();
    if (key != null) {
      return KeyHash.partition(key, partitions);
    }
    int now =
        switch (keyless) {
          case STICKY -> turn.get();
          case ROUND_ROBIN -> turn.getAndIncrement();
        };
    return Integer.remainderUnsigned(now, partitions);
  }

  PartitionQueue queue(int partition) {
    return queues[partition];
  }

  /** A batch of this partition is complete: sticky records go on to the next. */
  void sealed(int partition) {
    if (keyless == ProducerSettings.Keyless.STICKY) {
      int now = turn.get();
      if (Integer.remainderUnsigned(now, info.partitions()) == partition) {
        turn.compareAndSet(now, now + 1);
      }
    }
  }
}
