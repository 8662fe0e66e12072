package io.minikafka.net;

import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.broker.BrokerLimits;
import io.minikafka.broker.TestBroker;
import io.minikafka.it.BufferLeaks;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.topic.Topic;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A data port over real TCP, in front of a real broker over plain files, with the clock in the
 * test's hands. A subclass may choose other bounds before its first call of {@link #connect}.
 *
 * <p>After each test everything that was lent must be back: leases, memory, connections.
 */
@ExtendWith(BufferLeaks.class)
public abstract class DataPortHarness {
  private static final long LIMIT_NANOS = TimeUnit.SECONDS.toNanos(20);

  /** Stands still. */
  protected static final InstantSource CLOCK = InstantSource.fixed(Instant.ofEpochSecond(1_000));

  static Vertx vertx;

  @TempDir Path directory;

  protected final HandTimers timers = new HandTimers();
  protected final Observed observed = new Observed();
  protected TestBroker broker;
  protected NetMemory memory;
  protected DataServer server;
  protected int port;

  private final ExecutorService worker = Executors.newFixedThreadPool(2);
  private final List<WireClient> clients = new ArrayList<>();

  /** What the engine told. */
  public static final class Observed implements EngineObserver {
    public final List<String> refused = Collections.synchronizedList(new ArrayList<>());

    @Override
    public void onConnectionRefused(String reason) {
      refused.add(reason);
    }
  }

  @BeforeAll
  static void startVertx() {
    vertx = Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(2));
  }

  @AfterAll
  static void stopVertx() throws Exception {
    vertx.close().toCompletionStage().toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  /** The bounds of the data port; small enough to be reached. */
  protected NetSettings settings() {
    return settings(100);
  }

  static NetSettings settings(int maxConnections) {
    return new NetSettings(
        "127.0.0.1",
        0,
        2,
        8 << 20,
        maxConnections,
        60_000,
        10_000,
        10_000,
        32 << 20,
        64 << 20,
        16 << 10,
        512 << 10);
  }

  protected BrokerLimits limits() {
    return new BrokerLimits(settings().maxFrameBytes(), 4 << 20, 60_000, 100, 1_000);
  }

  protected FlushPolicy policy() {
    return FlushPolicy.NONE;
  }

  @BeforeEach
  void startPort() throws Exception {
    memory = new NetMemory(settings().totalInFlightBytes());
    broker = new TestBroker(directory, policy(), limits(), timers, worker, memory, observed);
    server = new DataServer(vertx, settings(), memory, broker.dispatcher, timers, observed, CLOCK);
    port = server.start().get(20, TimeUnit.SECONDS);
    broker.boundTo(port);
  }

  @AfterEach
  void stopPort() throws Exception {
    for (WireClient client : clients) {
      client.close();
    }
    server.stop(10_000).get(20, TimeUnit.SECONDS);
    await("all leases back", () -> broker.stores.leases.get() == 0);
    await("all memory back", () -> memory.usedBytes() == 0);
    await("nobody parked", () -> broker.parkedFetches.count() == 0);
    broker.close();
    worker.shutdown();
  }

  protected WireClient connect() throws IOException {
    return keep(new WireClient(settings().host(), port));
  }

  protected WireClient connect(int receiveBytes) throws IOException {
    return keep(new WireClient(settings().host(), port, receiveBytes));
  }

  private WireClient keep(WireClient client) {
    clients.add(client);
    return client;
  }

  protected Topic create(String name, int partitions) throws Exception {
    return broker.create(name, partitions);
  }

  /**
   * Moves the clock by one look at the connections after the other until something is so.
   *
   * @return how far it was moved, in ms
   */
  protected long advanceUntil(String what, BooleanSupplier condition) {
    long lookMs = Math.min(1000, settings().frameTimeoutMs() / 8);
    long movedMs = 0;
    while (!condition.getAsBoolean()) {
      if (movedMs > 10 * settings().idleTimeoutMs()) {
        throw new AssertionError("it never happened: " + what);
      }
      // Each event loop has taken its look, and asked for the next.
      await("looks", () -> timers.waiting() >= settings().eventLoops());
      timers.advanceMs(lookMs);
      movedMs += lookMs;
    }
    return movedMs;
  }

  /** Waits until something is so; fails if that takes unreasonably long. */
  protected static void await(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + LIMIT_NANOS;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("it never happened: " + what);
      }
      Thread.onSpinWait();
    }
  }
}
