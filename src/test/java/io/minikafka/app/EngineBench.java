package io.minikafka.app;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.minikafka.Caller;
import io.minikafka.topic.Outcome;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** Engines on a {@link SteeredDisk}, without the framework around them; stops those it started. */
final class EngineBench implements AutoCloseable {
  private static final long LIMIT_S = 30;

  private final Vertx vertx = Vertx.vertx();
  private final List<Engine> engines = new ArrayList<>();

  final SteeredDisk disk = new SteeredDisk();

  /** What the engines said was fatal. */
  final List<String> fatal = Collections.synchronizedList(new ArrayList<>());

  @FunctionalInterface
  interface Condition {
    boolean holds() throws Exception;
  }

  Engine engine(BrokerSettings settings) {
    Engine engine =
        new Engine(
            settings,
            new Assembly.Around("test", vertx, disk, new SimpleMeterRegistry(), List.of()),
            fatal::add);
    engines.add(engine);
    return engine;
  }

  Engine started(BrokerSettings settings) {
    Engine engine = engine(settings);
    if (!engine.start()) {
      throw new AssertionError("not started: " + engine.state());
    }
    return engine;
  }

  void createTopic(Engine engine, String name, int partitions)
      throws InterruptedException, ExecutionException {
    var outcome =
        engine
            .controls()
            .orElseThrow()
            .topics()
            .create(Caller.BROKER, name, partitions, List.of(), false)
            .get();
    if (outcome instanceof Outcome.Refused<?> refused) {
      throw new AssertionError(refused.error());
    }
  }

  /** Who opens a file whose path ends so waits until the latch is counted down. */
  CountDownLatch holdOpening(String end) {
    CountDownLatch latch = new CountDownLatch(1);
    disk.beforeOpen =
        file -> {
          if (file.endsWith(end)) {
            hold(latch);
          }
        };
    return latch;
  }

  static void hold(CountDownLatch latch) {
    try {
      if (!latch.await(LIMIT_S, TimeUnit.SECONDS)) {
        throw new AssertionError("nobody let go");
      }
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  static void await(Condition condition) throws Exception {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_S);
    while (!condition.holds()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("has not come true within " + LIMIT_S + " s");
      }
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
    }
  }

  /** As the files are now; the lock is left out. */
  static Path copy(Path from, Path to) throws IOException {
    try (Stream<Path> paths = Files.walk(from)) {
      for (Path path : (Iterable<Path>) paths::iterator) {
        if (!path.endsWith("lock")) {
          Files.copy(path, to.resolve(from.relativize(path)));
        }
      }
    }
    return to;
  }

  static void delete(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : (Iterable<Path>) paths.sorted(Comparator.reverseOrder())::iterator) {
        Files.delete(path);
      }
    }
  }

  @Override
  public void close() {
    disk.beforeOpen = file -> {};
    disk.beforeForce = file -> {};
    engines.forEach(Engine::stop);
    vertx.close().toCompletionStage().toCompletableFuture().join();
  }
}
