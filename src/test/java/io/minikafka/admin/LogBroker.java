package io.minikafka.admin;

import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.PartitionId;
import io.minikafka.broker.BrokerAdministration;
import io.minikafka.broker.BrokerLimits;
import io.minikafka.broker.ControlPlane;
import io.minikafka.broker.GroupClients;
import io.minikafka.broker.GroupDeletion;
import io.minikafka.broker.GroupInspection;
import io.minikafka.broker.GroupTopics;
import io.minikafka.broker.HttpUse;
import io.minikafka.broker.LogAdministration;
import io.minikafka.broker.OffsetResets;
import io.minikafka.broker.ParkedFetches;
import io.minikafka.broker.StopSignal;
import io.minikafka.broker.TopicAdministration;
import io.minikafka.coordinator.Coordinator;
import io.minikafka.coordinator.CoordinatorSettings;
import io.minikafka.coordinator.GroupReply;
import io.minikafka.coordinator.Surroundings;
import io.minikafka.group.GroupEvent;
import io.minikafka.group.GroupLimits;
import io.minikafka.group.GroupResult;
import io.minikafka.log.DirectorySettings;
import io.minikafka.log.LogDirectory;
import io.minikafka.partition.AppendResult;
import io.minikafka.partition.Durability;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionSettings;
import io.minikafka.partition.StoreSettings;
import io.minikafka.storage.LocalDisk;
import io.minikafka.topic.Fixtures;
import io.minikafka.topic.Outcome;
import io.minikafka.topic.SettingChange;
import io.minikafka.topic.Topic;
import io.minikafka.topic.TopicEntry;
import io.minikafka.topic.TopicListener;
import io.minikafka.topic.Topics;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.LongFunction;

/** A broker over real logs, with both clocks in the test's hands. */
@Alternative
@ApplicationScoped
public class LogBroker implements BrokerAccess {
  private static final long CONNECTION = 7;
  private static final long SESSION_MS = 600_000;
  private static final long CHECK_MS = 1_000;
  private static final BrokerLimits LIMITS =
      new BrokerLimits(64 << 20, 16 << 20, 60_000, 100, 1_000);

  private volatile State state = new State.Unavailable(Why.STARTING, "not made yet");
  private volatile Instant now = Instant.EPOCH;
  private volatile Optional<Live> live = Optional.empty();

  /** What lives from a start to an end. */
  private record Live(
      HandTimers timers,
      ExecutorService worker,
      LogDirectory logs,
      Topics topics,
      Coordinator coordinator,
      GroupInspection inspection) {}

  @Override
  public Optional<HttpUse> http() {
    return Optional.empty();
  }

  @Override
  public State state() {
    return state;
  }

  void start(Path data) throws IOException {
    HandTimers timers = new HandTimers();
    ExecutorService worker = Executors.newFixedThreadPool(3);
    LogDirectory logs =
        LogDirectory.open(
            data,
            new DirectorySettings(
                256 << 20, 1, 30_000, CHECK_MS, 1_000, 16, 16 << 20, 64 << 20, 1_000, 100, 1 << 20,
                1 << 20, 0),
            new LogDirectory.Surroundings(
                new LocalDisk(),
                () -> now,
                timers,
                worker,
                worker,
                EngineObserver.NONE,
                reason -> {
                  throw new AssertionError(reason);
                }));
    CompletableFuture<Coordinator> groups = new CompletableFuture<>();
    Topics topics =
        new Topics(
            logs,
            new PartitionSettings(
                new StoreSettings(1 << 20, Long.MAX_VALUE, 4096, -1, -1, FlushPolicy.NONE, 1_000),
                1 << 20),
            new Partition.Surroundings(() -> now, timers::nanoTime, worker, EngineObserver.NONE),
            UUID::randomUUID,
            new Topics.Start(1, false),
            new Changes(groups));
    topics.start().join();
    Coordinator coordinator =
        new Coordinator(
            new CoordinatorSettings(GroupLimits.DEFAULTS, 600_000),
            new Surroundings(
                () -> now,
                timers,
                worker,
                new GroupTopics(
                    topics,
                    List.of(
                        SettingChange.set("flush.policy", "commit"),
                        SettingChange.set("cleanup.policy", "compact"))),
                EngineObserver.NONE));
    coordinator.start().join();
    groups.complete(coordinator);
    GroupInspection inspection =
        new GroupInspection(coordinator, topics, new GroupClients(), timers, () -> now, worker);
    live = Optional.of(new Live(timers, worker, logs, topics, coordinator, inspection));
    state =
        new State.Serving(
            new ControlPlane(
                new TopicAdministration(topics, worker, LIMITS),
                inspection,
                new GroupDeletion(topics, coordinator),
                new OffsetResets(topics, coordinator, worker, () -> now, () -> "token"),
                new LogAdministration(
                    topics,
                    new LogAdministration.Surroundings(
                        worker,
                        timers,
                        () -> now,
                        0,
                        new ParkedFetches(10),
                        coordinator::partitionCut)),
                new BrokerAdministration(
                    FakeBroker.FACTS,
                    topics,
                    coordinator,
                    new FakeConnections(),
                    new BrokerAdministration.Surroundings(
                        () -> FakeBroker.DISK, () -> FakeBroker.HTTP, worker, timers)),
                new StopSignal()));
  }

