package io.minikafka.bench;

import io.minikafka.client.ClientSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Measures producers. Stateless. */
final class ProduceRun {
  private ProduceRun() {}

  static Row.Builder measure(
      Point.Produce point, Topics topics, ClientSettings client, Effort effort, Target target)
      throws IOException, InterruptedException {
    List<Lane> lanes = topics.create(point.producers(), point.policy());
    ProduceShape shape = point.shape();
    Row.Builder row =
        Row.builder()
            .text(Column.EXPERIMENT, point.experiment())
            .text(Column.CLIENT, point.client().title())
            .count(Column.RECORD_BYTES, shape.recordBytes())
            .count(Column.BATCH_RECORDS, shape.batchRecords())
            .count(Column.FRAME_BYTES, shape.frameBytes())
            .count(Column.PRODUCERS, point.producers())
            .count(Column.IN_FLIGHT, shape.inFlight())
            .text(Column.FLUSH_POLICY, point.policy().title());
    try (Crew crew = new Crew(loads(point, lanes, client), effort.patienceNanos())) {
      Throughput.of(crew, effort, target::usage).fill(row);
      row.text(Column.DURABILITY, crew.durability());
    }
    topics.remove(lanes);
    return row;
  }

  private static List<Load> loads(Point.Produce point, List<Lane> lanes, ClientSettings client)
      throws IOException {
    List<Load> loads = new ArrayList<>();
    for (Lane lane : lanes) {
      loads.add(
          switch (point.client()) {
            case API -> new ApiProduce(client, lane, point.shape());
            case RAW -> new RawProduce(client.server(), lane, point.shape());
          });
    }
    return loads;
  }
}
