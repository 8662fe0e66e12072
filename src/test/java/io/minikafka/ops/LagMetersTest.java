package io.minikafka.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.minikafka.TopicPartition;
import io.minikafka.broker.GroupLag;
import io.minikafka.broker.PartitionLag;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LagMetersTest {
  private static final String RECORDS = "minikafka.group.lag.records";
  private static final String SECONDS = "minikafka.group.lag";
  private static final String DELETED = "minikafka.group.deleted.unread.records";
  private static final String UNCOMMITTED = "minikafka.group.uncommitted.partitions";
  private static final String UNMEASURED = "minikafka.group.lag.unmeasured";

  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final LagMeters meters = new LagMeters(registry, 3);

  private void look(GroupLag... groups) {
    meters.begin();
    for (GroupLag group : groups) {
      meters.add(group);
    }
    meters.end();
  }

  @Test
  void lagIsWhatTheLastLookSaw() {
    look(SomeLag.of("g", "t", 3));
    assertEquals(2, value(RECORDS, "2"));
    assertEquals(3, value(SECONDS, "2"));
    look(
        SomeLag.group(
            "g",
            0,
            List.of(
                SomeLag.partition(
                    new TopicPartition("t", 2), OptionalLong.of(9), OptionalLong.of(250)))));
    assertEquals(9, value(RECORDS, "2"));
    assertEquals(0.25, value(SECONDS, "2"));
    assertEquals(Set.of("g t-2"), measured(RECORDS));
  }

  @Test
  void whatWasDeletedUnreadIsMeasuredUntilTheGroupHasReadOn() {
    look(SomeLag.group("g", 0, List.of(behind(995))));
    assertEquals(995, value(DELETED, "0"));
    assertEquals(5, value(RECORDS, "0"));

    look(SomeLag.group("g", 0, List.of(behind(0))));
    assertEquals(0, value(DELETED, "0"));
    look();
    assertEquals(Set.of(), measured(DELETED));
  }

  private static PartitionLag behind(long deletedUnread) {
    return SomeLag.partition(
        new TopicPartition("t", 0), OptionalLong.of(5), OptionalLong.of(1), deletedUnread);
  }

  @Test
  void unknownTimeIsNoNumberAndUnknownLagNoSeries() {
    look(
        SomeLag.group(
            "g",
            1,
            List.of(
                SomeLag.partition(
                    new TopicPartition("t", 0), OptionalLong.of(5), OptionalLong.empty()),
                SomeLag.partition(
                    new TopicPartition("t", 1), OptionalLong.empty(), OptionalLong.empty()))));
    assertEquals(5, value(RECORDS, "0"));
    assertTrue(Double.isNaN(value(SECONDS, "0")));
    assertEquals(Set.of("g t-0"), measured(RECORDS));
    assertEquals(1, registry.get(UNCOMMITTED).tag("group", "g").gauge().value());
  }

  @Test
  void noMoreThanTheBoundAreMeasuredAndTheRestIsCounted() {
    look(SomeLag.of("a", "t", 2), SomeLag.of("b", "t", 4));
    assertEquals(Set.of("a t-0", "a t-1", "b t-0"), measured(RECORDS));
    assertEquals(measured(RECORDS), measured(SECONDS));
    assertEquals(measured(RECORDS), measured(DELETED));
    assertEquals(3, registry.get(UNMEASURED).gauge().value());
  }

  @Test
  void groupThatGoesTakesItsSeriesAlongAndMakesRoomForTheNextLook() {
    look(SomeLag.of("a", "t", 2), SomeLag.of("b", "t", 2));
    look(SomeLag.of("b", "t", 2));
    assertEquals(Set.of("b t-0"), measured(RECORDS));
    assertEquals(1, registry.get(UNMEASURED).gauge().value());
    look(SomeLag.of("b", "t", 2));
    assertEquals(Set.of("b t-0", "b t-1"), measured(RECORDS));
    assertEquals(0, registry.get(UNMEASURED).gauge().value());
    assertEquals(1, count(UNCOMMITTED));
  }

  @Test
  void whileNobodyCanTellThereAreNoSeries() {
    look(SomeLag.of("a", "t", 4));
    meters.begin();
    meters.add(SomeLag.of("a", "t", 4));
    meters.forget();
    assertEquals(Set.of(), measured(RECORDS));
    assertEquals(0, count(UNCOMMITTED));
    assertEquals(0, registry.get(UNMEASURED).gauge().value());
  }

  private double value(String name, String partition) {
    return registry.get(name).tag("partition", partition).gauge().value();
  }

  private long count(String name) {
    return registry.getMeters().stream().filter(m -> m.getId().getName().equals(name)).count();
  }

  private Set<String> measured(String name) {
    return registry.getMeters().stream()
        .map(Meter::getId)
        .filter(id -> id.getName().equals(name))
        .map(id -> id.getTag("group") + " " + id.getTag("topic") + "-" + id.getTag("partition"))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