  /** Tells the coordinator, once there is one. */
  private record Changes(CompletableFuture<Coordinator> groups) implements TopicListener {
    @Override
    public void onCreated(Topic topic) {
      groups.thenAccept(Coordinator::topicsChanged);
    }

    @Override
    public void onChanged(Topic before, Topic after) {
      groups.thenAccept(Coordinator::topicsChanged);
    }

    @Override
    public void onDeleted(Topic topic) {
      groups.thenAccept(Coordinator::topicsChanged);
    }
  }

  void end() throws IOException {
    Live ending = live.orElseThrow();
    state = new State.Unavailable(Why.SHUTTING_DOWN, "ended");
    ending.coordinator.stop().join();
    ending.topics.close().join();
    ending.logs.close();
    ending.worker.shutdown();
  }

  /** Seconds since the epoch, on the wall clock. */
  void at(long seconds) {
    now = Instant.ofEpochSecond(seconds);
  }

  /** Lets housekeeping do what it does at this time. */
  void housekeep() {
    for (int i = 0; i < 3; i++) {
      live.orElseThrow().timers.advanceMs(CHECK_MS);
    }
  }

  HandTimers timers() {
    return live.orElseThrow().timers;
  }

  Coordinator coordinator() {
    return live.orElseThrow().coordinator;
  }

  GroupInspection inspection() {
    return live.orElseThrow().inspection;
  }

  void create(String topic, int partitions, Map<String, String> settings) {
    List<SettingChange> changes =
        settings.entrySet().stream()
            .map(setting -> SettingChange.set(setting.getKey(), setting.getValue()))
            .toList();
    done(live.orElseThrow().topics.create(topic, partitions, changes, false).join());
  }

  void delete(String topic) {
    done(live.orElseThrow().topics.delete(topic, false).join());
  }

  private static void done(Outcome<TopicEntry> outcome) {
    if (!(outcome instanceof Outcome.Done<TopicEntry>)) {
      throw new AssertionError(outcome);
    }
  }

  Partition partition(String topic, int partition) {
    return live.orElseThrow().topics.topic(topic).orElseThrow().partition(partition).orElseThrow();
  }

  /** One batch of one record, on stable storage when this returns. */
  void append(String topic, int partition, int valueBytes) {
    append(topic, partition, valueBytes, Durability.FLUSHED);
  }

  void append(String topic, int partition, int valueBytes, Durability durability) {
    CompletableFuture<AppendResult> answer = new CompletableFuture<>();
    partition(topic, partition).append(Fixtures.batch(1, valueBytes), durability, answer::complete);
    if (!(answer.join() instanceof AppendResult.Appended)) {
      throw new AssertionError(answer.join());
    }
  }

  /** By nobody, as a tool does. */
  void commit(String group, String topic, int partition, long offset) {
    PartitionId id = partition(topic, partition).id();
    GroupEvent.CommitPart part = new GroupEvent.CommitPart(id, 0, offset, 0, "");
    GroupResult result =
        ask(
            ticket ->
                new GroupEvent.Commit(
                    ticket, CONNECTION, group, "", List.of(part), coordinator().logEnds()));
    if (!(result instanceof GroupResult.Committed committed && committed.written())) {
      throw new AssertionError(result);
    }
  }

  void join(String group, String member, String topic) {
    ask(
        ticket ->
            new GroupEvent.Join(
                ticket,
                CONNECTION,
                1,
                group,
                member,
                "",
                SESSION_MS,
                SESSION_MS,
                "",
                List.of(topic)));
  }

  private GroupResult ask(LongFunction<GroupEvent> event) {
    CompletableFuture<GroupReply> answer = new CompletableFuture<>();
    coordinator().ask(CONNECTION, event, answer::complete);
    await("an answer", answer::isDone);
    if (answer.join() instanceof GroupReply.Answered(GroupResult result)) {
      return result;
    }
    throw new AssertionError(answer.join());
  }

  static void await(String what, BooleanSupplier condition) {
    long giveUp = System.nanoTime() + 20_000_000_000L;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > giveUp) {
        throw new AssertionError("never: " + what);
      }
      LockSupport.parkNanos(1_000_000);
    }
  }
}
