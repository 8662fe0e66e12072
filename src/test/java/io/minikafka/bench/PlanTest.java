package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class PlanTest {
  private static final List<Integer> NONE = List.of();

  @Test
  void everyExperimentMeasuresItsWholeAxes() {
    // Sizes × batches × in flight × clients, but for one window that is too large, with each
    // client.
    assertEquals(3 * 4 * 3 * 2 - 2, full(Experiment.PRODUCE).size());
    // Sizes × (fetch sizes × clients + four consumers with each client and as a group).
    assertEquals(3 * (6 * 2 + 2 + 1), full(Experiment.CONSUME).size());
    assertEquals(6, full(Experiment.LATENCY).size());
    // And single records of many producers under commit, into one partition and apart.
    assertEquals(4 * 3 + 2, full(Experiment.FLUSH).size());
    assertEquals(4, full(Experiment.SCALING).size());
    assertEquals(14, full(Experiment.FLOOR).size());
    assertEquals(List.of(new Point.Parked(1_000)), full(Experiment.PARKED));
    assertEquals(List.of(new Point.Tail(1_000, 50)), full(Experiment.TAIL));
    assertEquals(List.of(new Point.Start(5)), full(Experiment.START));
    assertEquals(List.of(new Point.Idle(IdleConnections.most(10_000), 100)), full(Experiment.IDLE));
  }

  @Test
  void windowTooLargeForBothEndsIsLeftOutAndToldSo() {
    Plan plan = Plan.of(Experiment.PRODUCE, Experiment.PRODUCE.full(), false);
    assertEquals(2, plan.leftOut().size());
    assertTrue(
        plan.leftOut()
            .getFirst()
            .startsWith(
                "produce api: 1000 records × 10000 B, 1 producer, 64 in flight, flush none: "),
        plan.leftOut()::getFirst);
  }

  @Test
  void quickHasEveryKindOfPoint() {
    List<Point> quick =
        Stream.of(Experiment.values())
            .flatMap(experiment -> Plan.of(experiment, experiment.quick(), true).points().stream())
            .toList();
    assertEquals(
        List.of("Produce", "Consume", "Latency", "Floor", "Idle", "Parked", "Tail", "Start"),
        quick.stream().map(point -> point.getClass().getSimpleName()).distinct().toList());
    assertTrue(quick.size() < 40, () -> quick.size() + " points");
  }

  @Test
  void whatHasNoBrokerOrOneOfItsOwnNeedsNone() {
    assertEquals(false, Plan.of(Experiment.FLOOR, Experiment.FLOOR.full(), false).needsBroker());
    Plan idle = Plan.of(Experiment.IDLE, Experiment.IDLE.full(), false);
    assertEquals(false, idle.needsBroker());
    assertEquals(true, idle.startsPrograms());
    assertEquals(true, Plan.of(Experiment.FLUSH, Experiment.FLUSH.full(), false).needsBroker());
  }

  @Test
  void singleRecordsOfManyProducersAreMeasuredBesideThoseOfOne() {
    ProduceShape single = new ProduceShape(1_000, 1, 1);
    List<Point> flush = full(Experiment.FLUSH);
    assertEquals(
        List.of(
            new Point.Produce("flush", ClientKind.RAW, single, 16, 1, Policy.COMMIT),
            new Point.Produce("flush", ClientKind.RAW, single, 16, 16, Policy.COMMIT)),
        flush.subList(flush.size() - 2, flush.size()));
    // Whoever asks for other producers gets those, into one partition.
    Axes two =
        Experiment.FLUSH
            .full()
            .or(
                new Axes(
                    List.of(), NONE, NONE, NONE, NONE, List.of(2), NONE, false, NONE, List.of()));
    assertEquals(4 * 3, Plan.of(Experiment.FLUSH, two, false).points().size());
  }

  @Test
  void whatIsGivenTakesThePlaceOfAnAxis() {
    Axes axes = Experiment.PRODUCE.full().or(axes(List.of(7), List.of(3)));
    assertEquals(3 * 2, Plan.of(Experiment.PRODUCE, axes, false).points().size());
  }

  @Test
  void durableRowsAreComparedWithAWriteAndFsyncAndOthersWithASink() {
    ProduceShape shape = new ProduceShape(100, 1000, 5);
    assertEquals(128_135, shape.frameBytes());
    assertEquals(FloorKey.sink(128_135, 5), produce(shape, Policy.INTERVAL).floor().orElseThrow());
    assertEquals(FloorKey.fsync(128_135), produce(shape, Policy.COMMIT).floor().orElseThrow());
  }

  @Test
  void whatIsOutOfBoundsIsRefusedByTheNameOfItsOption() {
    assertRefused("--record-bytes is 0, must be 1 to 10000000", () -> axes(List.of(0), NONE));
    assertRefused("--batch is 1000001, must be 1 to 1000000", () -> axes(NONE, List.of(1_000_001)));
    assertRefused(
        "--batch 10000 of --record-bytes 10000 is 100280000 bytes, must be at most 16777216",
        () ->
            Plan.of(
                Experiment.PRODUCE,
                Experiment.PRODUCE.full().or(axes(List.of(10_000), List.of(10_000))),
                false));
    assertRefused(
        "--record-bytes is 15, must be at least 16 for latency: a record carries two times",
        () ->
            Plan.of(
                Experiment.LATENCY, Experiment.LATENCY.full().or(axes(List.of(15), NONE)), false));
  }

  private static Point produce(ProduceShape shape, Policy policy) {
    return Point.Produce.apart("produce", ClientKind.RAW, shape, 1, policy);
  }

  private static List<Point> full(Experiment experiment) {
    return Plan.of(experiment, experiment.full(), false).points();
  }

  private static Axes axes(List<Integer> recordBytes, List<Integer> batchRecords) {
    return new Axes(
        List.of(), recordBytes, batchRecords, NONE, NONE, NONE, NONE, false, NONE, List.of());
  }

  private static void assertRefused(String message, Runnable refused) {
    Consumer<Runnable> run = Runnable::run;
    assertEquals(
        message,
        assertThrows(IllegalArgumentException.class, () -> run.accept(refused)).getMessage());
  }
}
