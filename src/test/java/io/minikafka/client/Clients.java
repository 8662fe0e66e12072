package io.minikafka.client;

import io.minikafka.Timers;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.concurrent.ThreadFactory;
import java.util.function.UnaryOperator;

/** Clients of a fake server, with settings a test changes and clocks it may move. */
final class Clients {
  private static final ThreadFactory THREADS =
      Thread.ofPlatform().daemon().name("client-test-", 0).factory();

  private Clients() {}

  static Producer producer(FakeServer server, UnaryOperator<ProducerSettings.Builder> change) {
    return Producer.open(change.apply(ProducerSettings.builder(server.client().build())).build());
  }

  static Producer producer(FakeServer server) {
    return producer(server, settings -> settings);
  }

  static Producer producer(
      FakeServer server, Timers timers, UnaryOperator<ProducerSettings.Builder> change) {
    return new Producer(
        change.apply(ProducerSettings.builder(server.client().build())).build(), runtime(timers));
  }

  static Consumer consumer(FakeServer server, UnaryOperator<ConsumerSettings.Builder> change) {
    return Consumer.open(change.apply(ConsumerSettings.builder(server.client().build())).build());
  }

  static Consumer consumer(FakeServer server) {
    return consumer(server, settings -> settings);
  }

  static Consumer consumer(
      FakeServer server, Timers timers, UnaryOperator<ConsumerSettings.Builder> change) {
    return new Consumer(
        change.apply(ConsumerSettings.builder(server.client().outageMs(3_600_000).build())).build(),
        runtime(timers));
  }

  static ClientRuntime runtime(Timers timers) {
    return new ClientRuntime(timers, InstantSource.system(), THREADS, () -> {});
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A record for partition 0 of topic t. */
  static ProducerRecord record(String value) {
    return ProducerRecord.of("t", bytes(value)).inPartition(0);
  }
}
