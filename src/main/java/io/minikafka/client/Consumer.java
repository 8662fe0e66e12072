package io.minikafka.client;

import io.minikafka.TopicPartition;
import io.minikafka.protocol.ListOffsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.ConcurrentModificationException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads records of the partitions it was assigned, by hand or by a group, all of them in one long
 * poll, the next fetch under way while the application works on the last.
 *
 * <p>One thread at a time (a second one gets {@link ConcurrentModificationException}); only {@link
 * #wakeup} may come from any. A consumer owns one connection, in a group a second one, and its
 * threads until it is closed.
 *
 * <p><b>Promises.</b> Within a partition records come in offset order, none twice and none left
 * out, also over lost connections: the position moves only with records that {@link #poll}
 * returned. Every record's checksum was checked, and that it stands where the one before ended. One
 * thing cannot be told from what the server answers: whether offsets that are missing between a
 * position that was sought (or begun at) and the first batch marker behind it were compacted away
 * or lost; they are passed over. From that marker on, each says of its batch whether it was
 * compacted, and a hole in or behind one that was not is an error. Offsets that a repair of the log
 * gave up are passed over and told to the {@link LossListener}.
 *
 * <p><b>In a group</b> ({@link #subscribe}) a partition is one member's at a time. Its ownership is
 * a lease that heartbeats renew, on a thread of their own; when it is over, or the partition was
 * taken away, no more of its records are returned and nothing can be committed for it. Every record
 * is delivered to the group at least once: what was returned and not committed comes again after a
 * crash. Nothing is committed but what earlier polls returned, or what the application says.
 *
 * <p><b>Failures.</b> {@link #poll} throws {@link FetchException} when one partition cannot be read
 * on, {@link ServerException} when the server refuses, {@link ConnectionException} when no
 * connection could be made for {@code outageMs}; positions are kept, the next {@code poll} tries
 * again. Records that came with the failure are returned first.
 */
public final class Consumer implements AutoCloseable {
  // Constant after construction.
  private final ConsumerSettings settings;
  private final ClientRuntime runtime;
  private final Link link;
  private final OffsetLookup lookup;
  private final Fetcher fetcher;
  private final Doorbell doorbell = new Doorbell();
  private final OneUser user = new OneUser();

  // The using thread's alone.
  private final Assignment assignment;
  private @Nullable Subscription subscription;

  Consumer(ConsumerSettings settings, ClientRuntime runtime) {
    this.settings = settings;
    this.runtime = runtime;
    this.link = new Link(settings.client(), runtime);
    this.lookup = new OffsetLookup(link, settings.reset());
    this.fetcher = new Fetcher(settings, runtime.timers(), link, lookup, doorbell);
    this.assignment = new Assignment(fetcher);
  }

  /** Returns at once; the first call that needs the server connects. */
  public static Consumer open(ConsumerSettings settings) {
    return new Consumer(settings, ClientRuntime.real("minikafka-consumer"));
  }

  /**
   * Replaces the assignment. Partitions that stay keep their positions; new ones begin where {@code
   * seek} says, or else the reset policy.
   *
   * @throws IllegalStateException if a group assigns: {@link #unsubscribe} first
   */
  public void assign(Collection<TopicPartition> partitions) {
    user.runOutside(
        () -> {
          if (subscription != null) {
            throw new IllegalStateException(
                "group %s assigns the partitions of this consumer; unsubscribe first"
                    .formatted(subscription.group()));
          }
          assignment.replace(partitions);
        });
  }

  /**
   * Becomes a member of a group, which shares the partitions of the topics among its members. The
   * next {@code poll} joins; a topic need not exist yet. To be called again for other topics.
   *
   * @throws IllegalStateException if partitions are assigned by hand, or another group's or other
   *     settings hold: {@link #unsubscribe} first
   */
  public void subscribe(
      Collection<String> topics, GroupSettings group, RebalanceListener listener) {
    subscribe(SubscribedTopics.Wanted.named(topics), group, listener);
  }

  /** The same with the defaults. */
  public void subscribe(Collection<String> topics, String group, RebalanceListener listener) {
    subscribe(topics, GroupSettings.of(group), listener);
  }

  /**
   * The same for all topics whose whole names match, as far as the server shows them, those of its
   * own left out. What comes and goes later is noticed within {@code topicRefreshMs}.
   */
  public void subscribe(Pattern topics, GroupSettings group, RebalanceListener listener) {
    subscribe(new SubscribedTopics.Wanted.Matching(topics), group, listener);
  }

  /** The same with the defaults. */
  public void subscribe(Pattern topics, String group, RebalanceListener listener) {
    subscribe(topics, GroupSettings.of(group), listener);
  }

  private void subscribe(
      SubscribedTopics.Wanted topics, GroupSettings group, RebalanceListener listener) {
    user.runOutside(
        () -> {
          Subscription now = subscription;
          if (now == null && !assignment.isEmpty()) {
            throw new IllegalStateException(
                "partitions are assigned by hand; assign none before subscribing");
          }
          if (now == null) {
            subscription =
                new Subscription(
                    settings.client(), group, topics, listener, runtime, assignment, doorbell);
          } else if (now.settings().equals(group)) {
            now.resubscribe(topics, listener);
          } else {
            throw new IllegalStateException(
                "a member of group %s already, with other settings; unsubscribe first"
                    .formatted(now.group()));
          }
        });
  }

  /**
   * Leaves the group for good, also as a static member. Commits before, if that is to be done by
   * itself; the listener hears of what is given back.
   */
  public void unsubscribe() {
    user.runOutside(() -> unsubscribe(false));
  }

  private void unsubscribe(boolean keepSeat) {
    Subscription last = subscription;
    if (last != null) {
      try {
        last.end(keepSeat);
      } finally {
        subscription = null;
      }
    }
  }

  /** What it is in its group; empty if it has not subscribed. */
  public Optional<GroupMember> groupMember() {
    return user.use(() -> Optional.ofNullable(subscription).map(Subscription::member));
  }

  public Set<TopicPartition> assignment() {
    return user.use(assignment::partitions);
  }

  /**
   * Commits all positions: everything that {@code poll} returned, also last. Waits until it is on
   * stable storage; a lost connection is borne as long as the session lasts.
   *
   * @throws CommitRefusedException if nothing was stored, and why
   * @throws ConnectionException if the session ended before an answer came: it may be stored
   * @throws WakeupException if {@link #wakeup} was called; it may yet be stored
   * @throws IllegalStateException if not subscribed
   */
  public void commitSync() {
    user.run(() -> subscribed().commits().sync(subscribed().commits().positions()));
  }

  /** The same for these offsets; of partitions this member has. */
  public void commitSync(Map<TopicPartition, CommittedOffset> offsets) {
    user.run(() -> subscribed().commits().sync(Map.copyOf(offsets)));
  }

  /**
   * Commits all positions and does not wait, unless a thousand commits wait already. Later commits
   * do not overtake it. The callback comes in a later call of this consumer, {@code poll} or a
   * commit.
   *
   * @throws CommitRefusedException if a partition is not this member's
   */
  public void commitAsync(CommitCallback callback) {
    user.run(() -> subscribed().commits().async(subscribed().commits().positions(), callback));
  }

  /** The same for these offsets; of partitions this member has. */
  public void commitAsync(Map<TopicPartition, CommittedOffset> offsets, CommitCallback callback) {
    user.run(() -> subscribed().commits().async(Map.copyOf(offsets), callback));
  }

  /** What the group has committed of these partitions, whoever has them; the others are missing. */
  public Map<TopicPartition, CommittedOffset> committed(Collection<TopicPartition> partitions) {
    return user.use(
        () -> {
          Subscription now = subscribed();
          Map<String, UUID> topics = new HashMap<>();
          Map<TopicPartition, UUID> ids = new LinkedHashMap<>();
          for (TopicPartition partition : partitions) {
            ids.put(partition, topics.computeIfAbsent(partition.topic(), this::topicId));
          }
          return doorbell.await(now.committed(ids));
        });
  }

  private UUID topicId(String topic) {
    return doorbell.await(lookup.topics().refresh(topic)).id();
  }

  private Subscription subscribed() {
    if (subscription == null) {
      throw new IllegalStateException("not subscribed: there is no group to commit for");
    }
    return subscription;
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
    user.run(() -> assignment.seek(partitions, point));
  }

  /**
   * Waits until there are records, at most {@code maxWait}; empty if there were none. In a group
   * this is where partitions come and go, and the listener is told; that, and the commit before
   * partitions are let go, is not counted as waiting.
   *
   * @throws WakeupException if {@link #wakeup} was called, also before; or if the thread is
   *     interrupted, which stays set
   * @throws IllegalStateException if a partition has no position and the reset policy is to fail
   * @throws FencedInstanceException if another process has taken this static member's place
   */
  public List<ConsumerRecord> poll(Duration maxWait) {
    return user.useOutside(
        () -> {
          List<ConsumerRecord> out = new ArrayList<>();
          Subscription group = subscription;
          if (group == null) {
            fetcher.poll(Gate.OPEN, maxWait.toNanos(), out);
            return out;
          }
          try {
            group.pollBegan();
            fetcher.poll(group, maxWait.toNanos(), out);
          } finally {
            group.pollEnded();
          }
          return out;
        });
  }

  /** The offset of the next record {@code poll} returns from there; asks the server if need be. */
  public long position(TopicPartition partition) {
    return user.use(
        () -> {
          AssignedPartition state = assignment.state(partition);
          if (!state.isResolved()) {
            lookup.resolve(List.of(state), doorbell.await(lookup.ask(List.of(state))));
          }
          return state.position();
        });
  }

  /** The high watermark the last fetch of an assigned partition told; empty before the first. */
  public OptionalLong highWatermark(TopicPartition partition) {
    return user.use(() -> assignment.state(partition).highWatermark());
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
    return user.use(() -> doorbell.await(lookup.offsets(List.copyOf(partitions), query)));
  }

  /**
   * The number of partitions of a topic, as the server says now.
   *
   * @throws ServerException UNKNOWN_TOPIC if there is no such topic
   */
  public int partitionCount(String topic) {
    return user.use(() -> doorbell.await(lookup.topics().refresh(topic)).partitions());
  }

  /**
   * Ends a call that is waiting in another thread, {@code poll} or any other, or else the next one
   * that waits, with {@link WakeupException}. Any thread.
   */
  public void wakeup() {
    doorbell.wakeup();
  }

  /**
   * Ends the threads and the connections. In a group: commits before, if that is to be done by
   * itself, tells the listener, and leaves; a static member only says that it will be back, and
   * keeps its partitions for as long as its session is. Safe to call again; only from the polling
   * thread.
   *
   * @throws CommitRefusedException if that commit was refused; it is closed all the same
   */
  @Override
  public void close() {
    if (user.isClosed()) {
      return;
    }
    // An interrupt must not keep it from saying goodbye.
    boolean interrupted = Thread.interrupted();
    try {
      user.runOutside(
          () -> {
            try {
              unsubscribe(true);
            } finally {
              user.close();
              link.close();
              runtime.close();
            }
          });
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static long notNegative(long timestampMs) {
    if (timestampMs < 0) {
      throw new IllegalArgumentException("timestamp %d is negative".formatted(timestampMs));
    }
    return timestampMs;
  }
}
