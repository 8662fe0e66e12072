package io.minikafka.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The repetitions of one point.
 *
 * @param client what this process used for all of them together
 * @param broker what the broker did
 */
record Throughput(List<Work> reps, Usage client, Usage broker) {
  /** Asks what the broker has used so far. */
  interface BrokerUsage {
    Usage now() throws IOException;
  }

  /** Warms up, then measures. */
  static Throughput of(Crew crew, Effort effort, BrokerUsage broker)
      throws IOException, InterruptedException {
    if (effort.warmUpNanos() > 0) {
      crew.run(effort.warmUp());
    }
    Usage brokerBefore = broker.now();
    Usage clientBefore = ClientUsage.now();
    List<Work> reps = new ArrayList<>();
    for (int i = 0; i < effort.reps(); i++) {
      reps.add(crew.run(effort.perRep()));
    }
    Usage client = ClientUsage.now().since(clientBefore);
    return new Throughput(List.copyOf(reps), client, broker.now().since(brokerBefore));
  }

  double wireMbPerSecond() {
    return spread(Work::wireMbPerSecond).median();
  }

  Spread spread(ToDoubleFunction<Work> rate) {
    return Spread.of(reps.stream().mapToDouble(rate).toArray());
  }

  void fill(Row.Builder row) {
    long records = reps.stream().mapToLong(Work::records).sum();
    Spread rate = spread(Work::recordsPerSecond);
    Spread bytes = spread(Work::mbPerSecond);
    row.count(Column.REPS, reps.size())
        .count(Column.RECORDS, records)
        .measured(Column.RECORDS_PER_S, rate.median())
        .measured(Column.RECORDS_PER_S_MIN, rate.min())
        .measured(Column.RECORDS_PER_S_MAX, rate.max())
        .measured(Column.MB_PER_S, bytes.median())
        .measured(Column.MB_PER_S_MIN, bytes.min())
        .measured(Column.MB_PER_S_MAX, bytes.max())
        .measured(Column.WIRE_MB_PER_S, wireMbPerSecond());
    client.fill(row, Column.CLIENT_CPU_US, Column.CLIENT_ALLOCATED_BYTES, records);
    broker.fill(row, Column.BROKER_CPU_US, Column.BROKER_ALLOCATED_BYTES, records);
  }
}
