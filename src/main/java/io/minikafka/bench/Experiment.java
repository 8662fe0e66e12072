package io.minikafka.bench;

import static io.minikafka.bench.ClientKind.API;
import static io.minikafka.bench.ClientKind.RAW;

import java.util.List;
import java.util.Locale;

/** What can be measured, and along what if nobody says otherwise. */
public enum Experiment {
  PRODUCE,
  CONSUME,
  LATENCY,
  FLUSH,
  SCALING,
  FLOOR,
  IDLE,
  PARKED,
  TAIL,
  START;

  private static final List<Integer> SIZES = List.of(100, 1_000, 10_000);
  private static final List<Integer> BATCHES = List.of(1, 10, 100, 1_000);
  private static final List<Integer> ONE = List.of(1);
  private static final List<Policy> EVERY_POLICY = List.of(Policy.values());
  private static final List<Policy> NO_FLUSH = List.of(Policy.NONE);

  String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** Nothing said. */
  public static Axes nothing() {
    List<Integer> none = List.of();
    return new Axes(List.of(), none, none, none, none, none, none, false, none, List.of());
  }

  /** The whole of it. */
  public Axes full() {
    return switch (this) {
      case PRODUCE -> produce(List.of(API, RAW), SIZES, BATCHES, List.of(1, 5, 64), ONE, NO_FLUSH);
      case FLUSH -> produce(List.of(RAW), List.of(1_000), BATCHES, ONE, ONE, EVERY_POLICY);
      case SCALING ->
          produce(List.of(RAW), List.of(1_000), List.of(100), ONE, List.of(1, 2, 4, 8), NO_FLUSH);
      case CONSUME ->
          consume(
              SIZES,
              List.of(4 << 10, 16 << 10, 64 << 10, 256 << 10, 1 << 20, 4 << 20),
              List.of(1, 4));
      case LATENCY -> latency();
      case FLOOR, IDLE, PARKED, TAIL, START -> nothing();
    };
  }

  /** Every kind of point, few of them: for trying it out. */
  public Axes quick() {
    List<Integer> small = List.of(100);
    return switch (this) {
      case PRODUCE ->
          produce(List.of(API, RAW), small, List.of(1, 100), List.of(1, 5), ONE, NO_FLUSH);
      case FLUSH -> produce(List.of(RAW), small, List.of(10), ONE, ONE, EVERY_POLICY);
      case SCALING -> produce(List.of(RAW), small, List.of(100), ONE, List.of(1, 2), NO_FLUSH);
      case CONSUME -> consume(small, List.of(64 << 10), List.of(1, 2));
      case LATENCY -> latency();
      case FLOOR, IDLE, PARKED, TAIL, START -> nothing();
    };
  }

  private static Axes produce(
      List<ClientKind> clients,
      List<Integer> recordBytes,
      List<Integer> batchRecords,
      List<Integer> inFlight,
      List<Integer> producers,
      List<Policy> policies) {
    List<Integer> none = List.of();
    return new Axes(
        clients, recordBytes, batchRecords, none, inFlight, producers, none, false, none, policies);
  }

  private static Axes consume(
      List<Integer> recordBytes, List<Integer> fetchBytes, List<Integer> consumers) {
    List<Integer> none = List.of();
    return new Axes(
        List.of(API, RAW),
        recordBytes,
        none,
        fetchBytes,
        none,
        none,
        consumers,
        true,
        none,
        List.of());
  }

  /** Rates, batches and policies go together, see {@link Plan}; only the size is an axis. */
  private static Axes latency() {
    List<Integer> none = List.of();
    return new Axes(
        List.of(API), List.of(100), none, none, none, none, none, false, none, List.of());
  }
}
