package io.minikafka.net;

import io.minikafka.EngineObserver;
import io.minikafka.Timers;
import io.minikafka.broker.BrokerLimits;
import io.minikafka.broker.TestBroker;
import io.minikafka.partition.FlushPolicy;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.nio.file.Path;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** A data port in a process of its own, which may be given few file descriptors. */
final class PortProcess {
  private PortProcess() {}

  /**
   * @param args the directory for its files
   */
  public static void main(String[] args) throws Exception {
    ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    Timers timers =
        new Timers() {
          @Override
          public long nanoTime() {
            return System.nanoTime();
          }

          @Override
          public Timer after(long delayNanos, Runnable work) {
            Future<?> due = clock.schedule(work, delayNanos, TimeUnit.NANOSECONDS);
            return () -> due.cancel(false);
          }
        };
    NetSettings settings =
        new NetSettings(
            "127.0.0.1", 0, 2, 1 << 20, 10_000, 0, 10_000, 10_000, 1 << 20, 8 << 20, 1 << 14, 0);
    NetMemory memory = new NetMemory(settings.totalInFlightBytes());
    TestBroker broker =
        new TestBroker(
            Path.of(args[0]),
            FlushPolicy.NONE,
            new BrokerLimits(settings.maxFrameBytes(), 1 << 20, 60_000, 100, 1_000),
            timers,
            Executors.newFixedThreadPool(2),
            memory,
            EngineObserver.NONE);
    broker.create("t", 1);
    Vertx vertx =
        Vertx.vertx(new VertxOptions().setPreferNativeTransport(true).setEventLoopPoolSize(2));
    DataServer server =
        new DataServer(
            vertx,
            settings,
            memory,
            broker.dispatcher,
            timers,
            EngineObserver.NONE,
            java.time.InstantSource.system());
    System.out.println("port " + server.start().get());
  }
}
