package io.minikafka.main;

import io.minikafka.cli.Commands;
import io.minikafka.cli.Failures;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;

/**
 * The command line: {@code serve} and everything in {@link Commands}, with one way to say that
 * something went wrong ({@link Failures}).
 */
final class CommandTree {
  private static final Map<String, Class<?>> ALL = all();

  /** Those that look at the others. */
  private static final Set<String> OF_ALL = Set.of("completion");

  /** Stands where a command is expected, and asks what follows it for its help. */
  private static final String HELP = "help";

  private CommandTree() {}

  private static Map<String, Class<?>> all() {
    Map<String, Class<?>> all = new LinkedHashMap<>();
    all.put("serve", ServeCommand.class);
    all.put("train", TrainCommand.class);
    all.putAll(Commands.ALL);
    return all;
  }

  /** Runs what the words say, and returns the exit code. */
  static int execute(String[] words, PrintWriter out, PrintWriter err, Ansi ansi) {
    String[] said = withHelpAsOption(words);
    return of(said, out, err, ansi).execute(said);
  }

  /**
   * {@code help topic create} and {@code topic help create} as {@code topic create --help}. Only
   * where a command stands: {@code topic describe help} is about a topic of that name. What names
   * no command is left without the option, which would have it passed over.
   */
  static String[] withHelpAsOption(String... words) {
    List<String> said = new ArrayList<>(List.of(words));
    int expected = !said.isEmpty() && !namesOfCommandsOf(said.getFirst()).isEmpty() ? 1 : 0;
    if (said.size() <= expected || !said.get(expected).equals(HELP)) {
      return words;
    }
    while (said.size() > expected && said.get(expected).equals(HELP)) {
      said.remove(expected);
    }
    Set<String> names = ALL.keySet();
    for (String word : said) {
      if (names.isEmpty() || word.startsWith("-")) {
        break;
      }
      if (!names.contains(word)) {
        return said.toArray(String[]::new);
      }
      names = namesOfCommandsOf(word);
    }
    said.add("--help");
    return said.toArray(String[]::new);
  }

  /** Of a command; none if it has no commands, or is none. */
  private static Set<String> namesOfCommandsOf(String name) {
    Class<?> command = ALL.get(name);
    return command == null
        ? Set.of()
        : Arrays.stream(command.getAnnotation(Command.class).subcommands())
            .map(sub -> sub.getAnnotation(Command.class).name())
            .collect(Collectors.toSet());
  }

  /**
   * As much of it as these words need: the command they begin with, or all when they begin with
   * none. To read the annotations of all takes a third of a broker's start.
   */
  static CommandLine of(String[] words, PrintWriter out, PrintWriter err, Ansi ansi) {
    Class<?> asked = words.length == 0 || OF_ALL.contains(words[0]) ? null : ALL.get(words[0]);
    return build(asked == null ? ALL.values() : Set.of(asked), out, err, ansi);
  }

  static CommandLine whole(PrintWriter out, PrintWriter err, Ansi ansi) {
    return build(ALL.values(), out, err, ansi);
  }

  /** Says it as {@code serve} does when picocli has read its words. */
  static void sayOfServe(String problem, PrintWriter err, Ansi ansi) {
    ServeCommand.say(serve(err, ansi), problem);
  }

  /** The exit code, behind saying what happened, also as picocli does. */
  static int failedToServe(Exception failure, PrintWriter err, Ansi ansi) {
    return Failures.failed(failure, serve(err, ansi));
  }

  private static CommandLine serve(PrintWriter err, Ansi ansi) {
    CommandLine root = build(Set.of(ServeCommand.class), err, err, ansi);
    return root.getSubcommands().values().iterator().next();
  }

  /** Every command has {@code --version}, and there is one version. */
  private static void tellVersion(CommandLine command) {
    command.getCommandSpec().versionProvider(new Version());
    command.getSubcommands().values().forEach(CommandTree::tellVersion);
  }

  private static CommandLine build(
      Iterable<Class<?>> commands, PrintWriter out, PrintWriter err, Ansi ansi) {
    CommandLine root = new CommandLine(new RootCommand());
    for (Class<?> command : commands) {
      root.addSubcommand(command);
    }
    tellVersion(root);
    return Failures.toldBy(root)
        .setOut(out)
        .setErr(err)
        .setColorScheme(CommandLine.Help.defaultColorScheme(ansi))
        .setUsageHelpAutoWidth(true)
        .setCaseInsensitiveEnumValuesAllowed(true);
  }
}
