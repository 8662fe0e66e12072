package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Time is a number here: it moves when the schedule waits, and when a send takes time. */
class ScheduleTest {
  private static final long BEGIN = 5_000;
  private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

  private long nowNanos = BEGIN;

  @Test
  void sendsAreDueAtEqualDistances() throws Exception {
    Schedule schedule = Schedule.of(BEGIN, 1_000, 1, 4 * MS);
    List<Long> sent = new ArrayList<>();

    schedule.run(() -> nowNanos, due -> nowNanos = due, (i, due, now) -> sent.add(now));

    assertEquals(List.of(BEGIN, BEGIN + MS, BEGIN + 2 * MS, BEGIN + 3 * MS), sent);
  }

  @Test
  void batchesKeepTheRateOfRecords() {
    assertEquals(200_000, Schedule.of(0, 50_000, 10, MS).intervalNanos());
  }

  @Test
  void aStallIsSeenByEveryRecordItDelayed() throws Exception {
    // 1,000 a second for a second; the broker stands still for 100 ms when it gets number 500.
    Latencies scheduled = new Latencies();
    Latencies sent = new Latencies();

    Schedule.of(BEGIN, 1_000, 1, 1_000 * MS)
        .run(
            () -> nowNanos,
            due -> nowNanos = due,
            (i, due, now) -> {
              nowNanos += i == 500 ? 100 * MS : 0;
              scheduled.add(nowNanos - due);
              sent.add(nowNanos - now);
            });

    // From the schedule: 100 ms, 99, 98 … a tenth of all records. From the send: that one only.
    assertEquals(1_000, scheduled.count());
    assertEquals(90_000, scheduled.percentileUs(99), 1_000);
    assertEquals(50_000, scheduled.percentileUs(95), 1_000);
    assertEquals(0, scheduled.percentileUs(89), 1);
    assertEquals(0, sent.percentileUs(99.8), 1);
    assertTrue(sent.percentileUs(100) >= 100_000);
  }

  @Test
  void whatIsOverdueGoesAtOnceAndKeepsItsDueTime() throws Exception {
    List<String> sends = new ArrayList<>();

    new Schedule(0, 10, 4)
        .run(
            () -> nowNanos - BEGIN,
            due -> nowNanos = due + BEGIN,
            (i, due, now) -> {
              sends.add(due + "@" + now);
              nowNanos += i == 0 ? 25 : 0;
            });

    assertEquals(List.of("0@0", "10@25", "20@25", "30@30"), sends);
  }
}
