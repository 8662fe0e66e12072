package io.minikafka.app;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Variables of the environment that look like settings and are none. They are told of and not
 * refused: others than who starts the broker put variables there. What Kubernetes puts there for a
 * Service called minikafka is not told of.
 *
 * <p>Stateless; any thread.
 */
final class UnreadVariables {
  private static final String PREFIX = "MINIKAFKA_";

  /** Of the command line. */
  private static final Set<String> OTHERS =
      Set.of("MINIKAFKA_BROKER", "MINIKAFKA_ADMIN", "MINIKAFKA_TRACE");

  /** The variables of a Service, but for the one that ends in _PORT. */
  private static final Pattern OF_A_SERVICE =
      Pattern.compile(
          "\\w+_(?:SERVICE_HOST|SERVICE_PORT(?:_\\w+)?|PORT_\\d+_(?:TCP|UDP|SCTP)(?:_\\w+)?)");

  /** What that one is, which may have the name of a setting. */
  private static final Pattern ADDRESS_OF_A_SERVICE = Pattern.compile("(?:tcp|udp|sctp)://.*");

  private UnreadVariables() {}

  /** A line for each, by name. */
  static List<String> warnings(Map<String, String> environment) {
    Map<String, String> ours = new TreeMap<>(environment);
    ours.keySet().removeIf(name -> !name.startsWith(PREFIX) || OTHERS.contains(name));
    ours.entrySet().removeIf(UnreadVariables::isOfAService);
    if (ours.isEmpty()) {
      return List.of();
    }
    Set<String> known = new TreeSet<>();
    collect(BrokerSettings.class, PREFIX, known);
    List<String> warnings = new ArrayList<>();
    for (String name : ours.keySet()) {
      if (!known.contains(name)) {
        warnings.add(
            "%s in the environment is no setting and is not read%s"
                .formatted(
                    name,
                    nearest(name, known)
                        .map("; did you mean %s?"::formatted)
                        .orElse("; docs/SETTINGS.md lists them all")));
      }
    }
    return warnings;
  }

  private static boolean isOfAService(Map.Entry<String, String> variable) {
    return OF_A_SERVICE.matcher(variable.getKey()).matches()
        || (variable.getKey().endsWith("_PORT")
            && ADDRESS_OF_A_SERVICE.matcher(variable.getValue()).matches());
  }

  /** The variables of all settings in a group, and in the groups in it. */
  private static void collect(Class<?> group, String prefix, Set<String> names) {
    for (Method setting : group.getMethods()) {
      String name = prefix + inCapitals(setting.getName());
      if (setting.getReturnType().getPackage() == BrokerSettings.class.getPackage()) {
        collect(setting.getReturnType(), name + "_", names);
      } else {
        names.add(name);
      }
    }
  }

  private static String inCapitals(String camelCase) {
    return camelCase.replaceAll("([A-Z])", "_$1").toUpperCase(Locale.ROOT);
  }

  /** Empty if none is near enough to have been meant. */
  private static Optional<String> nearest(String name, Set<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(other -> distance(name, other)))
        .filter(other -> distance(name, other) <= (name.length() - PREFIX.length()) / 3);
  }

  /** How many letters are to be put in, left out or changed. */
  private static int distance(String one, String other) {
    int[] before = new int[other.length() + 1];
    for (int j = 0; j <= other.length(); j++) {
      before[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int[] now = new int[other.length() + 1];
      now[0] = i;
      for (int j = 1; j <= other.length(); j++) {
        int changed = before[j - 1] + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        now[j] = Math.min(changed, 1 + Math.min(before[j], now[j - 1]));
      }
      before = now;
    }
    return before[other.length()];
  }
}
