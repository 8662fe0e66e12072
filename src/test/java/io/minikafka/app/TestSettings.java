package io.minikafka.app;

import io.quarkus.runtime.configuration.ConfigUtils;
import io.smallrye.config.PropertiesConfigSource;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Settings as a broker reads them, with some of them said by the test. */
final class TestSettings {
  /** Above system properties and the environment. */
  private static final int ORDINAL = 1000;

  private TestSettings() {}

  /** On free ports of the loopback address. */
  static BrokerSettings of(Path dataDir, String... namesAndValues) {
    Map<String, String> said = new HashMap<>();
    said.put("minikafka.data-dir", dataDir.toString());
    said.put("minikafka.host", "127.0.0.1");
    said.put("minikafka.port", "0");
    for (int i = 0; i < namesAndValues.length; i += 2) {
      said.put("minikafka." + namesAndValues[i], namesAndValues[i + 1]);
    }
    return ConfigUtils.configBuilder()
        .withMapping(BrokerSettings.class)
        .withSources(new PropertiesConfigSource(said, "the test", ORDINAL))
        .build()
        .getConfigMapping(BrokerSettings.class);
  }
}
