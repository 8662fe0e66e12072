package io.minikafka.client;

import io.minikafka.TopicPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/** A member of group g of a fake server, and what its listener heard. */
class GroupReading implements AutoCloseable, RebalanceListener {
  final Consumer consumer;
  final List<String> heard = new ArrayList<>();
  final List<String> read = new ArrayList<>();

  /** What to do in the next {@code onRevoked}. */
  Runnable onRevoked = () -> {};

  GroupReading(Consumer consumer) {
    this.consumer = consumer;
  }

  /** Subscribed to t, committing only what the test says. */
  static GroupReading of(FakeServer server) {
    return of(server, settings -> settings.autoCommit(false));
  }

  static GroupReading of(FakeServer server, UnaryOperator<GroupSettings.Builder> change) {
    return of(Clients.consumer(server), change);
  }

  static GroupReading of(Consumer consumer, UnaryOperator<GroupSettings.Builder> change) {
    GroupReading reading = new GroupReading(consumer);
    consumer.subscribe(List.of("t"), change.apply(GroupSettings.builder("g")).build(), reading);
    return reading;
  }

  @Override
  public void onAssigned(Set<TopicPartition> partitions) {
    heard.add("assigned " + sorted(partitions));
  }

  @Override
  public void onRevoked(Set<TopicPartition> partitions) {
    heard.add("revoked " + sorted(partitions));
    onRevoked.run();
  }

  @Override
  public void onLost(Set<TopicPartition> partitions) {
    heard.add("lost " + sorted(partitions));
  }

  private static String sorted(Set<TopicPartition> partitions) {
    return new TreeSet<>(partitions.stream().map(TopicPartition::toString).toList())
        .stream().collect(Collectors.joining(" "));
  }

  /** One short poll; what it brings is kept. */
  GroupReading poll() {
    for (ConsumerRecord record : consumer.poll(Duration.ofMillis(20))) {
      read.add(Reading.value(record));
    }
    return this;
  }

  /** One poll that returns at once, on a clock that does not move by itself. */
  GroupReading look() {
    for (ConsumerRecord record : consumer.poll(Duration.ZERO)) {
      read.add(Reading.value(record));
    }
    return this;
  }

  GroupReading pollUntil(BooleanSupplier condition) {
    return until(condition, this::poll);
  }

  GroupReading lookUntil(BooleanSupplier condition) {
    return until(condition, this::look);
  }

  private GroupReading until(BooleanSupplier condition, Runnable step) {
    long deadlineNanos = System.nanoTime() + 20_000_000_000L;
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadlineNanos) {
        throw new AssertionError("polled in vain; heard " + heard + ", read " + read);
      }
      step.run();
      Thread.onSpinWait();
    }
    return this;
  }

  GroupReading pollUntilRead(int count) {
    return pollUntil(() -> read.size() >= count);
  }

  GroupReading pollUntilHeard(String what) {
    return pollUntil(() -> heard.contains(what));
  }

  @Override
  public void close() {
    consumer.close();
  }
}
