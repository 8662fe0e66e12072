package io.minikafka.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.minikafka.partition.PartitionStore.Snapshot;
import io.minikafka.topic.Topic;
import java.util.List;
import org.junit.jupiter.api.Test;

class EngineGaugesTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

  @Test
  void topicsAndPartitionsAreAddedUpWhenSomebodyLooks() {
    List<Topic> topics =
        List.of(
            StillTopics.of("a", 2),
            StillTopics.of("b", 3, new Snapshot(1, 0, 0, 0, 0, "a force failed")));
    OneOfEach.gauges().register(registry, () -> topics);
    assertEquals(2, value("minikafka.topics"));
    assertEquals(5, value("minikafka.partitions"));
    assertEquals(3, value("minikafka.offline.partitions"));
    assertEquals(5 * 700, value("minikafka.disk.used"));
    assertEquals("/data", registry.get("minikafka.disk.used").gauge().getId().getTag("directory"));
  }

  @Test
  void allocatedHeapIsACounterThatOutlivesACollection() {
    OneOfEach.gauges().register(registry, List::of);
    System.gc();
    assertEquals(6, registry.get("minikafka.allocated").functionCounter().count());
  }

  private double value(String name) {
    return registry.get(name).gauge().value();
  }
}
