package io.minikafka.main;

import io.minikafka.app.BrokerSettings;
import io.minikafka.app.Descriptors;
import io.minikafka.app.Ending;
import io.minikafka.app.HttpAddress;
import io.minikafka.app.ListenAddress;
import io.minikafka.app.SettingsReader;
import io.quarkus.runtime.Quarkus;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ExitCode;

/**
 * What {@code minikafka serve} was told: hands flags to the settings, has them checked, boots the
 * service and returns when that has stopped.
 *
 * <p>{@link #plainly} reads words that leave no doubt without picocli, whose classes no AOT cache
 * takes (they are of Java 5's format): with them a broker needs a third longer until it is ready.
 *
 * @param flags by their name on the command line, those that were given
 * @param properties of {@code -D}, in their order
 */
record ServeWords(Map<String, String> flags, Map<String, String> properties) {
  /** Each flag that sets a setting, in the order of help. */
  static final Map<String, String> SETTING_OF_FLAG = settings();

  private static final String HTTP_PORT = "--http-port";

  /**
   * Of a property: what quotes and blanks around it would make is another one, which nobody reads.
   */
  private static final Pattern NAME = Pattern.compile("[^\\s\"'][^\\s]*");

  private static Map<String, String> settings() {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("--data-dir", "minikafka.data-dir");
    settings.put("--host", "minikafka.host");
    settings.put("--port", "minikafka.port");
    settings.put(HTTP_PORT, "quarkus.http.port");
    settings.put("--segment-bytes", "minikafka.log.segment-bytes");
    settings.put("--index-interval", "minikafka.log.index-interval-bytes");
    settings.put("--retention-bytes", "minikafka.log.retention-bytes");
    settings.put("--retention-ms", "minikafka.log.retention-ms");
    settings.put("--flush", "minikafka.log.flush-policy");
    return Collections.unmodifiableMap(settings);
  }

  /**
   * The words of a command line, if they are {@code serve} and nothing but flags with their values.
   * Empty for all else, right or wrong: picocli knows what to say of it.
   */
  static Optional<ServeWords> plainly(String... words) {
    if (words.length == 0 || !words[0].equals("serve")) {
      return Optional.empty();
    }
    ServeWords read = new ServeWords(new LinkedHashMap<>(), new LinkedHashMap<>());
    int next = 1;
    while (next < words.length) {
      String word = words[next++];
      String name = word;
      String value;
      if (word.startsWith("-D") && word.length() > 2) {
        name = "-D";
        value = word.substring(2);
      } else if (word.startsWith("--") && word.indexOf('=') > 0) {
        name = word.substring(0, word.indexOf('='));
        value = word.substring(word.indexOf('=') + 1);
      } else if (next < words.length) {
        value = words[next++];
      } else {
        return Optional.empty();
      }
      if (!isPlain(value) || !read.take(name, value)) {
        return Optional.empty();
      }
    }
    return Optional.of(read);
  }

  /** Neither a flag nor anything that may mean more than itself (quotes, {@code @file}). */
  private static boolean isPlain(String value) {
    return !value.isEmpty()
        && "-@=".indexOf(value.charAt(0)) < 0
        && value.indexOf('"') < 0
        && value.indexOf('\'') < 0;
  }

  private boolean take(String name, String value) {
    if (name.equals("-D")) {
      int equals = value.indexOf('=');
      if (equals <= 0 || equals == value.length() - 1) {
        return false;
      }
      properties.put(value.substring(0, equals), value.substring(equals + 1));
      return true;
    }
    boolean number = !name.equals(HTTP_PORT) || value.matches("[0-9]{1,5}");
    return number && SETTING_OF_FLAG.containsKey(name) && flags.putIfAbsent(name, value) == null;
  }

