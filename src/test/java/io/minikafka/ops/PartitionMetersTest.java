package io.minikafka.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.minikafka.topic.Topic;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class PartitionMetersTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final PartitionMeters meters = new PartitionMeters(registry, 3);

  @Test
  void aPartitionIsMeasuredAsItStands() {
    meters.onCreated(StillTopics.of("t", 1));
    assertEquals(700, value("minikafka.log.size"));
    assertEquals(2, value("minikafka.segments"));
    assertEquals(3, value("minikafka.log.start.offset"));
    assertEquals(5, value("minikafka.durable.offset"));
    assertEquals(5, value("minikafka.high.watermark"));
    assertEquals(9, value("minikafka.log.end.offset"));
  }

  @Test
  void noMoreThanTheBoundAreMeasured() {
    meters.onCreated(StillTopics.of("a", 2));
    meters.onCreated(StillTopics.of("b", 2));
    assertEquals(Set.of("a-0", "a-1", "b-0"), measured());
    assertEquals(1, value("minikafka.partitions.unmeasured"));
  }

  @Test
  void aTopicThatGoesMakesRoomForTheOthers() {
    Topic first = StillTopics.of("a", 2);
    meters.onCreated(first);
    meters.onCreated(StillTopics.of("b", 2));
    meters.onDeleted(first);
    assertEquals(Set.of("b-0", "b-1"), measured());
    assertEquals(0, value("minikafka.partitions.unmeasured"));
  }

  @Test
  void partitionsThatAreAddedAreMeasuredToo() {
    Topic before = StillTopics.of("a", 1);
    meters.onCreated(before);
    meters.onChanged(before, StillTopics.of("a", 2));
    assertEquals(Set.of("a-0", "a-1"), measured());
  }

  /** At start the topics are told once by their creation and once by the start itself. */
  @Test
  void aTopicToldTwiceIsMeasuredOnce() {
    meters.onCreated(StillTopics.of("a", 2));
    meters.onCreated(StillTopics.of("a", 1));
    meters.onDeleted(StillTopics.of("a", 2));
    assertEquals(Set.of(), measured());
    assertEquals(0, value("minikafka.partitions.unmeasured"));
  }

  private double value(String name) {
    return registry.get(name).gauge().value();
  }

  private Set<String> measured() {
    return registry.getMeters().stream()
        .map(Meter::getId)
        .filter(id -> id.getTag("topic") != null)
        .map(id -> id.getTag("topic") + "-" + id.getTag("partition"))
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
