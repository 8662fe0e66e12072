package io.minikafka.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class UnreadVariablesTest {
  @Test
  void misspeltVariableIsToldWithTheOneThatIsNearest() {
    assertEquals(
        List.of(
            "MINIKAFKA_LOG_SEGMNT_BYTES in the environment is no setting and is not read; did you"
                + " mean MINIKAFKA_LOG_SEGMENT_BYTES?",
            "MINIKAFKA_SEGMENT_BYTES in the environment is no setting and is not read; did you mean"
                + " MINIKAFKA_LOG_SEGMENT_BYTES?",
            "MINIKAFKA_ZOOKEEPER in the environment is no setting and is not read; docs/SETTINGS.md"
                + " lists them all"),
        UnreadVariables.warnings(
            Map.of(
                "MINIKAFKA_LOG_SEGMNT_BYTES", "2048",
                "MINIKAFKA_SEGMENT_BYTES", "2048",
                "MINIKAFKA_ZOOKEEPER", "2048",
                "PATH", "/bin")));
  }

  @Test
  void variableOfEachSettingIsKnown() {
    Map<String, String> all = new TreeMap<>();
    for (SettingBounds.Row row : SettingBounds.ROWS) {
      all.put(row.name().replaceAll("[.-]", "_").toUpperCase(java.util.Locale.ROOT), "1");
    }
    all.put("MINIKAFKA_DATA_DIR", "d");
    all.put("MINIKAFKA_ADVERTISED_HOST", "h");
    all.put("MINIKAFKA_LOG_FLUSH_POLICY", "none");
    all.put("MINIKAFKA_STORAGE_ACCEPT_MISSING_CATALOG", "true");
    all.put("MINIKAFKA_BROKER", "localhost:9092");
    all.put("MINIKAFKA_TRACE", "1");
    assertEquals(List.of(), UnreadVariables.warnings(all));
  }

  /** As Kubernetes sets them in each pod of a namespace with Services called so. */
  @Test
  void variablesOfServicesAreNotSpokenOf() {
    Map<String, String> links = new TreeMap<>();
    for (String service : List.of("MINIKAFKA", "MINIKAFKA_HEADLESS", "MINIKAFKA_ADVERTISED")) {
      links.put(service + "_SERVICE_HOST", "10.0.0.1");
      links.put(service + "_SERVICE_PORT", "9092");
      links.put(service + "_SERVICE_PORT_DATA", "9092");
      links.put(service + "_PORT", "tcp://10.0.0.1:9092");
      links.put(service + "_PORT_9092_TCP", "tcp://10.0.0.1:9092");
      links.put(service + "_PORT_9092_TCP_PROTO", "tcp");
      links.put(service + "_PORT_9092_TCP_PORT", "9092");
      links.put(service + "_PORT_9092_TCP_ADDR", "10.0.0.1");
    }
    assertEquals(List.of(), UnreadVariables.warnings(links));
  }

  @Test
  void portThatIsNoAddressOfAServiceIsSpokenOf() {
    assertEquals(1, UnreadVariables.warnings(Map.of("MINIKAFKA_NET_PORT", "9092")).size());
  }
}
