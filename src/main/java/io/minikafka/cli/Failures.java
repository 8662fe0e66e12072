package io.minikafka.cli;

import io.minikafka.client.CommitRefusedException;
import io.minikafka.client.ConnectionException;
import io.minikafka.client.MinikafkaException;
import io.minikafka.client.ServerException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Field;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * The one way of all commands to say that something went wrong: a line on standard error, or an
 * object with {@code --output json}, and the exit code. 2: the words on the command line are wrong,
 * and nothing was tried; 1: it was tried, and refused or failed. Stateless.
 */
public final class Failures {
  /** Set (to anything) to see where an error came from. */
  private static final String TRACE = "MINIKAFKA_TRACE";

  private static final Pattern WRONG_VALUE =
      Pattern.compile(
          "Invalid value for (?:option '(?<option>[^']+)'|positional parameter at index \\S+)"
              + "(?: \\((?<label>[^)]*)\\))?: (?<why>.*)");
  private static final Pattern WRONG_CHOICE =
      Pattern.compile("expected one of \\[(.*)\\](?: \\(case-\\w+\\))? but was ('.*')");
  private static final Pattern NO_PAIR =
      Pattern.compile(
          "Value for option (?:option )?'(?<option>[^']+)' \\((?<form>[^)]*)\\) should be in KEY=VALUE"
              + " format but was (?<value>.*)");
  private static final Pattern OF_ENVIRONMENT = Pattern.compile("\\$\\{env:(\\w+).*");
  private static final Pattern CLASS_NAME = Pattern.compile(" \\((?:\\w+\\.)+\\w+(?:: .*)?\\)$");

  private Failures() {}

  /** Has a command line, and all commands that were added to it, say it so. */
  public static CommandLine toldBy(CommandLine root) {
    return root.registerConverter(Integer.class, new WholeNumber.AnyInteger())
        .registerConverter(int.class, new WholeNumber.AnyInteger())
        .registerConverter(Long.class, new WholeNumber.AnyLong())
        .registerConverter(long.class, new WholeNumber.AnyLong())
        .setParameterExceptionHandler(Failures::askedWrongly)
        .setExecutionExceptionHandler(Failures::failed)
        .setExecutionStrategy(Failures::run);
  }

  /** Nothing is done as long as what it printed has not left the process. */
  private static int run(ParseResult parsed) {
    int exitCode = new CommandLine.RunLast().execute(parsed);
    if (exitCode != ExitCode.OK) {
      return exitCode;
    }
    List<CommandLine> said = parsed.asCommandLineList();
    CommandLine command = said.getLast();
    try {
      StandardOutput.check(command.getOut());
    } catch (IOException e) {
      boolean changed =
          command.getCommand() instanceof Change
              && !command.isUsageHelpRequested()
              && !command.isVersionHelpRequested()
              && !command.getParseResult().hasMatchedOption("--dry-run");
      return failed(
          changed ? new IOException(e.getMessage() + "; what was asked for is done", e) : e,
          command,
          parsed);
    }
    return exitCode;
  }

  private static int askedWrongly(ParameterException e, String[] args) {
    String words = inOurWords(String.valueOf(e.getMessage()));
    StringBuilder message =
        new StringBuilder(
            variable(e, args)
                .map(variable -> words.replaceFirst("^--[\\w-]+", "\\$" + variable))
                .orElse(words));
    if (e instanceof UnmatchedArgumentException unmatched) {
      List<String> suggestions = unmatched.getSuggestions();
      if (!suggestions.isEmpty()) {
        message.append("; did you mean ").append(suggestions.getFirst()).append('?');
      }
    }
    boolean json = wantsJson(List.of(args));
    tell(
        e.getCommandLine(),
        json ? message.toString() : message + " (--help tells what it takes)",
        json,
        "WRONG_USAGE",
        "");
    return ExitCode.USAGE;
  }

  /** That of the environment which a wrong value came from, if it did. */
  private static Optional<String> variable(ParameterException e, String[] args) {
    if (!(e.getArgSpec() instanceof OptionSpec option)
        || !(option.userObject() instanceof Field field)
        || Arrays.stream(args).anyMatch(arg -> isSaidBy(option, arg))) {
      return Optional.empty();
    }
    Matcher byDefault =
        OF_ENVIRONMENT.matcher(field.getAnnotation(CommandLine.Option.class).defaultValue());
    return byDefault.matches() ? Optional.of(byDefault.group(1)) : Optional.empty();
  }

  private static boolean isSaidBy(OptionSpec option, String arg) {
    return Arrays.stream(option.names())
        .anyMatch(name -> arg.equals(name) || arg.startsWith(name + "="));
  }

