package io.minikafka.main;

import io.minikafka.cli.Commands;
import io.minikafka.cli.Failures;
import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * The command line as a whole: {@code serve} and everything in {@link Commands}, with one way to
 * say that something went wrong ({@link Failures}).
 */
final class CommandTree {
  private CommandTree() {}

  static CommandLine build(PrintWriter out, PrintWriter err, Ansi ansi) {
    CommandLine root = new CommandLine(new RootCommand());
    root.addSubcommand(new ServeCommand());
    root.addSubcommand(new TrainCommand());
    for (Class<?> command : Commands.ALL) {
      root.addSubcommand(command);
    }
    return Failures.toldBy(root)
        .setOut(out)
        .setErr(err)
        .setColorScheme(CommandLine.Help.defaultColorScheme(ansi))
        .setUsageHelpAutoWidth(true)
        .setCaseInsensitiveEnumValuesAllowed(true);
  }
}
