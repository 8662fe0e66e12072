package io.minikafka.app;

import io.smallrye.config.ConfigMapping;
import io.smallrye.config.WithDefault;
import java.nio.file.Path;

/**
 * Every setting of the broker, one typed tree under {@code minikafka.}; docs/SETTINGS.md is its
 * table and is checked against it.
 *
 * <p>Read once at start and constant from then on; may be used from any thread. A value comes from
 * (strongest first) {@code -D} or a flag of {@code serve}, the environment ({@code
 * MINIKAFKA_LOG_SEGMENT_BYTES}), {@code config/application.properties} in the working directory,
 * the default here. The mapping alone checks types only: {@link SettingBounds} holds the bounds,
 * and nothing may be built from settings it was not asked about.
 */
@ConfigMapping(prefix = "minikafka")
public interface BrokerSettings {
  /**
   * Directory that holds everything the broker keeps; made if missing, and locked so that two
   * brokers cannot share it.
   */
  @WithDefault("minikafka-data")
  Path dataDir();

  /**
   * Address that the data port and the HTTP port are bound to. {@code 0.0.0.0} is every IPv4
   * address, {@code ::} every address; a loopback address keeps the network out.
   */
  @WithDefault("0.0.0.0")
  String host();

  /** Data port; 0 lets the system choose a free one. */
  @WithDefault("9092")
  int port();

  /**
   * Address that clients are told to connect to; one that stands for every address becomes this
   * machine's name.
   */
  @WithDefault("${minikafka.host}")
  String advertisedHost();

  /**
   * Port that clients are told to connect to, where something between them and the broker has
   * another one than {@link #port}; 0 tells them the data port itself.
   */
  @WithDefault("0")
  int advertisedPort();

  /** Name that clients are told the cluster has; informative. */
  @WithDefault("minikafka")
  String clusterId();

  /** Number that clients are told this node has; informative as long as there is one node. */
  @WithDefault("1")
  int nodeId();

  /** What a topic gets where its own configuration says nothing. */
  LogSettings log();

  /** Bounds of the data port. */
  NetSettings net();

  /** Bounds of the HTTP port. */
  HttpSettings http();

  /** Bounds of consumer groups. */
  GroupSettings group();

  /** How the data directory is written and looked after. */
  StorageSettings storage();

  /** How long stopping may take. */
  ShutdownSettings shutdown();

  /** What is measured. */
  MetricsSettings metrics();
}
