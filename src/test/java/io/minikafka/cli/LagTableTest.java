package io.minikafka.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.protobuf.Duration;
import io.minikafka.admin.v1.PartitionLag;
import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class LagTableTest {
  private final LagTable table = new LagTable("TOPIC", "LAG");
  private final StringWriter out = new StringWriter();

  private void row(long records, int millis) {
    PartitionLag lag =
        PartitionLag.newBuilder()
            .setLagRecords(records)
            .setLagTime(Duration.newBuilder().setNanos(millis * 1_000_000))
            .build();
    table.row(lag, "t", records);
  }

  private String printed() {
    table.print(new PrintWriter(out, true));
    return out.toString();
  }

  @Test
  void recordsAreAddedUpAndTheOldestOfThemCounts() {
    row(1_200, 20);
    row(3, 900);
    row(0, 0);
    assertEquals(
        "TOPIC   LAG\nt      1200\nt         3\nt         0\n"
            + "total: 3 partitions, lag 1,203 records, 0.900 s\n",
        printed());
  }

  @Test
  void whatIsNotKnownIsCountedApart() {
    row(5, 10);
    table.row(PartitionLag.getDefaultInstance(), "u", "-");
    assertEquals(
        "total: 2 partitions, lag 5 records, 0.010 s; not known of 1 partition",
        printed().lines().toList().getLast());
  }

  @Test
  void whereAllIsReadTheTimeHasItsDigitsToo() {
    row(0, 0);
    row(0, 0);
    assertEquals(
        "total: 2 partitions, lag 0 records, 0.000 s", printed().lines().toList().getLast());
  }

  @Test
  void oneRowIsItsOwnTotal() {
    row(5, 10);
    assertEquals(2, printed().lines().count());
  }
}
