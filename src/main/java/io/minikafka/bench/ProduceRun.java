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
    List<Lane> lanes = topics.create(point.partitions(), point.policy());
    Row.Builder row = point.row().text(Column.SYSTEM, "minikafka");
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
    for (int i = 0; i < point.producers(); i++) {
      Lane lane = lanes.get(i % lanes.size());
      loads.add(
          switch (point.client()) {
            case API -> new ApiProduce(client, lane, point.shape());
            case RAW -> new RawProduce(client.server(), lane, point.shape());
          });
    }
    return loads;
  }
}
