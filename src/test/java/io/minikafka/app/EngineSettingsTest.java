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
}
