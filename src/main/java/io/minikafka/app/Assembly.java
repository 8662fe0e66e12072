package io.minikafka.app;

import io.micrometer.core.instrument.MeterRegistry;
import io.minikafka.app.Tally.Recovery;
import io.minikafka.broker.BrokerAdministration;
import io.minikafka.broker.BrokerFacts;
import io.minikafka.broker.BrokerFacts.ChangedSetting;
import io.minikafka.broker.BrokerIdentity;
import io.minikafka.broker.ControlPlane;
import io.minikafka.broker.GroupClients;
import io.minikafka.broker.GroupDeletion;
import io.minikafka.broker.GroupInspection;
import io.minikafka.broker.GroupTopics;
import io.minikafka.broker.HttpUse;
import io.minikafka.broker.LogAdministration;
import io.minikafka.broker.OffsetResets;
import io.minikafka.broker.ParkedFetches;
import io.minikafka.broker.RequestDispatcher;
import io.minikafka.broker.StopSignal;
import io.minikafka.broker.TopicAdministration;
import io.minikafka.coordinator.Coordinator;
import io.minikafka.coordinator.Surroundings;
import io.minikafka.log.LogDirectory;
import io.minikafka.log.NewerVersionException;
import io.minikafka.net.DataServer;
import io.minikafka.net.HttpConnections;
import io.minikafka.net.NetMemory;
import io.minikafka.ops.EngineGauges;
import io.minikafka.ops.EventLog;
import io.minikafka.ops.GroupGauges;
import io.minikafka.ops.MetricsObserver;
import io.minikafka.ops.PartitionMeters;
import io.minikafka.partition.Partition;
import io.minikafka.protocol.Metadata;
import io.minikafka.storage.AlreadyLockedException;
import io.minikafka.storage.Disk;
import io.minikafka.topic.Topic;
import io.minikafka.topic.Topics;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.RuntimeMXBean;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.IntSupplier;

/**
 * Makes the objects of the engine and knows how they hang together; when each is made, and what
 * becomes of it, is the {@link Engine}'s business.
 *
 * <p>Its threads are made with it. One thread at a time.
 */
final class Assembly {
  private static final System.Logger LOG = System.getLogger(Assembly.class.getName());

  private static final long GROUP_LOOK_MS = 5_000;

  /** Too many for anybody to guess one. */
  private static final int PLAN_TOKEN_BYTES = 16;

  private final BrokerSettings settings;
  private final Around around;
  private final NodeThreads threads;
  private final Observers observers;
  private final PartitionMeters partitionMeters;
  private final ParkedFetches parkedFetches;
  private final NetMemory memory;
  private final HttpConnections httpConnections;
  private final GroupClients groupClients = new GroupClients();

  /** Present once they were made. */
  private volatile Optional<Topics> topics = Optional.empty();

  /** Present once it was made. */
  private volatile Optional<Coordinator> coordinator = Optional.empty();

  /**
   * What the engine needs from outside.
   *
   * @param version of this build
   */
  record Around(
      String version,
      Vertx vertx,
      Disk disk,
      MeterRegistry registry,
      List<ChangedSetting> changedSettings) {}

  Assembly(BrokerSettings settings, Around around) {
    this.settings = settings;
    this.around = around;
    this.threads = new NodeThreads(settings.storage().workers(), settings.storage().forcers());
    this.observers =
        new Observers(
            new MetricsObserver(around.registry),
            new EventLog(threads.timers(), this::topicName),
            new Tally());
    this.partitionMeters = new PartitionMeters(around.registry, settings.metrics().maxPartitions());
    this.parkedFetches = new ParkedFetches(settings.net().maxParkedFetches());
    this.httpConnections =
        new HttpConnections(EngineSettings.http(settings), threads.timers(), observers);
    this.memory = new NetMemory(EngineSettings.netMemoryBytes(settings));
    EngineSettings.lowered(settings).forEach(line -> LOG.log(System.Logger.Level.INFO, line));
  }

