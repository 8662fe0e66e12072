package io.minikafka.bench;

/** The samples of several runs of one latency, together. One thread. */
final class LatencyTally {
  private final Latencies scheduled = new Latencies();
  private final Latencies sent = new Latencies();
  private final Latencies acknowledged = new Latencies();

  void add(LatencyRun run) {
    scheduled.addAll(run.scheduled());
    sent.addAll(run.sent());
    acknowledged.addAll(run.acknowledged());
  }

  void fill(Row.Builder row) {
    row.count(Column.RECORDS, scheduled.count());
    scheduled.fill(row, Column.SCHEDULED_P50_US);
    sent.fill(row, Column.SENT_P50_US);
    acknowledged.fill(row, Column.ACK_P50_US);
  }

  Latencies scheduled() {
    return scheduled;
  }
}
