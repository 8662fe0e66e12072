package io.minikafka.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class EngineSettingsTest {
  @Test
  void connectionsNeverTakeTheDescriptorsThatEverythingElseNeeds() {
    assertEquals(275, EngineSettings.connections(10_000, 1_100));
    assertEquals(10_000, EngineSettings.connections(10_000, 1_048_576));
    assertEquals(1, EngineSettings.connections(10_000, 2));
  }
}
