package io.minikafka.bench;

import java.lang.management.ManagementFactory;

/**
 * What holds for all rows of a run, and the load average, which is asked for each row.
 *
 * @param run when it began, ISO 8601
 * @param effort how often and how long, in words
 */
public record Conditions(
    String run, String effort, String revision, String jdk, String kernel, int cores) {
  /** Of this process and machine. */
  public static Conditions of(String run, Effort effort, String revision) {
    return new Conditions(
        run,
        effort.inWords(),
        revision,
        System.getProperty("java.vm.vendor") + " " + Runtime.version(),
        System.getProperty("os.name")
            + " "
            + System.getProperty("os.version")
            + " "
            + System.getProperty("os.arch"),
        Runtime.getRuntime().availableProcessors());
  }

  Row complete(Row row, String measuredAt) {
    double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    return row.with()
        .text(Column.RUN, run)
        .text(Column.MEASURED_AT, measuredAt)
        .measured(Column.LOAD1, load < 0 ? Double.NaN : load)
        .count(Column.CORES, cores)
        .text(Column.EFFORT, effort)
        .text(Column.REVISION, revision)
        .text(Column.JDK, jdk)
        .text(Column.KERNEL, kernel)
        .build();
  }
}
