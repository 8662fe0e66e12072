package io.minikafka.broker;

import io.minikafka.Caller;
import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.Timers;
import io.minikafka.coordinator.Coordinator;
import io.minikafka.coordinator.CoordinatorSettings;
import io.minikafka.coordinator.Surroundings;
import io.minikafka.group.GroupLimits;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionSettings;
import io.minikafka.partition.StoreSettings;
import io.minikafka.protocol.Metadata;
import io.minikafka.topic.Outcome;
import io.minikafka.topic.Topic;
import io.minikafka.topic.TopicListener;
import io.minikafka.topic.Topics;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/** The broker's own part, over {@link FileStores}, with what surrounds it in the test's hands. */
public final class TestBroker implements AutoCloseable {
  public static final int NODE = 7;
  public static final String CLUSTER = "cluster";

  public final FileStores stores;
  public final ParkedFetches parkedFetches;
  public final Topics topics;
  public final TopicAdministration administration;
  public final RequestDispatcher dispatcher;
  public final Coordinator coordinator;
  public final GroupClients clients = new GroupClients();

  private volatile int port;

  /** The coordinator, once there is one. */
  private volatile Optional<Coordinator> groups = Optional.empty();

  public TestBroker(
      Path directory,
      FlushPolicy policy,
      BrokerLimits limits,
      Timers timers,
      Executor worker,
      BufferPool pool,
      EngineObserver observer)
      throws Exception {
    stores = new FileStores(directory);
    parkedFetches = new ParkedFetches(limits.maxParkedFetches());
    StoreSettings store = new StoreSettings(1 << 20, Long.MAX_VALUE, 4096, -1, -1, policy, 1000);
    Partition.Surroundings around =
        new Partition.Surroundings(
            InstantSource.fixed(Instant.ofEpochMilli(1_000)), timers::nanoTime, worker, observer);
    topics =
        new Topics(
            stores,
            new PartitionSettings(store, 1 << 20),
            around,
            UUID::randomUUID,
            new Topics.Start(1, false),
            new TopicListener() {
              @Override
              public void onVisible(Partition partition) {
                parkedFetches.wake(partition);
              }

              @Override
              public void onCreated(Topic topic) {
                groups.ifPresent(Coordinator::topicsChanged);
              }

              @Override
              public void onChanged(Topic before, Topic after) {
                groups.ifPresent(Coordinator::topicsChanged);
              }

              @Override
              public void onDeleted(Topic topic) {
                topic.partitions().forEach(parkedFetches::wakeForGood);
                groups.ifPresent(Coordinator::topicsChanged);
              }
            });
    topics.start().get(10, TimeUnit.SECONDS);
    administration = new TopicAdministration(topics, worker, limits);
    coordinator =
        new Coordinator(
            new CoordinatorSettings(GroupLimits.DEFAULTS, 600_000),
            new Surroundings(
                InstantSource.fixed(Instant.ofEpochMilli(1_000)),
                timers,
                worker,
                new GroupTopics(topics, List.of()),
                observer));
    groups = Optional.of(coordinator);
    dispatcher =
        new RequestDispatcher(
            topics,
            administration,
            coordinator,
            parkedFetches,
            new BrokerIdentity(CLUSTER, "test", () -> new Metadata.Node(NODE, "localhost", port)),
            limits,
            new RequestDispatcher.Surroundings(timers, worker, pool, clients, observer));
  }

  public void boundTo(int actualPort) {
    port = actualPort;
  }

  /** Serves consumer groups from now on. */
  public void startGroups() throws Exception {
    coordinator.start().get(10, TimeUnit.SECONDS);
  }

  /** Creates a topic. */
  public Topic create(String name, int partitions) throws Exception {
    var outcome = topics.create(name, partitions, List.of(), false).get(10, TimeUnit.SECONDS);
    if (outcome instanceof Outcome.Refused<?> refused) {
      throw new AssertionError(refused.error());
    }
    return topics.topic(name).orElseThrow();
  }

  public void delete(String name) throws Exception {
    topics.delete(name, false).get(10, TimeUnit.SECONDS);
  }

  public FileStore store(Topic topic, int partition) {
    FileStore store = stores.open.get(new PartitionId(topic.id(), partition));
    if (store == null) {
      throw new AssertionError("no store of " + topic.name() + "-" + partition);
    }
    return store;
  }

  public static Caller caller(long connection) {
    return new Caller(connection, Caller.ANONYMOUS, "", "");
  }

  @Override
  public void close() throws Exception {
    coordinator.stop().get(10, TimeUnit.SECONDS);
    topics.close().get(10, TimeUnit.SECONDS);
  }
}
