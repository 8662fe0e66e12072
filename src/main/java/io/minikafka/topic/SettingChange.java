package io.minikafka.topic;

import java.util.Optional;

/**
 * One setting as somebody asked for it, not yet checked.
 *
 * @param key a name; see {@link SettingKey}
 * @param value empty means: no own value any more, follow the broker's default again
 */
public record SettingChange(String key, Optional<String> value) {
  public static SettingChange set(String key, String value) {
    return new SettingChange(key, Optional.of(value));
  }

  public static SettingChange reset(String key) {
    return new SettingChange(key, Optional.empty());
  }
}
