package io.minikafka.bench;

import io.minikafka.client.ServerAddress;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.OptionalDouble;

/** Asks a broker's HTTP port. Stateless; any thread. */
final class Scrape {
  private static final int TIMEOUT_MS = 10_000;
  private static final String CPU_NANOS = "process_cpu_time_ns_total";
  private static final String ALLOCATED_BYTES = "minikafka_allocated_bytes_total";

  private Scrape() {}

  /** What the broker's process has used. */
  static Usage usage(ServerAddress http) throws IOException {
    return usage(get(http, "/q/metrics"));
  }

  static Usage usage(String metrics) {
    return new Usage(value(metrics, CPU_NANOS), value(metrics, ALLOCATED_BYTES));
  }

  /** Of a series without labels; empty if the broker does not tell it. */
  static OptionalDouble metric(ServerAddress http, String name) throws IOException {
    return value(get(http, "/q/metrics"), name);
  }

  static boolean isReady(ServerAddress http) {
    try {
      get(http, "/q/health/ready");
      return true;
    } catch (IOException e) {
      // Not open yet, or not ready.
      return false;
    }
  }

  private static String get(ServerAddress http, String path) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) URI.create("http://" + http + path).toURL().openConnection();
    connection.setConnectTimeout(TIMEOUT_MS);
    connection.setReadTimeout(TIMEOUT_MS);
    try (InputStream in = connection.getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } finally {
      connection.disconnect();
    }
  }

  /** Of a series without labels. */
  private static OptionalDouble value(String metrics, String name) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1).strip()))
        .findFirst();
  }
}
