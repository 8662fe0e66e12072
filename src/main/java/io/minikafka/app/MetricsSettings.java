package io.minikafka.app;

import io.smallrye.config.WithDefault;

/** What is measured, {@code minikafka.metrics.}. */
public interface MetricsSettings {
  /**
   * Partitions that have metrics of their own, six series each; one more has none until another
   * goes. More: every partition is seen. Less: less for Prometheus to keep.
   */
  @WithDefault("1000")
  int maxPartitions();
}