  NodeThreads threads() {
    return threads;
  }

  HttpUse httpUse() {
    return new HttpUse(
        httpConnections.count(), httpConnections.busyCount(), httpConnections.limit());
  }

  HttpConnections httpConnections() {
    return httpConnections;
  }

  /** Also while a topic is being recovered, when nobody else can find it. */
  private Optional<String> topicName(UUID id) {
    return topics.flatMap(made -> made.nameOf(id));
  }

  /** The data directory, absolute. */
  Path directory() {
    return settings.dataDir().toAbsolutePath().normalize();
  }

  /** See {@link DataDirectory#alsoInUse}. */
  String directoryAlsoInUse() {
    return DataDirectory.alsoInUse(around.disk, directory());
  }

  /**
   * Takes the data directory.
   *
   * @param fatal told once why its storage can no longer be trusted
   * @throws StartRefused if it cannot be had
   */
  LogDirectory openLogs(Consumer<String> fatal) {
    DataDirectory.prepare(around.disk, directory());
    try {
      return LogDirectory.open(
          directory(),
          EngineSettings.directory(settings),
          new LogDirectory.Surroundings(
              around.disk,
              InstantSource.system(),
              threads.timers(),
              threads.worker(),
              threads.forcer(),
              observers,
              fatal));
    } catch (AlreadyLockedException e) {
      throw new StartRefused(
          ("the data directory %s is in use: %s; stop the other broker, or choose another directory"
                  + " with --data-dir")
              .formatted(directory(), e.getMessage()),
          e);
    } catch (NewerVersionException e) {
      throw new StartRefused(
          ("the data directory %s was written by a newer minikafka and was not touched: %s; start"
                  + " the newer version, or choose another directory with --data-dir")
              .formatted(directory(), e.getMessage()),
          e);
    } catch (IOException e) {
      throw DataDirectory.refused(directory(), e);
    }
  }

  Topics makeTopics(LogDirectory logs) {
    Partition.Surroundings surroundings =
        new Partition.Surroundings(
            InstantSource.system(), threads.timers()::nanoTime, threads.worker(), observers);
    Topics made =
        new Topics(
            logs,
            TopicDefaults.of(settings.log()),
            surroundings,
            UUID::randomUUID,
            new Topics.Start(
                settings.storage().parallelRecoveries(), settings.storage().acceptMissingCatalog()),
            new TopicEvents(
                parkedFetches,
                partitionMeters,
                () -> coordinator.ifPresent(Coordinator::topicsChanged)));
    topics = Optional.of(made);
    gauges(logs).register(around.registry, made::topics);
    return made;
  }

  private EngineGauges gauges(LogDirectory logs) {
    return new EngineGauges(
        directory().toString(),
        () -> logs.directoryStats().unflushedBytes(),
        this::usableBytes,
        () -> logs.directoryStats().pinnedBytes(),
        parkedFetches::count,
        memory::usedBytes,
        observers.tally()::seconds,
        Allocation::bytes);
  }

  private double usableBytes() {
    try {
      return around.disk.usableBytes(directory());
    } catch (IOException e) {
      return Double.NaN;
    }
  }

  /** Takes up what recovery brought back. */
  Recovery recovered(List<Topic> topics, long nanos) {
    topics.forEach(partitionMeters::onCreated);
    int partitions = topics.stream().mapToInt(topic -> topic.partitions().size()).sum();
    return observers.tally().end(topics.size(), partitions, EngineGauges.offline(topics), nanos);
  }

  Coordinator makeCoordinator(Topics topics) {
    Coordinator made =
        new Coordinator(
            EngineSettings.groups(settings),
            new Surroundings(
                InstantSource.system(),
                threads.timers(),
                threads.worker(),
                new GroupTopics(topics, EngineSettings.offsetsLog(settings)),
                observers));
    coordinator = Optional.of(made);
    return made;
  }

