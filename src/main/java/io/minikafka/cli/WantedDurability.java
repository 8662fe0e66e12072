package io.minikafka.cli;

import io.minikafka.admin.v1.Durability;
import java.util.Locale;

/** How safe an append is to be before it is acknowledged, as the command line has it. */
enum WantedDurability {
  TOPIC(Durability.DURABILITY_UNSPECIFIED, io.minikafka.client.Durability.TOPIC_POLICY),
  WRITTEN(Durability.DURABILITY_WRITTEN, io.minikafka.client.Durability.WRITTEN),
  FLUSHED(Durability.DURABILITY_FLUSHED, io.minikafka.client.Durability.FLUSHED);

  private final Durability overGrpc;
  private final io.minikafka.client.Durability ofClient;

  WantedDurability(Durability overGrpc, io.minikafka.client.Durability ofClient) {
    this.overGrpc = overGrpc;
    this.ofClient = ofClient;
  }

  Durability overGrpc() {
    return overGrpc;
  }

  io.minikafka.client.Durability ofClient() {
    return ofClient;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
