package io.minikafka.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** docs/SETTINGS.md says what the code says. */
class SettingsTableTest {
  @Test
  void everySettingStandsInTheDocumentWithItsDefaultAndBounds() throws IOException {
    assertEquals(inLines(ofTheCode()), inLines(ofTheDocument()));
  }

  @Test
  void everyNumberHasBounds() {
    Map<String, Method> settings = settings(BrokerSettings.class, "minikafka.");
    settings.forEach(
        (name, method) ->
            assertTrue(
                !isNumber(method.getReturnType()) || bounds(name).isPresent(),
                () -> name + " has no row in SettingBounds"));
  }

  /** The configuration library's own takes every word it does not know for false. */
  @Test
  void everyBooleanTakesTrueAndFalseOnly() {
    settings(BrokerSettings.class, "minikafka.")
        .forEach(
            (name, method) ->
                assertTrue(
                    method.getReturnType() != boolean.class
                        || (method.isAnnotationPresent(WithConverter.class)
                            && method.getAnnotation(WithConverter.class).value()
                                == TrueOrFalse.class),
                    () -> name + " is converted loosely"));
  }

  private static boolean isNumber(Class<?> type) {
    return type.isPrimitive() && type != boolean.class;
  }

  private static Map<String, String> ofTheCode() {
    Map<String, String> rows = new TreeMap<>();
    settings(BrokerSettings.class, "minikafka.")
        .forEach(
            (name, method) ->
                rows.put(
                    name,
                    method.getAnnotation(WithDefault.class).value()
                        + " | "
                        + bounds(name).orElse(allowed(method.getReturnType()))));
    return rows;
  }

  private static Map<String, String> ofTheDocument() throws IOException {
    Map<String, String> rows = new TreeMap<>();
    for (String line : Files.readAllLines(Path.of("docs/SETTINGS.md"))) {
      if (line.startsWith("| `minikafka.")) {
        String[] cells = line.split("\\|", -1);
        rows.put(cells[1].strip().replace("`", ""), cells[2].strip() + " | " + cells[3].strip());
      }
    }
    return rows;
  }

  private static Map<String, Method> settings(Class<?> group, String prefix) {
    Map<String, Method> found = new TreeMap<>();
    for (Method method : group.getDeclaredMethods()) {
      String name = prefix + method.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
      if (method.isAnnotationPresent(WithDefault.class)) {
        found.put(name, method);
      } else {
        found.putAll(settings(method.getReturnType(), name + "."));
      }
    }
    return found;
  }

  private static Optional<String> bounds(String name) {
    return SettingBounds.ROWS.stream()
        .filter(row -> row.name().equals(name))
        .map(SettingBounds.Row::bounds)
        .findFirst();
  }

  private static String allowed(Class<?> type) {
    if (type.isEnum()) {
      return Arrays.stream(type.getEnumConstants())
          .map(constant -> constant.toString().toLowerCase(Locale.ROOT))
          .collect(Collectors.joining(", "));
    }
    if (type == boolean.class) {
      return "true, false";
    }
    return type == Path.class ? "a path" : "text";
  }

  private static String inLines(Map<String, String> rows) {
    return rows.entrySet().stream()
        .map(row -> row.getKey() + " | " + row.getValue())
        .collect(Collectors.joining("\n"));
  }
}
