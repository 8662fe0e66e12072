package io.minikafka.client;

import io.minikafka.TopicPartition;
import io.minikafka.protocol.ListOffsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads records of the partitions it was assigned, all of them in one long poll, the next fetch
 * under way while the application works on the last.
 *
 * <p>One thread at a time (a second one gets {@link ConcurrentModificationException}); only {@link
 * #wakeup} may come from any. A consumer owns one connection and its threads until it is closed.
 *
 * <p><b>Promises.</b> Within a partition records come in offset order, none twice and none left
 * out, also over lost connections: the position moves only with records that {@link #poll}
 * returned. Every record's checksum was checked, and that it stands where the one before ended.
 *
 * <p><b>Failures.</b> {@link #poll} throws {@link FetchException} when one partition cannot be read
 * on, {@link ServerException} when the server refuses, {@link ConnectionException} when no
 * connection could be made for {@code outageMs}; positions are kept, the next {@code poll} tries
 * again. Records that came with the failure are returned first.
 */
public final class Consumer implements AutoCloseable {
  // Constant after construction.
  private final ClientRuntime runtime;
  private final Link link;
  private final OffsetLookup lookup;
  private final Fetcher fetcher;
  private final Doorbell doorbell = new Doorbell();
  private final AtomicReference<@Nullable Thread> user = new AtomicReference<>();

  // The using thread's alone.
  private final Map<TopicPartition, AssignedPartition> assigned = new LinkedHashMap<>();
  private boolean closed;

  Consumer(ConsumerSettings settings, ClientRuntime runtime) {
    this.runtime = runtime;
    this.link = new Link(settings.client(), runtime);
    this.lookup = new OffsetLookup(link, settings.reset());
    this.fetcher = new Fetcher(settings, runtime.timers(), link, lookup, doorbell);
  }

  /** Returns at once; the first call that needs the server connects. */
  public static Consumer open(ConsumerSettings settings) {
    return new Consumer(settings, ClientRuntime.real("minikafka-consumer"));
  }

  /**
   * Replaces the assignment. Partitions that stay keep their positions; new ones begin where {@code
   * seek} says, or else the reset policy.
   */
  public void assign(Collection<TopicPartition> partitions) {
    enter();
    try {
      assigned.keySet().retainAll(partitions);
      boolean added = false;
      for (TopicPartition partition : partitions) {
        added |= assigned.putIfAbsent(partition, new AssignedPartition(partition)) == null;
      }
      fetcher.assign(List.copyOf(assigned.values()), added);
    } finally {
      leave();
    }
  }

  public Set<TopicPartition> assignment() {
    enter();
    try {
      return Set.copyOf(assigned.keySet());
    } finally {
      leave();
    }
  }

  /**
   * The next record is the first with this offset or a larger one. What was fetched ahead is
   * dropped.
   *
   * @throws IllegalArgumentException if the partition is not assigned or the offset negative
   */
  public void seek(TopicPartition partition, long offset) {
    if (offset < 0) {
      throw new IllegalArgumentException("offset %d is negative".formatted(offset));
    }
    seek(List.of(partition), new StartPoint.At(offset));
  }

  /** To the first record there is, at the time of the next {@code poll} or {@code position}. */
  public void seekToBeginning(Collection<TopicPartition> partitions) {
    seek(partitions, new StartPoint.Beginning());
  }

  /** Behind the last record there is, at the time of the next {@code poll} or {@code position}. */
  public void seekToEnd(Collection<TopicPartition> partitions) {
    seek(partitions, new StartPoint.End());
  }

  /**
   * To the first record that is not older than this time; to the end if there is none.
   *
   * @throws UnsupportedByServerException at the next {@code poll} or {@code position}, if the
   *     server speaks version 0
   */
  public void seekToTime(TopicPartition partition, long timestampMs) {
    seek(List.of(partition), new StartPoint.Time(notNegative(timestampMs)));
  }

  private void seek(Collection<TopicPartition> partitions, StartPoint point) {
    enter();
    try {
      for (AssignedPartition state : partitions.stream().map(this::state).toList()) {
        state.seek(point);
      }
      fetcher.sought();
    } finally {
      leave();
    }
  }

  /**
   * Waits until there are records, at most {@code maxWait}; empty if there were none.
   *
   * @throws WakeupException if {@link #wakeup} was called, also before; or if the thread is
   *     interrupted, which stays set
   * @throws IllegalStateException if a partition has no position and the reset policy is to fail
   */
  public List<ConsumerRecord> poll(Duration maxWait) {
    enter();
    try {
      List<ConsumerRecord> out = new ArrayList<>();
      fetcher.poll(maxWait.toNanos(), out);
      return out;
    } finally {
      leave();
    }
  }

  /** The offset of the next record {@code poll} returns from there; asks the server if need be. */
  public long position(TopicPartition partition) {
    enter();
    try {
      AssignedPartition state = state(partition);
      if (!state.isResolved()) {
        lookup.resolve(List.of(state), Failures.await(lookup.ask(List.of(state))));
      }
      return state.position();
    } finally {
      leave();
    }
  }

  /** The high watermark the last fetch of an assigned partition told; empty before the first. */
  public OptionalLong highWatermark(TopicPartition partition) {
    enter();
    try {
      return state(partition).highWatermark();
    } finally {
      leave();
    }
  }

  /** The first offset of each, of any partitions, assigned or not. */
  public Map<TopicPartition, Long> beginningOffsets(Collection<TopicPartition> partitions) {
    return offsets(partitions, ListOffsets.START);
  }

  /** The offset behind the last visible record of each, of any partitions, assigned or not. */
  public Map<TopicPartition, Long> endOffsets(Collection<TopicPartition> partitions) {
    return offsets(partitions, ListOffsets.HIGH_WATERMARK);
  }

  /**
   * The offset of the first record that is not older than the time; empty if there is none.
   *
   * @throws UnsupportedByServerException if the server speaks version 0
   */
  public OptionalLong offsetForTime(TopicPartition partition, long timestampMs) {
    long offset =
        offsets(List.of(partition), notNegative(timestampMs)).getOrDefault(partition, -1L);
    return offset < 0 ? OptionalLong.empty() : OptionalLong.of(offset);
  }

  private Map<TopicPartition, Long> offsets(Collection<TopicPartition> partitions, long query) {
    enter();
    try {
      return Failures.await(lookup.offsets(List.copyOf(partitions), query));
    } finally {
      leave();
    }
  }

  /**
   * The number of partitions of a topic, as the server says now.
   *
   * @throws ServerException UNKNOWN_TOPIC if there is no such topic
   */
  public int partitionCount(String topic) {
    enter();
    try {
      return Failures.await(lookup.topics().refresh(topic)).partitions();
    } finally {
      leave();
    }
  }

  /**
   * Ends a {@code poll} that is waiting in another thread, or else the next one, with {@link
   * WakeupException}. Any thread.
   */
  public void wakeup() {
    doorbell.wakeup();
  }

  /** Ends the threads and the connection. Safe to call again; only from the polling thread. */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    enter();
    try {
      closed = true;
      link.close();
      runtime.close();
    } finally {
      leave();
    }
  }

  private AssignedPartition state(TopicPartition partition) {
    AssignedPartition state = assigned.get(partition);
    if (state == null) {
      throw new IllegalArgumentException(partition + " is not assigned");
    }
    return state;
  }

  private static long notNegative(long timestampMs) {
    if (timestampMs < 0) {
      throw new IllegalArgumentException("timestamp %d is negative".formatted(timestampMs));
    }
    return timestampMs;
  }

  private void enter() {
    Thread other = user.compareAndExchange(null, Thread.currentThread());
    if (other != null) {
      throw new ConcurrentModificationException(
          "this consumer is being used by thread " + other.getName());
    }
    if (closed) {
      user.set(null);
      throw new IllegalStateException("the consumer is closed");
    }
  }

  private void leave() {
    user.set(null);
  }
}
