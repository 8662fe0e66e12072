package io.minikafka.cli;

import io.minikafka.Counted;
import io.minikafka.admin.v1.PartitionLag;
import java.io.PrintWriter;
import java.math.BigDecimal;

/** The lag of partitions for people, and in the last line all of it together. One thread. */
final class LagTable {
  private final Table table;
  private int partitions;
  private int unknown;
  private long records;
  private BigDecimal seconds = BigDecimal.valueOf(0, 3);

  LagTable(String... headings) {
    table = new Table(headings);
  }

  void row(PartitionLag lag, Object... cells) {
    table.row(cells);
    partitions++;
    if (lag.hasLagRecords()) {
      records += lag.getLagRecords();
    } else {
      unknown++;
    }
    if (lag.hasLagTime()) {
      seconds = seconds.max(GroupWords.seconds(lag.getLagTime()));
    }
  }

  /** One row is its own total. */
  void print(PrintWriter out) {
    table.print(out);
    if (partitions > 1) {
      out.println(
          "total: %s, lag %s, %s s%s"
              .formatted(
                  Counted.of(partitions, "partition"),
                  Counted.grouped(records, "record"),
                  seconds,
                  unknown == 0 ? "" : "; not known of " + Counted.of(unknown, "partition")));
    }
  }
}
