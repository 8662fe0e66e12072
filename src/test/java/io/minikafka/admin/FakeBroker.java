package io.minikafka.admin;

import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.Timers;
import io.minikafka.broker.BrokerAdministration;
import io.minikafka.broker.BrokerFacts;
import io.minikafka.broker.BrokerIdentity;
import io.minikafka.broker.BrokerLimits;
import io.minikafka.broker.ControlPlane;
import io.minikafka.broker.DiskUse;
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
import io.minikafka.coordinator.Surroundings;
import io.minikafka.group.GroupLimits;
import io.minikafka.log.DirectorySettings;
import io.minikafka.log.LogDirectory;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.protocol.Metadata;
import io.minikafka.storage.Disk;
import io.minikafka.topic.FakeStores;
import io.minikafka.topic.Fixtures;
import io.minikafka.topic.TopicListener;
import io.minikafka.topic.Topics;
import jakarta.enterprise.context.ApplicationScoped;
import jakarta.enterprise.inject.Alternative;
import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A broker whose stores are in memory and fail on demand, or are logs on a disk that the test has a
 * hand on; made anew for each test.
 */
@Alternative
@ApplicationScoped
public class FakeBroker implements BrokerAccess {
  private static final int WORKERS = 2;

  private static final BrokerLimits LIMITS =
      new BrokerLimits(64 << 20, 16 << 20, 60_000, 100, 1_000);

  /** Of a broker that found some damage when it started. */
  static final BrokerFacts FACTS =
      new BrokerFacts(
          new BrokerIdentity(
              "cluster", "1.2.3", () -> new Metadata.Node(7, "broker.example", 9092)),
          "A machine 25",
          Instant.ofEpochSecond(100),
          new BrokerFacts.Start(2_500_000_000L, 1_500_000_000L, 3, 12, 4096, 17, 2, 1),
          FlushPolicy.COMMIT,
          List.of(
              new BrokerFacts.ChangedSetting(
                  "minikafka.port", "9999", "9092", BrokerFacts.Source.COMMAND_LINE, ""),
              new BrokerFacts.ChangedSetting(
                  "minikafka.node-id", "7", "1", BrokerFacts.Source.FILE, "/etc/mk.properties")));

  static final DiskUse DISK =
      new DiskUse(
          "/data", 1_000, 50, 10_000, 7, OptionalLong.of(1L << 40), OptionalLong.of(1L << 30));

  static final HttpUse HTTP = new HttpUse(3, 1, 50);

  private ExecutorService worker = Executors.newFixedThreadPool(WORKERS);
  private FakeStores stores = new FakeStores();
  private Topics topics = Fixtures.topics(stores, worker);
  private FakeConnections connections = new FakeConnections();

  private HandTimers timers = new HandTimers();
  private Coordinator coordinator = coordinator();

  private Closeable closing = () -> {};

  private volatile Instant now = Instant.EPOCH;

  private int tokens;
  private StopSignal stopping = new StopSignal();

  private volatile State state = new State.Unavailable(Why.STARTING, "not made yet");

  @Override
  public Optional<HttpUse> http() {
    return Optional.of(HTTP);
  }

  @Override
  public State state() {
    return state;
  }

  void restart() {
    renew();
    stores = new FakeStores();
    topics = Fixtures.topics(stores, worker);
    serve(timers);
  }

  private void renew() {
    worker.shutdownNow();
    worker = Executors.newFixedThreadPool(WORKERS);
    timers = new HandTimers();
  }

  /** The same over logs; who reads them to look at them need not wait for any clock. */
  void restart(Path data, Disk disk) throws IOException {
    renew();
    LogDirectory logs =
        LogDirectory.open(
            data,
            new DirectorySettings(
                1 << 20, 1, 30_000, 30_000, 1_000, 16, 1 << 20, 0, 1_000, 100, 1 << 20, 1 << 20, 0),
            new LogDirectory.Surroundings(
                disk,
                () -> Instant.ofEpochMilli(1_000),
                timers,
                worker,
                worker,
                EngineObserver.NONE,
                fatal -> {
                  throw new AssertionError(fatal);
                }));
    topics =
        new Topics(
            logs,
            Fixtures.DEFAULTS,
            Fixtures.surroundings(worker),
            UUID::randomUUID,
            Fixtures.START,
            TopicListener.NONE);
    serve(new Hasty());
    closing =
        () -> {
          topics.close().join();
          logs.close();
        };
  }

