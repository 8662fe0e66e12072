package io.minikafka;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class NamesTest {
  @Test
  void ordinaryNamesAreLegal() {
    for (String name : List.of("a", "A-Z_0.9", "...", "a..b", "_a", "-", "x".repeat(200))) {
      assertEquals(Optional.empty(), Names.topicNameError(name), name);
    }
  }

  @Test
  void anIllegalNameIsToldWhatIsWrong() {
    assertError("topic name is empty", "");
    assertError("topic name has 201 characters; the limit is 200", "x".repeat(201));
    assertError("topic name must not be '.' or '..'", ".");
    assertError("topic name must not be '.' or '..'", "..");
    assertError("topic names starting with '__' are reserved for the broker", "__offsets");
  }

  @Test
  void everyCharacterButTheLegalOnesIsRefused() {
    String legal = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    for (int c = 0; c <= Character.MAX_VALUE; c++) {
      boolean expected = legal.indexOf(c) >= 0;
      assertEquals(expected, Names.topicNameError("a" + (char) c).isEmpty(), "character " + c);
    }
    assertError(
        "topic name has an illegal character at index 2; legal are A-Z a-z 0-9 . _ -", "../x");
  }

  @Test
  void partitionCountsHaveBothBounds() {
    assertEquals(Optional.empty(), Names.partitionCountError(1));
    assertEquals(Optional.empty(), Names.partitionCountError(10_000));
    assertEquals(
        Optional.of("partition count 0 is outside 1 … 10000"), Names.partitionCountError(0));
    assertEquals(
        Optional.of("partition count 10001 is outside 1 … 10000"),
        Names.partitionCountError(10_001));
    assertTrue(Names.partitionCountError(-1).isPresent());
    assertTrue(Names.partitionCountError(Long.MAX_VALUE).isPresent());
  }

  @Test
  void theBrokersOwnTopicsAreToldByTheirName() {
    assertTrue(Names.isInternal("__consumer_offsets"));
    assertFalse(Names.isInternal("_consumer_offsets"));
  }

  @Test
  void partitionsAreWrittenAsPeopleReadThem() {
    assertEquals("orders-3", new TopicPartition("orders", 3).toString());
    assertEquals("orders-4294967295", new TopicPartition("orders", -1).toString());
    assertEquals(
        "00000000-0000-0001-0000-000000000002/7", new PartitionId(new UUID(1, 2), 7).toString());
  }

  @Test
  void withoutABoundNothingIsEverFull() {
    int[] ran = {0};
    assertFalse(Pressure.NONE.exceeded());
    Pressure.NONE.whenRelieved(() -> ran[0]++);
    assertEquals(1, ran[0]);
  }

  private static void assertError(String message, String name) {
    assertEquals(Optional.of(message), Names.topicNameError(name));
  }
}
