package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

class UsageTest {
  private static final String METRICS =
      """
      # HELP process_cpu_time_ns_total The "cpu time" used by the Java Virtual Machine process
      # TYPE process_cpu_time_ns_total counter
      process_cpu_time_ns_total 2.24E9
      process_cpu_time_ns_total_of_another 7
      minikafka_allocated_bytes_total 1.5E7
      """;

  @Test
  void brokersUsageStandsInItsMetrics() {
    assertEquals(
        new Usage(OptionalDouble.of(2_240_000_000.0), OptionalDouble.of(15_000_000)),
        Scrape.usage(METRICS));
  }

  @Test
  void whatABrokerDoesNotTellStaysUnknown() {
    assertEquals(Usage.unknown(), Scrape.usage("something_else 1\n"));
    Row.Builder row = Row.builder();
    Usage.unknown()
        .since(Scrape.usage(METRICS))
        .fill(row, Column.BROKER_CPU_US, Column.BROKER_ALLOCATED_BYTES, 10);
    assertEquals("{}", RowFormat.json(row.build()));
  }

  @Test
  void usageIsOfOneRecord() {
    Usage before = new Usage(OptionalDouble.of(1_000), OptionalDouble.of(100));
    Usage after = new Usage(OptionalDouble.of(51_000), OptionalDouble.of(500));
    Row.Builder row = Row.builder();
    after.since(before).fill(row, Column.CLIENT_CPU_US, Column.CLIENT_ALLOCATED_BYTES, 100);
    assertEquals(
        "{\"client_cpu_us\":0.5,\"client_allocated_bytes\":4}", RowFormat.json(row.build()));
  }

  @Test
  void usageOfThisProcessOnlyRises() {
    Usage before = ClientUsage.now();
    Usage used = ClientUsage.now().since(before);
    assertEquals(true, used.allocatedBytes().orElseThrow() >= 0);
    assertEquals(true, used.cpuNanos().orElseThrow() >= 0);
  }
}
