package io.minikafka.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** Reads {@code --config key=value} options. */
final class KeyValues {
  private KeyValues() {}

  /**
   * @throws ParameterException if one has no '=' or a key comes twice
   */
  static Map<String, String> parse(List<String> options, CommandSpec spec) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String option : options) {
      int equals = option.indexOf('=');
      if (equals < 1) {
        throw new ParameterException(
            spec.commandLine(), "--config is '%s', must be KEY=VALUE".formatted(option));
      }
      String key = option.substring(0, equals);
      if (values.put(key, option.substring(equals + 1)) != null) {
        throw new ParameterException(spec.commandLine(), "--config %s comes twice".formatted(key));
      }
    }
    return values;
  }
}
