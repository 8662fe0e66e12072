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

  /**
   * Partitions of groups whose lag has metrics, two series each, and groups that have one; what
   * comes later has none until another goes. More: every group is seen. Less: less for Prometheus
   * to keep.
   */
  @WithDefault("1000")
  int maxGroupPartitions();
}
