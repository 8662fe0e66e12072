package io.minikafka.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.micrometer.prometheus.PrometheusConfig;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/METRICS.md says what Prometheus sees. */
class MeterTableTest {
  @Test
  void everyMetricStandsInTheDocumentWithItsTypeAndLabels() throws IOException {
    assertEquals(inLines(ofTheRegistry()), inLines(ofTheDocument()));
  }

  @Test
  void everyMetricOfTheTableIsRegisteredByTheEngine() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    OneOfEach.register(registry);
    var names = registry.getMeters().stream().map(meter -> meter.getId().getName()).toList();
    var missing = EnumSet.allOf(MeterNames.class);
    missing.removeIf(name -> names.contains(name.meter()));
    assertEquals(EnumSet.noneOf(MeterNames.class), missing);
  }

  /** Name as scraped → type, labels, what it says. */
  private static Map<String, String> ofTheRegistry() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    OneOfEach.register(registry);
    Map<String, String> rows = new TreeMap<>();
    PrometheusText.parse(registry.scrape())
        .forEach(
            (name, family) -> {
              boolean maximum = name.endsWith("_max") && family.type().equals("gauge");
              if (!maximum) { // of a histogram: stands in the document in one sentence
                String labels =
                    family.samples().getFirst().labels().keySet().stream()
                        .filter(label -> !label.equals("le"))
                        .sorted()
                        .collect(Collectors.joining(", "));
                rows.put(name, family.type() + " | " + labels + " | " + family.help());
              }
            });
    return rows;
  }

  private static Map<String, String> ofTheDocument() throws IOException {
    Map<String, String> rows = new TreeMap<>();
    for (String line : Files.readAllLines(Path.of("docs/METRICS.md"))) {
      if (line.startsWith("| `minikafka_")) {
        String[] cells = line.split("\\|", -1);
        String labels = cells[3].replace("`", "").strip().lines().collect(Collectors.joining());
        String sorted =
            java.util.Arrays.stream(labels.split(", *", -1))
                .sorted()
                .collect(Collectors.joining(", "));
        rows.put(
            cells[1].strip().replace("`", ""),
            cells[2].strip() + " | " + sorted + " | " + cells[4].strip());
      }
    }
    return rows;
  }

  private static String inLines(Map<String, String> rows) {
    return rows.entrySet().stream()
        .map(row -> row.getKey() + " | " + row.getValue())
        .collect(Collectors.joining("\n"));
  }
}
