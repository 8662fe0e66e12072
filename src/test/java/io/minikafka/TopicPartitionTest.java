package io.minikafka;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TopicPartitionTest {
  @Test
  void partitionsAreInTheOrderOfTheirTopicsAndThenOfTheirNumbers() {
    TopicPartition a2 = new TopicPartition("a", 2);
    TopicPartition a10 = new TopicPartition("a", 10);
    TopicPartition b0 = new TopicPartition("b", 0);
    assertEquals(List.of(a2, a10, b0), Stream.of(b0, a10, a2).sorted().toList());
  }
}