  /** Closes what {@link #restart(Path, Disk)} opened. */
  void close() throws IOException {
    Closeable open = closing;
    closing = () -> {};
    open.close();
  }

  private void serve(Timers logTimers) {
    topics.start().join();
    connections = new FakeConnections();
    coordinator = coordinator();
    stopping = new StopSignal();
    state =
        new State.Serving(
            new ControlPlane(
                new TopicAdministration(topics, worker, LIMITS),
                new GroupInspection(
                    coordinator, topics, new GroupClients(), timers, () -> now, worker),
                new GroupDeletion(topics, coordinator),
                new OffsetResets(topics, coordinator, worker, () -> now, () -> "plan-" + ++tokens),
                new LogAdministration(
                    topics,
                    new LogAdministration.Surroundings(
                        worker,
                        logTimers,
                        () -> Instant.ofEpochMilli(1_000),
                        0,
                        new ParkedFetches(10),
                        coordinator::partitionCut)),
                new BrokerAdministration(
                    FACTS,
                    topics,
                    coordinator,
                    connections,
                    new BrokerAdministration.Surroundings(() -> DISK, () -> HTTP, worker, timers)),
                stopping));
  }

  /** The same clock, on which everything is due at once. */
  private final class Hasty implements Timers {
    @Override
    public long nanoTime() {
      return timers.nanoTime();
    }

    @Override
    public Timer after(long delayNanos, Runnable work) {
      worker.execute(work);
      return () -> {};
    }
  }

  private Coordinator coordinator() {
    return new Coordinator(
        new CoordinatorSettings(GroupLimits.DEFAULTS, 600_000),
        new Surroundings(
            InstantSource.system(),
            timers,
            worker,
            new GroupTopics(topics, List.of()),
            EngineObserver.NONE));
  }

  /** Moves the clock of plans. */
  void setTime(Instant time) {
    now = time;
  }

  /** Serves groups from now on; makes the topic they are kept in. */
  void startGroups() {
    coordinator.start().join();
  }

  void unavailable(Why why, String message) {
    state = new State.Unavailable(why, message);
  }

  /** As the real one does when it begins to. */
  void stop() {
    unavailable(Why.SHUTTING_DOWN, "the broker is stopping");
    stopping.stop();
  }

  void be(State other) {
    state = other;
  }

  /** Whatever is asked of it fails by a bug. */
  void broken() throws ReflectiveOperationException {
    Constructor<?> constructor = ControlPlane.class.getDeclaredConstructors()[0];
    Object nothing = constructor.newInstance(new Object[constructor.getParameterCount()]);
    state = new State.Serving((ControlPlane) nothing);
  }

  FakeConnections connections() {
    return connections;
  }

  /** The clock of the groups. */
  HandTimers timers() {
    return timers;
  }

  Coordinator groups() {
    return coordinator;
  }

  FakeStores stores() {
    return stores;
  }

  Topics topics() {
    return topics;
  }

  /** Keeps the worker from doing anything until the answer is opened. */
  CountDownLatch occupyWorker() {
    CountDownLatch gate = new CountDownLatch(1);
    for (int i = 0; i < WORKERS; i++) {
      worker.execute(
          () -> {
            try {
              gate.await();
            } catch (InterruptedException e) {
              Thread.currentThread().interrupt();
            }
          });
    }
    return gate;
  }

  /** Waits until all that was given to the worker before is done. */
  void awaitIdleWorker() throws Exception {
    CyclicBarrier all = new CyclicBarrier(WORKERS + 1);
    for (int i = 0; i < WORKERS; i++) {
      worker.submit(() -> all.await());
    }
    all.await();
  }

  Optional<io.minikafka.topic.Topic> topic(String name) {
    return topics.topic(name);
  }
}
