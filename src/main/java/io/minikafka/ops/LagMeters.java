package io.minikafka.ops;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.minikafka.TopicPartition;
import io.minikafka.broker.GroupLag;
import io.minikafka.broker.PartitionLag;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The lag of groups as of the last look: of at most so many partitions, and of at most so many
 * groups, since whoever watches pays for every series. First come, first served; what is not seen
 * with a look loses its series, and makes room for others with the next.
 *
 * <p>A look is {@link #begin}, {@link #add} for each group, and {@link #end} or {@link #forget}.
 * Any thread; one look at a time.
 */
final class LagMeters {
  private static final double MS_PER_SECOND = 1e3;

  private final Meters meters;
  private final int max;

  // Guarded by this.
  private final Map<Key, Row> partitions = new HashMap<>();
  private final Map<String, Row> groups = new HashMap<>();
  private long look;
  private int leftOut;

  private volatile int unmeasured;

  private record Key(String group, TopicPartition partition) {}

  /** What is measured of one thing. */
  private static final class Row {
    private volatile double first;
    private volatile double second;
    private volatile double third;

    // Guarded by the meters.
    private List<Meter> meters = List.of();
    private long seenIn;
  }

  /**
   * @param max partitions, and groups, that have series of their own
   */
  LagMeters(MeterRegistry registry, int max) {
    this.meters = new Meters(registry);
    this.max = max;
    meters.gauge(MeterNames.GROUP_LAG_UNMEASURED, () -> unmeasured);
  }

  synchronized void begin() {
    look++;
    leftOut = 0;
  }

  synchronized void add(GroupLag lag) {
    String group = lag.summary().group();
    set(
        groups,
        group,
        lag.uncommitted(),
        0,
        0,
        row -> List.of(meters.gauge(MeterNames.GROUP_UNCOMMITTED, () -> row.first, group)));
    for (PartitionLag partition : lag.partitions()) {
      if (partition.lagRecords().isPresent()) {
        leftOut +=
            set(
                    partitions,
                    new Key(group, partition.partition()),
                    partition.lagRecords().getAsLong(),
                    seconds(partition.lagMs()),
                    partition.deletedUnread(),
                    row -> register(group, partition.partition(), row))
                ? 0
                : 1;
      }
    }
  }

  private List<Meter> register(String group, TopicPartition partition, Row row) {
    String number = String.valueOf(partition.partition());
    return List.of(
        meters.gauge(
            MeterNames.GROUP_LAG_RECORDS, () -> row.first, group, partition.topic(), number),
        meters.gauge(
            MeterNames.GROUP_LAG_SECONDS, () -> row.second, group, partition.topic(), number),
        meters.gauge(
            MeterNames.GROUP_DELETED_UNREAD, () -> row.third, group, partition.topic(), number));
  }

  /**
   * @return false if there is no room for it
   */
  private <K> boolean set(
      Map<K, Row> rows,
      K key,
      double first,
      double second,
      double third,
      Function<Row, List<Meter>> register) {
    Row row = rows.get(key);
    boolean isNew = row == null;
    if (row == null) {
      if (rows.size() >= max) {
        return false;
      }
      row = new Row();
      rows.put(key, row);
    }
    row.first = first;
    row.second = second;
    row.third = third;
    row.seenIn = look;
    if (isNew) {
      row.meters = register.apply(row);
    }
    return true;
  }

  private static double seconds(OptionalLong ms) {
    return ms.isPresent() ? ms.getAsLong() / MS_PER_SECOND : Double.NaN;
  }

  /** All were looked at. */
  synchronized void end() {
    removeUnseen(partitions);
    removeUnseen(groups);
    unmeasured = leftOut;
  }

  /** Groups are not served: rather no number than an old one. */
  synchronized void forget() {
    begin();
    end();
  }

  private void removeUnseen(Map<?, Row> rows) {
    rows.values()
        .removeIf(
            row -> {
              boolean gone = row.seenIn != look;
              if (gone) {
                row.meters.forEach(meters::remove);
              }
              return gone;
            });
  }
}
