package io.minikafka.main;

import io.minikafka.cli.Commands;
import io.minikafka.client.ConnectionException;
import io.minikafka.client.MinikafkaException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The command line as a whole: {@code serve} and everything in {@link Commands}, with one way to
 * say that something went wrong.
 */
final class CommandTree {
  /** Set (to anything) to see where an error came from. */
  private static final String TRACE = "MINIKAFKA_TRACE";

  private CommandTree() {}

  static CommandLine build(PrintWriter out, PrintWriter err, Ansi ansi) {
    CommandLine root = new CommandLine(new RootCommand());
    root.addSubcommand(new ServeCommand());
    root.addSubcommand(new TrainCommand());
    for (Class<?> command : Commands.ALL) {
      root.addSubcommand(command);
    }
    return root.setOut(out)
        .setErr(err)
        .setColorScheme(CommandLine.Help.defaultColorScheme(ansi))
        .setUsageHelpAutoWidth(true)
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(CommandTree::askedWrongly)
        .setExecutionExceptionHandler(CommandTree::failed);
  }

  private static int askedWrongly(ParameterException e, String[] args) {
    CommandLine command = e.getCommandLine();
    StringBuilder line = new StringBuilder(command.getCommandSpec().qualifiedName());
    line.append(": ").append(String.valueOf(e.getMessage()).replaceAll("\\s+", " ").strip());
    if (e instanceof UnmatchedArgumentException unmatched) {
      List<String> suggestions = unmatched.getSuggestions();
      if (!suggestions.isEmpty()) {
        line.append("; did you mean ").append(suggestions.getFirst()).append('?');
      }
    }
    line.append(" (--help tells what it takes)");
    command.getErr().println(command.getColorScheme().errorText(line.toString()));
    return CommandLine.ExitCode.USAGE;
  }

  private static int failed(Exception e, CommandLine command, ParseResult parsed) {
    String message = e.getMessage();
    boolean told = message != null && (e instanceof IOException || e instanceof MinikafkaException);
    String line = command.getCommandSpec().qualifiedName() + ": " + (told ? message : e.toString());
    if (e instanceof ConnectionException) {
      line += " (is the broker running? --broker names another)";
    }
    command.getErr().println(command.getColorScheme().errorText(line));
    if (System.getenv(TRACE) != null) {
      e.printStackTrace(command.getErr());
    }
    return CommandLine.ExitCode.SOFTWARE;
  }
}
