package io.minikafka.bench;

import io.minikafka.Counted;
import java.util.Optional;

/** One thing to be measured; gives one row. Immutable. */
public sealed interface Point {
  /** In a few words, for the one who waits. */
  String inWords();

  /** What it is compared with. */
  Optional<FloorKey> floor();

  /** A row that has its place on the axes, and nothing that was measured. */
  Row.Builder row();

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

    @Override
    public Row.Builder row() {
      return Row.builder()
          .text(Column.EXPERIMENT, experiment)
          .text(Column.CLIENT, client.title())
          .count(Column.RECORD_BYTES, shape.recordBytes())
          .count(Column.BATCH_RECORDS, shape.batchRecords())
          .count(Column.FRAME_BYTES, shape.frameBytes())
          .count(Column.PRODUCERS, producers)
          .count(Column.IN_FLIGHT, shape.inFlight())
          .text(Column.FLUSH_POLICY, policy.title());
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

    @Override
    public Row.Builder row() {
      return Row.builder()
          .text(Column.EXPERIMENT, "consume")
          .text(Column.CLIENT, client.title())
          .count(Column.RECORD_BYTES, recordBytes)
          .count(Column.FETCH_BYTES, fetchBytes)
          .count(Column.CONSUMERS, consumers)
          .count(Column.GROUP, group ? 1 : 0)
          .text(Column.FLUSH_POLICY, Policy.NONE.title());
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

    @Override
    public Row.Builder row() {
      return Row.builder()
          .text(Column.EXPERIMENT, "latency")
          .text(Column.CLIENT, ClientKind.API.title())
          .count(Column.RECORD_BYTES, shape.recordBytes())
          .count(Column.BATCH_RECORDS, shape.batchRecords())
          .count(Column.FRAME_BYTES, shape.frameBytes())
          .count(Column.PRODUCERS, 1)
          .count(Column.CONSUMERS, 1)
          .count(Column.IN_FLIGHT, shape.inFlight())
          .count(Column.RATE_PER_S, recordsPerSecond)
          .text(Column.FLUSH_POLICY, policy.title());
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

    @Override
    public Row.Builder row() {
      return Row.builder()
          .text(Column.EXPERIMENT, "floor")
          .text(Column.SYSTEM, "machine")
          .text(Column.CLIENT, "nio")
          .count(Column.FRAME_BYTES, key.frameBytes())
          .count(Column.IN_FLIGHT, key.window())
          .text(Column.FLOOR, key.inWords());
    }
  }
}
