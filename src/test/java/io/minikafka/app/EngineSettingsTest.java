package io.minikafka.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class EngineSettingsTest {
  @Test
  void clientsAreToldTheDataPortUnlessItHasAnotherNumberOutside() {
    Path data = Path.of("data");

    assertEquals(4711, EngineSettings.advertisedPort(TestSettings.of(data), () -> 4711).getAsInt());
    assertEquals(
        30_092,
        EngineSettings.advertisedPort(TestSettings.of(data, "advertised-port", "30092"), () -> 4711)
            .getAsInt());
  }

  @Test
  void connectionsNeverTakeTheDescriptorsThatEverythingElseNeeds() {
    assertEquals(275, EngineSettings.connections(10_000, 1_100));
    assertEquals(10_000, EngineSettings.connections(10_000, 1_048_576));
    assertEquals(1, EngineSettings.connections(10_000, 2));
  }
}
