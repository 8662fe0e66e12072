package io.minikafka.main;

import io.minikafka.cli.Commands;
import io.minikafka.cli.Failures;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * The command line: {@code serve} and everything in {@link Commands}, with one way to say that
 * something went wrong ({@link Failures}).
 */
final class CommandTree {
  private static final Map<String, Class<?>> ALL = all();

  /** Those that look at the others. */
  private static final Set<String> OF_ALL = Set.of("completion");

  private CommandTree() {}

  private static Map<String, Class<?>> all() {
    Map<String, Class<?>> all = new LinkedHashMap<>();
    all.put("serve", ServeCommand.class);
    all.put("train", TrainCommand.class);
    all.putAll(Commands.ALL);
    return all;
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
