package io.minikafka.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The tables of docs/CLIENT.md say what the code says. */
class SettingsTableTest {
  private static final ServerAddress SERVER = new ServerAddress("h", 1);

  /** What is given and has no default. */
  private static final List<String> GIVEN = List.of("client", "server", "group");

  /** A row: default, and what it may be. */
  private record Row(String standard, String bounds) {}

  private static Stream<Record> settings() {
    return Stream.of(
        ClientSettings.of(SERVER),
        ProducerSettings.of(SERVER),
        ConsumerSettings.of(SERVER),
        GroupSettings.of("g"));
  }

  @ParameterizedTest
  @MethodSource("settings")
  void everySettingStandsInTheDocumentWithItsDefault(Record defaults) throws Exception {
    Map<String, Row> rows = rows(defaults);
    List<String> names = names(defaults);
    assertEquals(names, List.copyOf(rows.keySet()));
    for (RecordComponent component : components(defaults)) {
      String said = Objects.requireNonNull(rows.get(component.getName())).standard();
      Object value = value(defaults, component.getName());
      switch (value) {
        case Integer number -> assertEquals(number, number(said, defaults), component::getName);
        case Enum<?> word -> assertEquals(word.name(), said, component::getName);
        case Boolean yes -> assertEquals(yes.toString(), said, component::getName);
        case String text when !text.isEmpty() -> assertEquals(text, said, component::getName);
        // Of what is nothing by default the document says what that means.
        default -> assertEquals(false, said.isEmpty(), component::getName);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("settings")
  void everyBoundInTheDocumentIsTheCodes(Record defaults) throws Exception {
    Map<String, Row> rows = rows(defaults);
    for (RecordComponent component : components(defaults)) {
      String bounds = Objects.requireNonNull(rows.get(component.getName())).bounds();
      Class<?> type = component.getType();
      if (type.isEnum()) {
        assertEquals(
            Arrays.stream(type.getEnumConstants())
                .map(Object::toString)
                .collect(Collectors.joining(", ")),
            bounds);
      } else if (type == int.class || type == String.class) {
        String[] ends = bounds.replace(" characters", "").split(" to ", -1);
        long least = number(ends[0], defaults);
        long most = number(ends[1], defaults);
        for (long within : List.of(least, most)) {
          with(defaults, component, within);
        }
        for (long outside : List.of(least - 1, most + 1)) {
          boolean exists = type == int.class ? outside == (int) outside : outside >= 0;
          if (exists) {
            assertInstanceOf(
                IllegalArgumentException.class,
                assertThrows(
                        InvocationTargetException.class, () -> with(defaults, component, outside))
                    .getCause());
          }
        }
      }
    }
  }

  /** The same with another number, or a text of that length. */
  private static void with(Record defaults, RecordComponent component, long value)
      throws ReflectiveOperationException {
    List<Object> values = new ArrayList<>();
    List<Class<?>> types = new ArrayList<>();
    for (RecordComponent each : defaults.getClass().getRecordComponents()) {
      if (!each.getName().equals(component.getName())) {
        // What must not be less moves along.
        boolean above =
            each.getName().equals("maxBackoffMs") && component.getName().equals("backoffMs");
        values.add(above ? Math.max(1, (int) value) : value(defaults, each.getName()));
      } else if (each.getType() == int.class) {
        values.add((int) value);
      } else {
        values.add("x".repeat((int) value));
      }
      types.add(each.getType());
    }
    Constructor<?> constructor =
        defaults.getClass().getDeclaredConstructor(types.toArray(Class<?>[]::new));
    constructor.newInstance(values.toArray());
  }

  /** A number, or the name of the setting that has it. */
  private static int number(String said, Record defaults) throws ReflectiveOperationException {
    return said.matches("\\d+") ? Integer.parseInt(said) : (Integer) value(defaults, said);
  }

  private static Object value(Record settings, String name) throws ReflectiveOperationException {
    return settings.getClass().getMethod(name).invoke(settings);
  }

  private static List<RecordComponent> components(Record settings) {
    return Arrays.stream(settings.getClass().getRecordComponents())
        .filter(component -> !GIVEN.contains(component.getName()))
        .toList();
  }

  private static List<String> names(Record settings) {
    return components(settings).stream().map(RecordComponent::getName).toList();
  }

  /** The first table behind the place where the settings are named alone, or by their builder. */
  private static Map<String, Row> rows(Record settings) throws IOException {
    String name = settings.getClass().getSimpleName();
    Map<String, Row> rows = new LinkedHashMap<>();
    boolean here = false;
    for (String line : Files.readAllLines(Path.of("docs/CLIENT.md"))) {
      here |= line.equals("`" + name + "`:") || line.startsWith("`" + name + ".builder(");
      if (here && line.startsWith("| `")) {
        String[] cells = line.replace("`", "").split("\\|", -1);
        rows.put(cells[1].strip(), new Row(cells[2].strip(), cells[3].strip()));
      } else if (here && !rows.isEmpty()) {
        break;
      }
    }
    return rows;
  }
}
