package io.minikafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartitionIdTest {
  private static final UUID TOPIC = UUID.fromString("7a6c2f4e-0000-4000-8000-000000000001");
  private static final UUID OTHER = UUID.fromString("7a6c2f4e-0000-4000-8000-000000000002");

  @Test
  void isTheSameByTopicAndNumber() {
    PartitionId id = new PartitionId(TOPIC, 3);
    PartitionId same = new PartitionId(UUID.fromString(TOPIC.toString()), 3);
    assertEquals(id, same);
    assertEquals(id.hashCode(), same.hashCode());
    assertNotEquals(id, new PartitionId(TOPIC, 4));
    assertNotEquals(id, new PartitionId(OTHER, 3));
    assertNotEquals(null, id);
    assertNotEquals((Object) id, TOPIC);
  }

  @Test
  void numbersOfOneTopicHashApart() {
    long hashes =
        IntStream.range(0, 1_000)
            .map(partition -> new PartitionId(TOPIC, partition).hashCode())
            .distinct()
            .count();
    assertEquals(1_000, hashes);
  }
}
