package io.minikafka.bench;

import io.minikafka.Counted;
import java.util.Optional;

/** One thing to be measured; gives a row, or two that were measured in alternation. Immutable. */
public sealed interface Point {
  /** In a few words, for the one who waits. */
  String inWords();

  /** What it is compared with; empty if no floor does the like. */
  default Optional<FloorKey> floor() {
    return Optional.empty();
  }

  /** A row that has its place on the axes, and nothing that was measured. */
  Row.Builder row();

  /**
   * Producers as fast as they can.
   *
   * @param experiment produce, flush or scaling
   * @param partitions as many as there are producers, or one for all
   */
  record Produce(
      String experiment,
      ClientKind client,
      ProduceShape shape,
      int producers,
      int partitions,
      Policy policy)
      implements Point {
    /** Each producer with a partition of its own. */
    static Produce apart(
        String experiment, ClientKind client, ProduceShape shape, int producers, Policy policy) {
      return new Produce(experiment, client, shape, producers, producers, policy);
    }

    /** All producers into one partition. */
    static Produce together(
        String experiment, ClientKind client, ProduceShape shape, int producers, Policy policy) {
      return new Produce(experiment, client, shape, producers, 1, policy);
    }

    @Override
    public String inWords() {
      return "%s %s: %s × %d B, %s%s, %d in flight, flush %s"
          .formatted(
              experiment,
              client.title(),
              Counted.of(shape.batchRecords(), "record"),
              shape.recordBytes(),
              Counted.of(producers, "producer"),
              partitions < producers ? " into one partition" : "",
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
          .count(Column.PARTITIONS, partitions)
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

  /**
   * Busy connections without idle ones, and beside them.
   *
   * @param connections that are idle, held by another process
   * @param busy that send a record at a time
   */
  record Idle(int connections, int busy) implements Point {
    @Override
    public String inWords() {
      return "idle: %s beside %d busy ones"
          .formatted(Counted.of(connections, "idle connection"), busy);
    }

    @Override
    public Row.Builder row() {
      ProduceShape shape = IdleRun.shape();
      return Row.builder()
          .text(Column.EXPERIMENT, "idle")
          .text(Column.SYSTEM, "minikafka")
          .text(Column.CLIENT, ClientKind.RAW.title())
          .count(Column.RECORD_BYTES, shape.recordBytes())
          .count(Column.BATCH_RECORDS, shape.batchRecords())
          .count(Column.FRAME_BYTES, shape.frameBytes())
          .count(Column.PRODUCERS, busy)
          .count(Column.IN_FLIGHT, shape.inFlight())
          .text(Column.FLUSH_POLICY, Policy.NONE.title());
    }
  }

  /** What a broker costs that has nothing to do, without and with fetches that wait. */
  record Parked(int fetches) implements Point {
    @Override
    public String inWords() {
      return "parked: CPU beside %d fetches that wait".formatted(fetches);
    }

    @Override
    public Row.Builder row() {
      return Row.builder()
          .text(Column.EXPERIMENT, "parked")
          .text(Column.SYSTEM, "minikafka")
          .text(Column.CLIENT, ClientKind.RAW.title());
    }
  }

  /** A latency without a reader of old data, and beside one. */
  record Tail(int recordsPerSecond, int readMegabytesPerSecond) implements Point {
    private static final ProduceShape SHAPE = new ProduceShape(100, 1, 64);

    ProduceShape shape() {
      return SHAPE;
    }

    @Override
    public String inWords() {
      return "tail: %d records/s beside a reader of old data at %d MB/s"
          .formatted(recordsPerSecond, readMegabytesPerSecond);
    }

    @Override
    public Row.Builder row() {
      return new Latency(recordsPerSecond, SHAPE, Policy.NONE)
          .row()
          .text(Column.SYSTEM, "minikafka")
          .text(Column.EXPERIMENT, "tail");
    }
  }

  /** From the launch of a broker until it is ready. */
  record Start(int starts) implements Point {
    @Override
    public String inWords() {
      return "start: a broker, %d times".formatted(starts);
    }

    @Override
    public Row.Builder row() {
      return Row.builder().text(Column.EXPERIMENT, "start").text(Column.SYSTEM, "minikafka");
    }
  }

  /** A floor for its own sake. */
  record Floor(FloorKey key) implements Point {
    @Override
    public String inWords() {
      return "floor: " + key.inWords();
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
