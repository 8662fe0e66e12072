package io.minikafka.bench;

import io.minikafka.client.ClientSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Measures producers. Each repetition has a topic of its own, deleted before the next: so all find
 * memory for what they write that was given back a moment ago, as the sink that they are compared
 * with does, which truncates its file. A virtual machine may wait for its host whenever it touches
 * memory it has not had lately, and that is no figure of a broker. Stateless.
 */
final class ProduceRun {
  /** Who waits for memory of the host warms up until it has a repetition's. */
  private static final int LARGE_FRAME_BYTES = 64 << 10;

  private static final int TIMES_A_WARM_UP = 5;

  private ProduceRun() {}

  static Row.Builder measure(
      Point.Produce point, Topics topics, ClientSettings client, Effort effort, Target target)
      throws IOException, InterruptedException {
    Row.Builder row = point.row().text(Column.SYSTEM, "minikafka");
    Tally tally = new Tally();
    boolean warmsUp = effort.warmUpNanos() > 0;
    for (int rep = warmsUp ? -1 : 0; rep < effort.reps(); rep++) {
      List<Lane> lanes = topics.create(point.partitions(), point.policy());
      try (Crew crew = new Crew(loads(point, lanes, client), effort.patienceNanos())) {
        if (rep < 0) {
          crew.run(warmUp(point.shape(), effort));
        } else {
          crew.begin();
          tally.add(crew, target::usage, effort.perRep());
        }
      }
      topics.remove(lanes);
    }
    tally.throughput().fill(row);
    return row.text(Column.DURABILITY, tally.durability());
  }

  /** Before the first repetition. */
  static Limit warmUp(ProduceShape shape, Effort effort) {
    int times = shape.frameBytes() >= LARGE_FRAME_BYTES ? TIMES_A_WARM_UP : 1;
    return new Limit(times * effort.warmUpNanos(), effort.perRep().wireBytes());
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
