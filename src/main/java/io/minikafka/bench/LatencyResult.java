package io.minikafka.bench;

import io.minikafka.client.ClientSettings;
import java.io.IOException;
import java.util.List;

/**
 * What came of one latency point: its row, and the samples behind it.
 *
 * @param acknowledged the producer's side: from sent to acknowledged
 */
record LatencyResult(Row.Builder row, Latencies scheduled, Latencies sent, Latencies acknowledged) {

  static LatencyResult measure(
      Point.Latency point, Topics topics, ClientSettings client, Effort effort, Target target)
      throws IOException, InterruptedException {
    List<Lane> lanes = topics.create(1, point.policy());
    ProduceShape shape = point.shape();
    Row.Builder row = point.row().text(Column.SYSTEM, "minikafka").count(Column.REPS, 1);
    LatencyRun run;
    try (Pipe pipe = ClientPipe.of(client, lanes.getFirst(), shape)) {
      run = new LatencyRun(pipe, shape);
      Usage brokerBefore = target.usage();
      Usage clientBefore = ClientUsage.now();
      Work work = run.run(point.recordsPerSecond(), effort.warmUpNanos(), effort.latencyNanos());
      Usage used = ClientUsage.now().since(clientBefore);
      Usage brokerUsed = target.usage().since(brokerBefore);
      // What is used counts from the begin of the warm-up, as do these records.
      long all =
          work.records() * (effort.warmUpNanos() + effort.latencyNanos()) / effort.latencyNanos();
      used.fill(row, Column.CLIENT_CPU_US, Column.CLIENT_ALLOCATED_BYTES, all);
      brokerUsed.fill(row, Column.BROKER_CPU_US, Column.BROKER_ALLOCATED_BYTES, all);
      row.count(Column.RECORDS, work.records())
          .measured(Column.RECORDS_PER_S, work.recordsPerSecond())
          .measured(Column.MB_PER_S, work.mbPerSecond())
          .measured(Column.WIRE_MB_PER_S, work.wireMbPerSecond())
          .text(Column.DURABILITY, pipe.durability());
    }
    topics.remove(lanes);
    run.scheduled().fill(row, Column.SCHEDULED_P50_US);
    run.sent().fill(row, Column.SENT_P50_US);
    run.acknowledged().fill(row, Column.ACK_P50_US);
    return new LatencyResult(row, run.scheduled(), run.sent(), run.acknowledged());
  }
}
