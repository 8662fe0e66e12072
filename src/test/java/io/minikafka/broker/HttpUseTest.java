package io.minikafka.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class HttpUseTest {
  @Test
  void aQuarterOfTheConnectionsAndOneAtLeastIsKeptFromStreams() {
    assertEquals(192, new HttpUse(0, 0, 256).streamLimit());
    assertEquals(3, new HttpUse(0, 0, 4).streamLimit());
    assertTrue(new HttpUse(200, 191, 256).hasRoomForStream());
    assertFalse(new HttpUse(200, 192, 256).hasRoomForStream());
  }
}
