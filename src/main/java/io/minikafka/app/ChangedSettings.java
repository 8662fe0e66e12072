package io.minikafka.app;

import io.minikafka.broker.BrokerFacts.ChangedSetting;
import io.minikafka.broker.BrokerFacts.Source;
import io.smallrye.config.ConfigMappings.ConfigClass;
import io.smallrye.config.ConfigValue;
import io.smallrye.config.SmallRyeConfig;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which settings are not as they are by default, and who said so. There are no secrets among the
 * settings; one that is marked as such is left out. Stateless; any thread.
 */
final class ChangedSettings {
  /** How the configuration library names where it has a value from. */
  private static final Pattern FILE = Pattern.compile("\\[source=(?:file:)?(.*)]");

  private static final String HTTP_PORT = "quarkus.http.port";

  private ChangedSettings() {}

  /** By name. */
  static List<ChangedSetting> of(SmallRyeConfig config) {
    ConfigClass mapping = ConfigClass.configClass(BrokerSettings.class);
    Map<String, String> defaults = new TreeMap<>(mapping.getProperties());
    defaults.keySet().removeAll(mapping.getSecrets());
    // The one of the framework's that is asked for by a flag of ours.
    defaults.put(HTTP_PORT, "8080");
    List<ChangedSetting> changed = new ArrayList<>();
    defaults.forEach(
        (key, byDefault) ->
            changed(key, byDefault, config.getConfigValue(key)).ifPresent(changed::add));
    return List.copyOf(changed);
  }

  private static Optional<ChangedSetting> changed(
      String key, String byDefault, ConfigValue inForce) {
    String value = inForce.getValue();
    // By default a setting may stand for another one: then it is the text that tells.
    if (value == null || byDefault.equals(value) || byDefault.equals(inForce.getRawValue())) {
      return Optional.empty();
    }
    String source = String.valueOf(inForce.getConfigSourceName());
    Matcher file = FILE.matcher(source);
    boolean isFile = file.find();
    return Optional.of(
        new ChangedSetting(
            key,
            value,
            byDefault,
            isFile
                ? Source.FILE
                : source.startsWith("Env") ? Source.ENVIRONMENT : Source.COMMAND_LINE,
            isFile ? file.group(1) : ""));
  }
}