  /** Of what picocli says, without its own notions. */
  static String inOurWords(String message) {
    String line = message.replaceAll("\\s+", " ").strip();
    Matcher wrong = WRONG_VALUE.matcher(line);
    if (wrong.matches()) {
      String name = wrong.group("option") == null ? wrong.group("label") : wrong.group("option");
      String why = CLASS_NAME.matcher(wrong.group("why")).replaceFirst("");
      Matcher choice = WRONG_CHOICE.matcher(why);
      if (choice.matches()) {
        why = choice.group(2) + " is none of " + choice.group(1).toLowerCase(Locale.ROOT);
      }
      return name + ": " + why;
    }
    Matcher noPair = NO_PAIR.matcher(line);
    if (noPair.matches()) {
      return "%s is '%s', must be %s"
          .formatted(noPair.group("option"), noPair.group("value"), noPair.group("form"));
    }
    return line.replaceFirst("^Error: ", "")
        .replaceFirst("^Unmatched arguments? (?:at|from) index \\d+: ", "Unexpected: ");
  }

  private static int failed(Exception e, CommandLine command, ParseResult parsed) {
    return failed(e, command, wantsJson(parsed.originalArgs()));
  }

  /** Says that a command failed whose words picocli did not read. */
  public static int failed(Exception e, CommandLine command) {
    return failed(e, command, false);
  }

  /** The same, as an object if it is to be one. */
  static int failed(Exception e, CommandLine command, boolean json) {
    tell(command, words(e), json, reason(e), code(e));
    if (System.getenv(TRACE) != null) {
      e.printStackTrace(command.getErr());
    }
    return ExitCode.SOFTWARE;
  }

  private static String words(Exception e) {
    String message = e.getMessage();
    return switch (e) {
      case NoSuchFileException missing -> "no such file: " + missing.getFile();
      case AccessDeniedException denied -> "not allowed to access " + denied.getFile();
      case FileSystemException other when other.getReason() == null ->
          "cannot access %s".formatted(other.getFile());
      case ConnectionException lost ->
          lost.getMessage() + " (is the broker running? --broker names another)";
      case ServerException refusal ->
          // The sentence alone, as over gRPC; the name of it is the reason of an object.
          String.valueOf(message).replaceFirst("^" + refusal.error() + ": ", "");
      case IOException told when message != null -> message;
      case MinikafkaException told when message != null -> message;
      case UncheckedIOException carrier when carrier.getCause() instanceof IOException cause ->
          words(cause);
      // What a library of ours says of a wrong argument or call is a sentence.
      case IllegalArgumentException told when message != null -> message;
      case IllegalStateException told when message != null -> message;
      default ->
          "an error of the program%s; %s=1 shows where"
              .formatted(message == null ? "" : " (" + message + ")", TRACE);
    };
  }

  private static String reason(Exception e) {
    return switch (e) {
      case CallFailedException call -> call.reason();
      case ServerException refusal -> refusal.error().name();
      case CommitRefusedException refusal -> refusal.error().name();
      case DamagePass.DamageException damage -> "DAMAGED_RANGE";
      case ConnectionException lost -> CallFailedException.NO_CONNECTION;
      case NoSuchFileException missing -> "NO_SUCH_FILE";
      default -> "FAILED";
    };
  }

  private static String code(Exception e) {
    return e instanceof CallFailedException call ? call.code().name() : "";
  }

  private static void tell(
      CommandLine command, String message, boolean json, String reason, String code) {
    String name = command.getCommandSpec().qualifiedName();
    command
        .getErr()
        .println(
            json
                ? object(name, message, reason, code)
                : command.getColorScheme().errorText(name + ": " + printable(message)));
  }

  /** Whatever a file or a broker said: one line, and nothing a terminal would obey. */
  private static String printable(String message) {
    return message.replaceAll("\\R", " ").replaceAll("\\p{Cntrl}", "?");
  }

  private static String object(String command, String message, String reason, String code) {
    ByteArrayOutputStream line = new ByteArrayOutputStream();
    try {
      Json.line(
          line,
          json -> {
            json.writeStringField("command", command);
            json.writeStringField("error", message);
            json.writeStringField("reason", reason);
            if (!code.isEmpty()) {
              json.writeStringField("code", code);
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return line.toString(StandardCharsets.UTF_8).strip();
  }

  /** Looked for in the words themselves, which may be wrong in other places. */
  private static boolean wantsJson(List<String> args) {
    for (int i = 0; i < args.size(); i++) {
      String arg = args.get(i).toLowerCase(Locale.ROOT);
      boolean next = i + 1 < args.size() && args.get(i + 1).equalsIgnoreCase("json");
      if (arg.equals("--output=json") || (arg.equals("--output") && next)) {
        return true;
      }
    }
    return false;
  }
}
