package io.minikafka.coordinator;

import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.PartitionId;
import io.minikafka.group.GroupEvent;
import io.minikafka.group.GroupLimits;
import io.minikafka.group.GroupResult;
import io.minikafka.group.TopicsView;
import io.minikafka.group.TopicsView.TopicView;
import io.minikafka.partition.HandExecutor;
import io.minikafka.partition.MemoryStore;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongFunction;

/**
 * A coordinator with everything around it in the test's hands: the clock, the worker, the
 * durability of the offsets log, the topics. A new one over the same store is the next start of the
 * broker.
 */
final class Rig {
  static final UUID ORDERS = new UUID(1, 1);
  static final int PARTITIONS = 4;
  static final long SESSION_MS = 10_000;

  final HandTimers timers = new HandTimers();
  final HandExecutor worker = new HandExecutor();
  final MemoryStore store;
  final FakeTopics topics;
  final Observed observed = new Observed();
  final Coordinator coordinator;

  /** What the observer was told, one word each. */
  static final class Observed implements EngineObserver {
    final List<String> told = new ArrayList<>();

    @Override
    public void onCommitClamped() {
      told.add("clamped");
    }

    @Override
    public void onGroupsFailed() {
      told.add("failed");
    }

    @Override
    public void onGroupsStalled(long ms) {
      told.add("stalled " + ms);
    }
  }

  /** Topics with partitions whose logs end where the test says. */
  static final class FakeTopics implements Surroundings.Topics {
    final Map<PartitionId, Partition> partitions = new LinkedHashMap<>();
    List<TopicView> views = List.of();
    CompletableFuture<Partition> offsetsLog;

    FakeTopics(MemoryStore offsets) {
      offsetsLog = CompletableFuture.completedFuture(TestLog.partition(offsets));
      add("orders", ORDERS, PARTITIONS, 1000);
    }

    void add(String name, UUID id, int count, long end) {
      List<TopicView> all = new ArrayList<>(views);
      all.add(new TopicView(name, id, count, false));
      views = List.copyOf(all);
      for (int i = 0; i < count; i++) {
        log(new PartitionId(id, i), new PartitionStore.Snapshot(1, 0, end, end, 0, ""));
      }
    }

    void log(PartitionId id, PartitionStore.Snapshot snapshot) {
      partitions.put(id, TestLog.partition(id, new MemoryStore(snapshot)));
    }

    void delete(UUID id) {
      views = views.stream().filter(view -> !view.id().equals(id)).toList();
      partitions.keySet().removeIf(partition -> partition.topicId().equals(id));
    }

    /** The same topics, after the next start. */
    FakeTopics again(MemoryStore offsets) {
      FakeTopics next = new FakeTopics(offsets);
      next.views = views;
      next.partitions.clear();
      next.partitions.putAll(partitions);
      return next;
    }

    @Override
    public TopicsView view() {
      return TopicsView.of(views);
    }

    @Override
    public Optional<Partition> partition(PartitionId id) {
      return Optional.ofNullable(partitions.get(id));
    }

    @Override
    public List<Partition> partitions() {
      return List.copyOf(partitions.values());
    }

    @Override
    public CompletableFuture<Partition> offsetsLog() {
      return offsetsLog;
    }
  }

  /** An answer that comes or does not. */
  static final class Reply {
    private final List<GroupReply> replies = new ArrayList<>();

    boolean isThere() {
      if (replies.size() > 1) {
        throw new AssertionError("answered twice: " + replies);
      }
      return !replies.isEmpty();
    }

    GroupReply get() {
      if (!isThere()) {
        throw new AssertionError("no answer yet");
      }
      return replies.getFirst();
    }

    <T extends GroupResult> T as(Class<T> type) {
      if (get() instanceof GroupReply.Answered(GroupResult result) && type.isInstance(result)) {
        return type.cast(result);
      }
      throw new AssertionError(get());
    }

    GroupReply.Failed failed() {
      if (get() instanceof GroupReply.Failed failed) {
        return failed;
      }
      throw new AssertionError(get());
    }
  }

  Rig() {
    this(new MemoryStore());
  }

  Rig(MemoryStore store) {
    this(store, new FakeTopics(store));
  }

  Rig(MemoryStore store, FakeTopics topics) {
    this.store = store;
    this.topics = topics;
    this.coordinator =
        new Coordinator(
            new CoordinatorSettings(GroupLimits.DEFAULTS, 600_000),
            new Surroundings(TestLog.CLOCK, timers, worker, topics, observed));
  }

  /** A coordinator that serves, over a log that is durable at once. */
  static Rig serving() {
    return new Rig().started();
  }

  /** Starts it, with everything durable at once from now on. */
  Rig started() {
    store.forceOnFlush = true;
    start();
    if (!(coordinator.status() instanceof Status.Serving)) {
      throw new AssertionError(coordinator.status());
    }
    return this;
  }

  void start() {
    coordinator.start();
    worker.runAll();
  }

  /** The next start of the broker over what is in the log. */
  Rig restarted() {
    return new Rig(store, topics.again(store)).started();
  }

  void advanceMs(long ms) {
    for (long left = ms; left > 0; left -= Math.min(left, 10)) {
      timers.advanceMs(Math.min(left, 10));
      worker.runAll();
    }
  }

  Reply ask(long connection, LongFunction<GroupEvent> event) {
    Reply reply = new Reply();
    coordinator.ask(connection, event, reply.replies::add);
    worker.runAll();
    return reply;
  }

  Reply join(String group, String member) {
    return join(1, group, member);
  }

  Reply join(long connection, String group, String member) {
    return ask(
        connection,
        ticket ->
            new GroupEvent.Join(
                ticket,
                connection,
                1,
                group,
                member,
                "",
                SESSION_MS,
                SESSION_MS,
                "",
                List.of("orders")));
  }

  Reply heartbeat(long connection, String group, String member, GroupResult.Joined joined) {
    return ask(
        connection,
        ticket ->
            new GroupEvent.Heartbeat(
                ticket,
                connection,
                group,
                member,
                joined.assignment(),
                SESSION_MS,
                joined.partitions().stream().map(one -> one.partition()).toList()));
  }

  /** A commit from outside the group. */
  Reply commit(String group, int partition, long offset) {
    return ask(
        1,
        ticket ->
            new GroupEvent.Commit(
                ticket,
                1,
                group,
                "",
                List.of(
                    new GroupEvent.CommitPart(
                        new PartitionId(ORDERS, partition), 0, offset, 1, "")),
                coordinator.logEnds()));
  }

  Reply fetch(String group, int partition) {
    return ask(
        1,
        ticket ->
            new GroupEvent.FetchOffsets(
                ticket, group, List.of(new PartitionId(ORDERS, partition))));
  }

  /** −1 if nothing is committed. */
  long committed(String group, int partition) {
    return fetch(group, partition)
        .as(GroupResult.Offsets.class)
        .offsets()
        .getFirst()
        .commit()
        .map(commit -> commit.offset())
        .orElse(-1L);
  }
}
