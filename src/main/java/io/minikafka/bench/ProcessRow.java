package io.minikafka.bench;

/** What is told of the broker's process at the end of a run. Stateless. */
final class ProcessRow {
  private ProcessRow() {}

  static Row of(OwnBroker broker) {
    LinuxProcess process = new LinuxProcess(broker.pid());
    Row.Builder row =
        Row.builder()
            .text(Column.EXPERIMENT, "process")
            .text(Column.SYSTEM, "minikafka")
            .text(Column.VARIANT, broker.command().javaOpts().orElse(""))
            .measured(Column.READY_MS, broker.readyNanos() / 1e6);
    fill(row, process);
    return row.build();
  }

  /** Its memory. */
  static void fill(Row.Builder row, LinuxProcess process) {
    process.residentBytes().ifPresent(bytes -> row.measured(Column.BROKER_RSS_MB, bytes / 1e6));
    process
        .peakResidentBytes()
        .ifPresent(bytes -> row.measured(Column.BROKER_PEAK_RSS_MB, bytes / 1e6));
  }
}
