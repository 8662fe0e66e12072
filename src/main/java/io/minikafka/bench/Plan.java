package io.minikafka.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * The points of an experiment, in an order in which neighbours share what is expensive.
 *
 * @param leftOut points that make no sense, in words, with the reason
 */
public record Plan(List<Point> points, List<String> leftOut) {
  /** What one producer may have under way: both ends hold it in memory. */
  private static final long MAX_WINDOW_BYTES = 128 << 20;

  /** Where several consumers are measured: there the broker has the most to do. */
  private static final int SHARED_FETCH_BYTES = 1 << 20;

  private static final int FREE_IN_FLIGHT = 64;

  private static final int GROUP_COMMIT_PRODUCERS = 16;
  private static final int IDLE_CONNECTIONS = 10_000;
  private static final int BUSY = 100;
  private static final int PARKED_FETCHES = 1_000;
  private static final int TAIL_PER_S = 1_000;
  private static final int OLD_MEGABYTES_PER_S = 50;
  private static final int STARTS = 5;

  public Plan {
    points = List.copyOf(points);
    leftOut = List.copyOf(leftOut);
  }

  /**
   * @throws IllegalArgumentException if the axes do not fit each other, with the bound
   */
  public static Plan of(Experiment experiment, Axes axes, boolean quick) {
    return switch (experiment) {
      case PRODUCE, SCALING -> produce(experiment.title(), axes);
      case FLUSH -> together(List.of(produce(experiment.title(), axes), groupCommit(axes)));
      case CONSUME -> new Plan(consume(axes), List.of());
      case LATENCY -> new Plan(latency(axes, quick), List.of());
      case FLOOR -> new Plan(floors(quick), List.of());
      case IDLE ->
          of(new Point.Idle(IdleConnections.most(quick ? 50 : IDLE_CONNECTIONS), quick ? 4 : BUSY));
      case PARKED -> of(new Point.Parked(quick ? 20 : PARKED_FETCHES));
      case TAIL -> of(new Point.Tail(TAIL_PER_S, OLD_MEGABYTES_PER_S));
      case START -> of(new Point.Start(quick ? 1 : STARTS));
    };
  }

  public static Plan of(Point point) {
    return new Plan(List.of(point), List.of());
  }

  public static Plan together(List<Plan> plans) {
    return new Plan(
        plans.stream().flatMap(plan -> plan.points.stream()).toList(),
        plans.stream().flatMap(plan -> plan.leftOut.stream()).toList());
  }

  /** Whether a broker is needed that several points share. */
  public boolean needsBroker() {
    return points.stream().anyMatch(Plan::needsBroker);
  }

  /** Whether brokers or other processes are started for its points. */
  public boolean startsPrograms() {
    return points.stream().anyMatch(point -> !(point instanceof Point.Floor));
  }

  private static boolean needsBroker(Point point) {
    return switch (point) {
      case Point.Produce _, Point.Consume _, Point.Latency _ -> true;
      // These have none, or one of their own.
      case Point.Floor _, Point.Idle _, Point.Parked _, Point.Tail _, Point.Start _ -> false;
    };
  }

  /** Single records under commit, from many at once: beside one producer of the same. */
  private static Plan groupCommit(Axes axes) {
    List<Point> points = new ArrayList<>();
    boolean isOnAxes =
        axes.batchRecords().contains(1)
            && axes.policies().contains(Policy.COMMIT)
            && axes.producers().equals(List.of(1));
    if (isOnAxes) {
      for (int recordBytes : axes.recordBytes()) {
        ProduceShape shape = new ProduceShape(recordBytes, 1, 1);
        for (ClientKind client : axes.clients()) {
          int producers = GROUP_COMMIT_PRODUCERS;
          points.add(Point.Produce.together("flush", client, shape, producers, Policy.COMMIT));
          points.add(Point.Produce.apart("flush", client, shape, producers, Policy.COMMIT));
        }
      }
    }
    return new Plan(points, List.of());
  }

  private static Plan produce(String experiment, Axes axes) {
    List<Point> points = new ArrayList<>();
    List<String> leftOut = new ArrayList<>();
    for (int recordBytes : axes.recordBytes()) {
      for (int batchRecords : axes.batchRecords()) {
        Axes.checkBatch(batchRecords, recordBytes);
        for (int inFlight : axes.inFlight()) {
          ProduceShape shape = new ProduceShape(recordBytes, batchRecords, inFlight);
          for (int producers : axes.producers()) {
            for (Policy policy : axes.policies()) {
              for (ClientKind client : axes.clients()) {
                // What several producers of a partition share is the force.
                int partitions = experiment.equals(Experiment.FLUSH.title()) ? 1 : producers;
                Point point =
                    new Point.Produce(experiment, client, shape, producers, partitions, policy);
                if (shape.windowBytes() > MAX_WINDOW_BYTES) {
                  leftOut.add(
                      "%s: %d bytes in flight, at most %d are measured"
                          .formatted(point.inWords(), shape.windowBytes(), MAX_WINDOW_BYTES));
                } else {
                  points.add(point);
                }
              }
            }
          }
        }
      }
    }
    return new Plan(points, leftOut);
  }

