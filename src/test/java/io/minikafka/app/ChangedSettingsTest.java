package io.minikafka.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.minikafka.broker.BrokerFacts.ChangedSetting;
import io.minikafka.broker.BrokerFacts.Source;
import io.quarkus.runtime.configuration.ConfigUtils;
import io.smallrye.config.PropertiesConfigSource;
import io.smallrye.config.SmallRyeConfigBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.UnaryOperator;
import org.eclipse.microprofile.config.spi.ConfigSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Which settings are told as changed, and who is said to have changed them. */
class ChangedSettingsTest {
  private final Properties before = (Properties) System.getProperties().clone();

  @TempDir Path directory;

  @AfterEach
  void restoreProperties() {
    System.setProperties(before);
  }

  @Test
  void withoutAWordNothingIsChanged() {
    // Some follow others by default: those are not changed, either.
    assertEquals(List.of(), changed(builder -> builder));
  }

  @Test
  void whatFollowsAChangedSettingIsNotChangedItself() {
    System.setProperty("minikafka.host", "127.0.0.1");
    assertEquals(
        List.of(
            new ChangedSetting("minikafka.host", "127.0.0.1", "0.0.0.0", Source.COMMAND_LINE, "")),
        changed(builder -> builder));
  }

  @Test
  void settingToItsDefaultIsNoChange() {
    System.setProperty("minikafka.port", "9092");
    assertEquals(List.of(), changed(builder -> builder));
  }

  @Test
  void fileIsNamed() throws Exception {
    Path file = Files.writeString(directory.resolve("x.properties"), "minikafka.node-id=7\n");
    assertEquals(
        List.of(new ChangedSetting("minikafka.node-id", "7", "1", Source.FILE, file.toString())),
        changed(builder -> builder.withSources(source(file))));
  }

  @Test
  void environmentIsNamed() {
    assertEquals(
        List.of(
            new ChangedSetting(
                "minikafka.log.segment-ms", "5000", "604800000", Source.ENVIRONMENT, "")),
        changed(
            builder ->
                builder.withSources(
                    new io.smallrye.config.EnvConfigSource(
                        Map.of("MINIKAFKA_LOG_SEGMENT_MS", "5000"), 300))));
  }

  private static ConfigSource source(Path file) {
    try {
      return new PropertiesConfigSource(file.toUri().toURL());
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
  }

  private static List<ChangedSetting> changed(UnaryOperator<SmallRyeConfigBuilder> sources) {
    return ChangedSettings.of(
        sources.apply(ConfigUtils.configBuilder().withMapping(BrokerSettings.class)).build());
  }
}