  /** Blocks until the service has stopped, and returns the exit code. */
  int run(Consumer<String> say) {
    List<String> wrong = wrongWords();
    if (!wrong.isEmpty()) {
      return tell(say, String.join("; ", wrong), ExitCode.USAGE);
    }
    properties.forEach(System::setProperty);
    flags.forEach((flag, value) -> System.setProperty(settingOf(flag), value));
    return switch (SettingsReader.read()) {
      case SettingsReader.Outcome.Refused(List<String> problems) ->
          tell(say, inTheWordsOfTheFlags(problems), ExitCode.USAGE);
      case SettingsReader.Outcome.Valid(BrokerSettings settings, Optional<HttpAddress> http) ->
          http.flatMap(address -> address.clash(settings))
              .map(problem -> tell(say, problem, ExitCode.USAGE))
              .or(
                  () ->
                      inTheWay(settings, http)
                          .map(
                              problem ->
                                  tell(say, inTheWordsOfTheFlags(problem), ExitCode.SOFTWARE)))
              .orElseGet(() -> run(settings, say));
    };
  }

  /** What this machine has not got for the service, before anything is made. */
  private static Optional<String> inTheWay(BrokerSettings settings, Optional<HttpAddress> http) {
    return Descriptors.error(settings)
        .or(() -> ListenAddress.error(settings))
        .or(() -> http.flatMap(address -> address.error(settings.dataDir())));
  }

  /** What would be passed over, or told in the words of others. */
  private List<String> wrongWords() {
    List<String> wrong = new ArrayList<>();
    for (String name : properties.keySet()) {
      if (name.isBlank()) {
        wrong.add("-D is without a name, must be NAME=VALUE");
      } else if (!NAME.matcher(name).matches() || isOursButForItsForm(name)) {
        wrong.add(name + " is no setting");
      }
    }
    portProblem(HTTP_PORT, flags.get(HTTP_PORT)).ifPresent(wrong::add);
    String setting = settingOf(HTTP_PORT);
    portProblem(setting, properties.get(setting)).ifPresent(wrong::add);
    return wrong;
  }

  /** As in the environment, or in capitals: found by nobody. */
  private static boolean isOursButForItsForm(String name) {
    return name.toLowerCase(Locale.ROOT).startsWith("minikafka") && !name.startsWith("minikafka.");
  }

  /** What is no number is told of by Quarkus, in a line. */
  private static Optional<String> portProblem(String name, @Nullable String value) {
    if (value == null || !value.matches("[+-]?[0-9]{1,18}")) {
      return Optional.empty();
    }
    long port = Long.parseLong(value);
    return port >= 0 && port <= 65_535
        ? Optional.empty()
        : Optional.of(name + " is " + port + ", must be 0 to 65535");
  }

  private static int run(BrokerSettings settings, Consumer<String> say) {
    AtomicInteger exitCode = new AtomicInteger();
    AtomicBoolean told = new AtomicBoolean();
    Quarkus.run(
        null,
        (code, failure) -> {
          if (failure == null) {
            exitCode.set(code);
          } else {
            told.set(true);
            exitCode.set(StartFailure.of(failure, settings.dataDir()).tell(say));
          }
        });
    if (!told.get()) {
      Ending.reason().ifPresent(say);
    }
    return exitCode.get();
  }

  private String inTheWordsOfTheFlags(List<String> problems) {
    return problems.stream()
        .map(this::inTheWordsOfTheFlags)
        .reduce((one, other) -> one + "; " + other)
        .orElseThrow();
  }

  private String inTheWordsOfTheFlags(String problem) {
    String setting = problem.substring(0, Math.max(0, problem.indexOf(' ')));
    return flags.keySet().stream()
        .filter(flag -> settingOf(flag).equals(setting))
        .findFirst()
        .map(flag -> flag + problem.substring(setting.length()))
        .orElse(problem);
  }

  private static String settingOf(String flag) {
    return Objects.requireNonNull(SETTING_OF_FLAG.get(flag));
  }

  private static int tell(Consumer<String> say, String problem, int exitCode) {
    say.accept(problem);
    return exitCode;
  }
}
