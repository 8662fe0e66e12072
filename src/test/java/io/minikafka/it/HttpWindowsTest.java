package io.minikafka.it;

import static io.restassured.RestAssured.given;
import static io.restassured.RestAssured.when;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.is;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.Caller;
import io.minikafka.TopicPartition;
import io.minikafka.admin.BrokerAccess;
import io.minikafka.broker.ControlPlane;
import io.minikafka.client.Admin;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerSettings;
import io.minikafka.client.Producer;
import io.minikafka.client.ProducerRecord;
import io.minikafka.client.ProducerSettings;
import io.minikafka.client.ServerAddress;
import io.minikafka.ops.NodeState;
import io.minikafka.ops.NodeStatus;
import io.minikafka.ops.PrometheusText;
import io.quarkus.test.junit.QuarkusTest;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Health and metrics of a running broker, with exact numbers after known traffic. */
@QuarkusTest
@ExtendWith(BufferLeaks.class)
@Timeout(60)
class HttpWindowsTest {
  private static final String TEXT = "text/plain;version=0.0.4";

  /** As a Prometheus server asks. */
  private static final String PROMETHEUS =
      "application/openmetrics-text;version=1.0.0;q=0.5,application/openmetrics-text;version=0.0.1"
          + ";q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2";

  @Inject BrokerAccess broker;
  @Inject NodeStatus node;

  private final String topic = "windows-" + UUID.randomUUID();
  private final TopicPartition first = new TopicPartition(topic, 0);

  /** Recovery goes on while HTTP answers already. */
  @BeforeEach
  void awaitServing() {
    while (!(node.nodeState() instanceof NodeState.Serving)) {
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
  }

  @Test
  void healthAnswersAtTheThreeProbes() {
    when().get("/q/health/live").then().statusCode(200).body("status", is("UP"));
    when()
        .get("/q/health/ready")
        .then()
        .statusCode(200)
        .body("checks.find { it.data?.offlinePartitions != null }.data.offlinePartitions", is(0));
    when().get("/q/health/started").then().statusCode(200).body("status", is("UP"));
  }

  @Test
  void metricsAreInTheTextFormat() {
    String text = given().accept(TEXT).get("/q/metrics").asString();
    assertTrue(PrometheusText.parse(text).containsKey("minikafka_request_seconds"), text);
  }

  @Test
  void aPrometheusServerGetsWhatItAsksFor() {
    given()
        .header("Accept", PROMETHEUS)
        .get("/q/metrics")
        .then()
        .statusCode(200)
        .body(containsString("minikafka_produced_records_total "))
        .body(containsString("# TYPE minikafka_request_seconds histogram\n"));
  }

  @Test
  void everyRecordIsCountedOnce() throws Exception {
    try (Admin admin = Admin.open(client())) {
      admin.createTopic(topic, 1, Map.of());
    }
    Numbers before = scrape();
    ProducerSettings oneByOne = ProducerSettings.builder(client()).batchRecords(1).build();
    try (Producer producer = Producer.open(oneByOne)) {
      for (int i = 0; i < 7; i++) {
        producer.send(ProducerRecord.of(topic, new byte[100])).get();
      }
    }
    Numbers produced = scrape();
    assertEquals(7, produced.since(before, "minikafka_produced_records_total"));
    assertEquals(7, produced.since(before, "minikafka_produced_batches_total"));
    // A marker of 96 bytes, a header of 28 bytes and the value.
    assertEquals(7 * (96 + 28 + 100), produced.since(before, "minikafka_produced_bytes_total"));
    assertEquals(7, produced.since(before, "minikafka_write_seconds_count"));
    assertEquals(
        7,
        produced.since(before, "minikafka_acknowledgement_seconds_count", "durability", "flushed"));
    assertEquals(
        7,
        produced.since(
            before, "minikafka_request_seconds_count", "api", "produce", "version", "1"));
    assertEquals(7, produced.of("minikafka_log_end_offset", "topic", topic, "partition", "0"));
    assertEquals(7, produced.of("minikafka_high_watermark", "topic", topic, "partition", "0"));

    try (Consumer consumer = Consumer.open(ConsumerSettings.builder(client()).build())) {
      consumer.assign(List.of(first));
      consumer.seek(first, 2);
      int got = 0;
      while (got < 5) {
        got += consumer.poll(Duration.ofSeconds(10)).size();
      }
    }
    assertEquals(5, scrape().since(produced, "minikafka_fetched_records_total"));
  }

  @Test
  void aQuestionForAnUnknownTopicIsARequestLikeAnother() {
    Numbers before = scrape();
    try (Consumer consumer = Consumer.open(ConsumerSettings.builder(client()).build())) {
      assertThrows(RuntimeException.class, () -> consumer.partitionCount(topic));
    }
    // The answer as a whole is no error; the topic in it is.
    assertEquals(
        1,
        scrape()
            .since(before, "minikafka_request_seconds_count", "api", "metadata", "version", "1"));
  }

  @Test
  void connectionsAndTopicsComeAndGo() throws Exception {
    Numbers before = scrape();
    try (Admin admin = Admin.open(client())) {
      admin.createTopic(topic, 3, Map.of());
      Numbers open = scrape();
      assertEquals(1, open.since(before, "minikafka_connections"));
      assertEquals(1, open.since(before, "minikafka_connections_opened_total"));
      assertEquals(1, open.since(before, "minikafka_topics"));
      assertEquals(3, open.since(before, "minikafka_partitions"));
      assertEquals(0, open.of("minikafka_log_end_offset", "topic", topic, "partition", "2"));
    }
    if (broker.state() instanceof BrokerAccess.State.Serving(ControlPlane controls)) {
      controls.topics().delete(Caller.BROKER, topic, false).get();
    }
    while (scrape().since(before, "minikafka_connections") != 0) {
      LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
    }
    Numbers after = scrape();
    assertEquals(0, after.since(before, "minikafka_partitions"));
    assertTrue(
        Double.isNaN(after.of("minikafka_log_end_offset", "topic", topic, "partition", "2")));
  }

  private ClientSettings client() {
    return ClientSettings.of(new ServerAddress("127.0.0.1", port()));
  }

  private int port() {
    return node.nodeState() instanceof NodeState.Serving(int port) ? port : 0;
  }

  private static Numbers scrape() {
    return new Numbers(
        PrometheusText.parse(given().accept(TEXT).get("/q/metrics").asString()).values().stream()
            .flatMap(family -> family.samples().stream())
            .toList());
  }

  /** One look at all metrics. */
  private record Numbers(List<PrometheusText.Sample> samples) {
    /** NaN if there is no such series. */
    double of(String name, String... labels) {
      return samples.stream()
          .filter(sample -> sample.name().equals(name) && sample.labels().equals(map(labels)))
          .mapToDouble(PrometheusText.Sample::value)
          .findFirst()
          .orElse(Double.NaN);
    }

    double since(Numbers before, String name, String... labels) {
      double then = before.of(name, labels);
      // A series is there from its first use on.
      return of(name, labels) - (Double.isNaN(then) ? 0 : then);
    }

    private static Map<String, String> map(String... labels) {
      return switch (labels.length) {
        case 0 -> Map.of();
        case 2 -> Map.of(labels[0], labels[1]);
        case 4 -> Map.of(labels[0], labels[1], labels[2], labels[3]);
        default -> throw new IllegalArgumentException("labels come in pairs, at most two");
      };
    }
  }
}
