package io.minikafka.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.HandTimers;
import io.minikafka.PartitionId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.ResourceBundle;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class EventLogTest {
  private static final UUID ORDERS = new UUID(0, 1);
  private static final UUID UNKNOWN = new UUID(0, 2);
  private static final String ORDERS_ID = "00000000-0000-0000-0000-000000000001";

  private final List<String> lines = new ArrayList<>();
  private final HandTimers timers = new HandTimers();
  private final EventLog log =
      new EventLog(
          new Lines(), timers, id -> id.equals(ORDERS) ? Optional.of("orders") : Optional.empty());

  /** Keeps what would be seen. */
  private final class Lines implements System.Logger {
    @Override
    public String getName() {
      return "lines";
    }

    @Override
    public boolean isLoggable(Level level) {
      return level.compareTo(Level.INFO) >= 0;
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String line, @Nullable Throwable thrown) {
      if (isLoggable(level)) {
        lines.add(line);
      }
    }

    @Override
    public void log(
        Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object... values) {
      log(level, bundle, format, (Throwable) null);
    }
  }

  private void refuse(int times) {
    for (int i = 0; i < times; i++) {
      log.onWriteFailed(new PartitionId(ORDERS, i % 3), true, "No space left on device");
    }
  }

  @Test
  void refusalsForWantOfRoomAreToldOnceAndThenCounted() {
    refuse(1000);
    assertEquals(
        List.of(
            "no room to append to partition orders/0 (%s/0): No space left on device; more such refusals are counted, and told each 10 s"
                .formatted(ORDERS_ID)),
        lines);
    timers.advanceMs(10_000);
    assertEquals(
        "no room: 999 more appends were refused within 10 s, the last to partition orders/0 (%s/0)"
            .formatted(ORDERS_ID),
        lines.getLast());
    refuse(5);
    timers.advanceMs(10_000);
    assertEquals(3, lines.size());
    assertEquals(
        "no room: 5 more appends were refused within 10 s, the last to partition orders/1 (%s/1)"
            .formatted(ORDERS_ID),
        lines.getLast());
  }

  @Test
  void compactionsGivenUpOnAFullDiskAreToldOnceAndThenCounted() {
    for (int i = 0; i < 100; i++) {
      log.onCompactionFailed(new PartitionId(ORDERS, i), true, "0 bytes are free");
    }
    timers.advanceMs(10_000);

    assertEquals(
        List.of(
            "a compaction of partition orders/0 (%s/0) was given up: 0 bytes are free; more such refusals are counted, and told each 10 s"
                .formatted(ORDERS_ID),
            "no room: 99 more compactions were given up within 10 s, the last of partition orders/99 (%s/99)"
                .formatted(ORDERS_ID)),
        lines);
  }

  @Test
  void refusalAfterAnIntervalWithoutOneIsToldAtOnce() {
    refuse(1);
    timers.advanceMs(10_000);
    assertEquals(1, lines.size());
    assertEquals(0, timers.waiting(), "nothing waits while nothing is refused");

    refuse(1);

    assertEquals(2, lines.size());
  }

  @Test
  void appendsThatFailOtherwiseAreEachTold() {
    for (int i = 0; i < 3; i++) {
      log.onWriteFailed(new PartitionId(ORDERS, 0), false, "broken");
    }
    assertEquals(3, lines.size());
  }

  @Test
  void recoverySaysTheNameOfTheTopicAndWhereItsFilesAre() {
    log.onRecovered(new PartitionId(ORDERS, 2), 10, 1000, 7, 0);
    log.onDamage(new PartitionId(ORDERS, 2), 5, 9, "a checksum is wrong");
    log.onRecovered(new PartitionId(UNKNOWN, 2), 10, 1000, 7, 0);

    assertEquals(
        List.of(
            "partition orders/2 (%s/2) ends at 10: 1000 bytes checked, 7 bytes of torn tail cut, 0 ranges damaged"
                .formatted(ORDERS_ID),
            "offsets 5 to 8 of partition orders/2 (%s/2) are damaged: a checksum is wrong"
                .formatted(ORDERS_ID),
            "partition 00000000-0000-0000-0000-000000000002/2 ends at 10: 1000 bytes checked, 7 bytes of torn tail cut, 0 ranges damaged"),
        lines);
  }

  @Test
  void upkeepThatFailsIsOneLineWithTheNameOfTheTopic() {
    log.onUpkeepFailed(new PartitionId(ORDERS, 1), "retention", "Input/output error");

    assertEquals(
        List.of(
            "retention of partition orders/1 (%s/1) failed: Input/output error"
                .formatted(ORDERS_ID)),
        lines);
  }

  @Test
  void fileOfATopicIsToldWithItsName() {
    log.onStranger("/data/%s/0/x".formatted(ORDERS_ID), "is nothing of a broker's; left alone");
    log.onStranger("/data/quarantine", "is full: of the torn tail of %s/0".formatted(ORDERS_ID));
    log.onStranger("/data/%s".formatted(UNKNOWN), "belongs to no topic");

    assertEquals(
        List.of(
            "topic 'orders': /data/%s/0/x: is nothing of a broker's; left alone"
                .formatted(ORDERS_ID),
            "topic 'orders': /data/quarantine: is full: of the torn tail of %s/0"
                .formatted(ORDERS_ID),
            "/data/00000000-0000-0000-0000-000000000002: belongs to no topic"),
        lines);
  }
}
