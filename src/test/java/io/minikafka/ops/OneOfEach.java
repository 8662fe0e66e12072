package io.minikafka.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.minikafka.PartitionId;
import io.minikafka.topic.Topic;
import java.util.List;
import java.util.UUID;

/** Makes the engine's observers register every meter they have. */
final class OneOfEach {
  static final PartitionId ID = new PartitionId(new UUID(1, 2), 3);

  private OneOfEach() {}

  static void register(MeterRegistry registry) {
    MetricsObserver observer = new MetricsObserver(registry);
    observer.onRequest("FETCH", 1, 2, 1000);
    observer.onConnectionRefused("idle");
    observer.onHttpConnectionRefused("idle", false);
    Topic topic = StillTopics.of("t", 1);
    gauges().register(registry, () -> List.of(topic));
    new PartitionMeters(registry, 10).onCreated(topic);
    new GroupGauges(registry, StillCoordinator.make(), 10);
    LagMeters lags = new LagMeters(registry, 10);
    lags.begin();
    lags.add(SomeLag.of("g", "t", 1));
  }

  static EngineGauges gauges() {
    return new EngineGauges(
        "/data", () -> 1, () -> 2, () -> 3, () -> 4, () -> 5, () -> 0.5, () -> 6);
  }
}
