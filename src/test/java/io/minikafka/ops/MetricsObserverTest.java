package io.minikafka.ops;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheus.PrometheusConfig;
import io.micrometer.prometheus.PrometheusMeterRegistry;
import io.minikafka.protocol.ErrorCode;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

class MetricsObserverTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MetricsObserver observer = new MetricsObserver(registry);

  @Test
  void aWriteCountsItsBatchesRecordsAndBytes() {
    observer.onWrite(OneOfEach.ID, 2, 30, 4000, 1_000_000);
    assertEquals(2, count("minikafka.produced.batches"));
    assertEquals(30, count("minikafka.produced.records"));
    assertEquals(4000, count("minikafka.produced"));
    Timer write = registry.get("minikafka.write").timer();
    assertEquals(1, write.count());
    assertEquals(1.0, write.totalTime(MILLISECONDS));
  }

  @Test
  void failedWritesAreCountedByCause() {
    observer.onWriteFailed(OneOfEach.ID, true, "full");
    observer.onWriteFailed(OneOfEach.ID, false, "broken");
    observer.onWriteFailed(OneOfEach.ID, false, "broken");
    assertEquals(1, count("minikafka.write.failures", "cause", "no_room"));
    assertEquals(2, count("minikafka.write.failures", "cause", "error"));
  }

  @Test
  void aForceCountsTheLogsItMadeDurable() {
    observer.onForce(3, 2_000_000);
    observer.onForce(1, 2_000_000);
    assertEquals(4, count("minikafka.forced.logs"));
    assertEquals(2, registry.get("minikafka.force").timer().count());
  }

  @Test
  void acknowledgementsAreTimedByDurability() {
    observer.onAcknowledged(OneOfEach.ID, true, 5_000_000);
    Timer flushed = registry.get("minikafka.acknowledgement").tag("durability", "flushed").timer();
    Timer written = registry.get("minikafka.acknowledgement").tag("durability", "written").timer();
    assertEquals(1, flushed.count());
    assertEquals(0, written.count());
  }

  @Test
  void requestsAreTimedAndTheirErrorsCountedByApiAndVersion() {
    observer.onRequest("PRODUCE", 0, 0, 1000);
    observer.onRequest("PRODUCE", 1, 0, 1000);
    observer.onRequest("PRODUCE", 1, ErrorCode.DISK_FULL.code(), 1000);
    Timer timer = registry.get("minikafka.request").tags("api", "produce", "version", "1").timer();
    assertEquals(2, timer.count());
    assertEquals(
        1,
        count("minikafka.request.errors", "api", "produce", "version", "1", "error", "disk_full"));
    assertEquals(
        0, registry.find("minikafka.request.errors").tag("version", "0").counters().size());
  }

  @Test
  void aVersionThatNobodyAskedForHasNoSeries() {
    assertEquals(0, registry.find("minikafka.request").timers().size());

    observer.onRequest("PRODUCE", 1, 0, 1000);

    assertEquals(1, registry.find("minikafka.request").timers().size());
  }

  @Test
  void aRequestThatIsInNoTableIsLeftOut() {
    observer.onRequest("SING", 0, 0, 1000);
    observer.onRequest("HELLO", 0, 0, 1000);
    observer.onRequest("HELLO", 7, 0, 1000);
    assertEquals(
        0, registry.find("minikafka.request").timers().stream().mapToLong(Timer::count).sum());
  }

  @Test
  void connectionsAreThoseOpenedAndNotClosed() {
    observer.onConnection(true);
    observer.onConnection(true);
    observer.onConnection(false);
    observer.onConnectionRefused("idle");
    assertEquals(1, registry.get("minikafka.connections").gauge().value());
    assertEquals(2, count("minikafka.connections.opened"));
    assertEquals(1, count("minikafka.connections.refused", "reason", "idle"));
  }

  @Test
  void recoveryAddsUpOverPartitions() {
    observer.onRecovered(OneOfEach.ID, 10, 1000, 7, 0);
    observer.onRecovered(OneOfEach.ID, 10, 500, 0, 0);
    assertEquals(1500, registry.get("minikafka.recovery.scanned").gauge().value());
    assertEquals(7, registry.get("minikafka.recovery.cut").gauge().value());
  }

  /** Event loops report each batch and each request; a collector must not pay for it. */
  @Test
  void whatHappensOnceABatchAllocatesNothing() {
    ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    MetricsObserver measured =
        new MetricsObserver(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
    reportBatches(measured, 50_000);
    long before = thread.getCurrentThreadAllocatedBytes();
    reportBatches(measured, 50_000);
    long bytes = thread.getCurrentThreadAllocatedBytes() - before;
    assertTrue(bytes < 50_000, bytes + " bytes were allocated for 50000 batches");
  }

  private static void reportBatches(MetricsObserver observer, int count) {
    for (int i = 0; i < count; i++) {
      observer.onWrite(OneOfEach.ID, 1, 10, 1000, 20_000);
      observer.onForce(1, 200_000);
      observer.onAcknowledged(OneOfEach.ID, true, 300_000);
      observer.onFetched(10, 1000);
      observer.onRequest("PRODUCE", 1, 0, 400_000);
      observer.onRequest("PRODUCE", 1, ErrorCode.DISK_FULL.code(), 400_000);
    }
  }

  private double count(String name, String... tags) {
    return registry.get(name).tags(tags).counter().count();
  }
}
