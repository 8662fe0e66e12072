package io.minikafka.bench;

import io.minikafka.Counted;
import java.util.Optional;

/** One thing to be measured; gives one row. Immutable. */
public sealed interface Point {
  /** In a few words, for the one who waits. */
  String inWords();

  /** What it is compared with. */
  Optional<FloorKey> floor();

  /**
   * Producers, each to its own partition, as fast as they can.
   *
   * @param experiment produce, flush or scaling
   */
  record Produce(
      String experiment, ClientKind client, ProduceShape shape, int producers, Policy policy)
      implements Point {
    @Override
    public String inWords() {
      return "%s %s: %s × %d B, %s, %d in flight, flush %s"
          .formatted(
              experiment,
              client.title(),
              Counted.of(shape.batchRecords(), "record"),
              shape.recordBytes(),
              Counted.of(producers, "producer"),
              shape.inFlight(),
              policy.title());
    }

    @Override
    public Optional<FloorKey> floor() {
      return Optional.of(
          policy.produceFloor(Math.toIntExact(shape.frameBytes()), shape.inFlight()));
    }
  }

  /**
   * Consumers, each of its own partition, as fast as they can.
   *
   * @param group whether a group gives the partitions
   */
  record Consume(ClientKind client, int recordBytes, int fetchBytes, int consumers, boolean group)
      implements Point {
    @Override
    public String inWords() {
      return "consume %s: %d B records, fetches of %d B, %s%s"
          .formatted(
              client.title(),
              recordBytes,
              fetchBytes,
              Counted.of(consumers, "consumer"),
              group ? " of a group" : "");
    }

    @Override
    public Optional<FloorKey> floor() {
      return Optional.of(FloorKey.source(fetchBytes));
    }
  }

  /** From the schedule through the broker to a consumer. */
  record Latency(int recordsPerSecond, ProduceShape shape, Policy policy) implements Point {
    @Override
    public String inWords() {
      return "latency: %d records/s of %d B in batches of %d, flush %s"
          .formatted(recordsPerSecond, shape.recordBytes(), shape.batchRecords(), policy.title());
    }

    @Override
    public Optional<FloorKey> floor() {
      return Optional.of(policy.latencyFloor(Math.toIntExact(shape.frameBytes())));
    }
  }

  /** A floor for its own sake. */
  record Floor(FloorKey key) implements Point {
    @Override
    public String inWords() {
      return "floor: " + key.inWords();
    }

    @Override
    public Optional<FloorKey> floor() {
      return Optional.empty();
    }
  }
}