  /** One consumer at every fetch size; several, and groups, at one of them. */
  private static List<Point> consume(Axes axes) {
    int shared =
        axes.fetchBytes().contains(SHARED_FETCH_BYTES)
            ? SHARED_FETCH_BYTES
            : axes.fetchBytes().getLast();
    List<Point> points = new ArrayList<>();
    for (int recordBytes : axes.recordBytes()) {
      for (int consumers : axes.consumers()) {
        List<Integer> sizes = consumers == 1 ? axes.fetchBytes() : List.of(shared);
        for (int fetchBytes : sizes) {
          for (ClientKind client : axes.clients()) {
            points.add(new Point.Consume(client, recordBytes, fetchBytes, consumers, false));
          }
        }
        if (axes.groups() && consumers > 1 && axes.clients().contains(ClientKind.API)) {
          points.add(new Point.Consume(ClientKind.API, recordBytes, shared, consumers, true));
        }
      }
    }
    return points;
  }

  /** The six that are always measured, or every combination of what was asked for. */
  private static List<Point> latency(Axes axes, boolean quick) {
    List<Point> points = new ArrayList<>();
    for (int recordBytes : axes.recordBytes()) {
      if (recordBytes < LatencyRun.LEAST_RECORD_BYTES) {
        throw new IllegalArgumentException(
            "--record-bytes is %d, must be at least %d for latency: a record carries two times"
                .formatted(recordBytes, LatencyRun.LEAST_RECORD_BYTES));
      }
      if (!isAsked(axes)) {
        points.addAll(quick ? quickLatencies(recordBytes) : latencies(recordBytes));
      } else {
        for (int rate : or(axes.ratesPerSecond(), 10_000)) {
          for (int batchRecords : or(axes.batchRecords(), 1)) {
            Axes.checkBatch(batchRecords, recordBytes);
            for (int inFlight : or(axes.inFlight(), FREE_IN_FLIGHT)) {
              for (Policy policy :
                  axes.policies().isEmpty() ? List.of(Policy.NONE) : axes.policies()) {
                points.add(latency(rate, recordBytes, batchRecords, inFlight, policy));
              }
            }
          }
        }
      }
    }
    return points;
  }

  private static boolean isAsked(Axes axes) {
    return !axes.ratesPerSecond().isEmpty()
        || !axes.batchRecords().isEmpty()
        || !axes.inFlight().isEmpty()
        || !axes.policies().isEmpty();
  }

  private static List<Integer> or(List<Integer> asked, int otherwise) {
    return asked.isEmpty() ? List.of(otherwise) : asked;
  }

  private static List<Point> latencies(int recordBytes) {
    return List.of(
        latency(1_000, recordBytes, 1, FREE_IN_FLIGHT, Policy.NONE),
        latency(10_000, recordBytes, 1, FREE_IN_FLIGHT, Policy.NONE),
        latency(50_000, recordBytes, 10, FREE_IN_FLIGHT, Policy.NONE),
        latency(1_000, recordBytes, 1, FREE_IN_FLIGHT, Policy.INTERVAL),
        // One in flight: every record is forced by itself.
        latency(1_000, recordBytes, 1, 1, Policy.COMMIT),
        latency(200, recordBytes, 1, FREE_IN_FLIGHT, Policy.COMMIT));
  }

  private static List<Point> quickLatencies(int recordBytes) {
    return List.of(
        latency(1_000, recordBytes, 1, FREE_IN_FLIGHT, Policy.NONE),
        latency(5_000, recordBytes, 10, FREE_IN_FLIGHT, Policy.INTERVAL),
        latency(200, recordBytes, 1, 1, Policy.COMMIT));
  }

  private static Point latency(
      int rate, int recordBytes, int batchRecords, int inFlight, Policy policy) {
    return new Point.Latency(rate, new ProduceShape(recordBytes, batchRecords, inFlight), policy);
  }

  private static List<Point> floors(boolean quick) {
    List<FloorKey> keys =
        quick
            ? List.of(
                FloorKey.sink(128_000, 5),
                FloorKey.source(1 << 20),
                FloorKey.ping(128),
                FloorKey.fsync(128))
            : List.of(
                FloorKey.sink(128, 1),
                FloorKey.sink(128, 64),
                FloorKey.sink(128_000, 1),
                FloorKey.sink(128_000, 5),
                FloorKey.sink(1_000_000, 1),
                FloorKey.sink(1_000_000, 5),
                FloorKey.source(4 << 10),
                FloorKey.source(64 << 10),
                FloorKey.source(1 << 20),
                FloorKey.source(4 << 20),
                FloorKey.ping(128),
                FloorKey.fsync(128),
                FloorKey.fsync(128_000),
                FloorKey.fsync(1_000_000));
    return keys.stream().<Point>map(Point.Floor::new).toList();
  }
}