  GroupInspection makeInspection(Topics topics, Coordinator coordinator) {
    GroupInspection made =
        new GroupInspection(
            coordinator,
            topics,
            groupClients,
            threads.timers(),
            InstantSource.system(),
            threads.worker());
    lookLater(
        made,
        new GroupGauges(around.registry, coordinator, settings.metrics().maxGroupPartitions()));
    return made;
  }

  /** Looks at the groups now and then, for those who measure. */
  private void lookLater(GroupInspection inspection, GroupGauges gauges) {
    threads
        .timers()
        .after(
            TimeUnit.MILLISECONDS.toNanos(GROUP_LOOK_MS),
            () -> gauges.look(inspection).thenRun(() -> lookLater(inspection, gauges)));
  }

  TopicAdministration makeAdministration(Topics topics) {
    return new TopicAdministration(topics, threads.worker(), EngineSettings.limits(settings));
  }

  /**
   * All that the control plane can be asked.
   *
   * @param stopping told when the broker begins to stop
   */
  ControlPlane makeControls(
      Topics topics,
      TopicAdministration administration,
      Coordinator coordinator,
      BrokerAdministration broker,
      StopSignal stopping) {
    return new ControlPlane(
        administration,
        makeInspection(topics, coordinator),
        new GroupDeletion(topics, coordinator),
        makeResets(topics, coordinator),
        new LogAdministration(
            topics,
            new LogAdministration.Surroundings(
                threads.worker(),
                threads.timers(),
                InstantSource.system(),
                settings.storage().verifyBytesPerSecond(),
                parkedFetches,
                coordinator::partitionCut)),
        broker,
        stopping);
  }

  private OffsetResets makeResets(Topics topics, Coordinator coordinator) {
    SecureRandom random = new SecureRandom();
    return new OffsetResets(
        topics,
        coordinator,
        threads.worker(),
        InstantSource.system(),
        () -> {
          byte[] token = new byte[PLAN_TOKEN_BYTES];
          random.nextBytes(token);
          return HexFormat.of().formatHex(token);
        });
  }

  /**
   * @param port the data port, asked for whenever a client asks where the broker is
   */
  DataServer makeServer(
      Topics topics,
      TopicAdministration administration,
      Coordinator coordinator,
      IntSupplier port) {
    RequestDispatcher dispatcher =
        new RequestDispatcher(
            topics,
            administration,
            coordinator,
            parkedFetches,
            identity(port),
            EngineSettings.limits(settings),
            new RequestDispatcher.Surroundings(
                threads.timers(), threads.worker(), memory, groupClients, observers));
    return new DataServer(
        around.vertx,
        EngineSettings.net(settings),
        memory,
        dispatcher,
        threads.timers(),
        observers,
        InstantSource.system());
  }

  private BrokerIdentity identity(IntSupplier port) {
    String host = EngineSettings.advertisedHost(settings);
    IntSupplier told = EngineSettings.advertisedPort(settings, port);
    return new BrokerIdentity(
        settings.clusterId(),
        around.version,
        () -> new Metadata.Node(settings.nodeId(), host, told.getAsInt()));
  }

  /** Of a broker that has just opened its port. */
  BrokerAdministration makeBrokerAdministration(
      LogDirectory logs,
      Topics topics,
      Coordinator coordinator,
      DataServer server,
      Recovery recovery,
      int port) {
    RuntimeMXBean process = ManagementFactory.getRuntimeMXBean();
    BrokerFacts facts =
        new BrokerFacts(
            identity(() -> port),
            "%s %s".formatted(process.getVmName(), Runtime.version()),
            Instant.ofEpochMilli(process.getStartTime()),
            recovery.asPartOf(TimeUnit.MILLISECONDS.toNanos(process.getUptime())),
            settings.log().flushPolicy(),
            around.changedSettings);
    return new BrokerAdministration(
        facts,
        topics,
        coordinator,
        server.openConnections(),
        new BrokerAdministration.Surroundings(
            new DiskLook(logs, directory(), settings.storage().unflushedBytes()),
            this::httpUse,
            threads.worker(),
            threads.timers()));
  }
}
