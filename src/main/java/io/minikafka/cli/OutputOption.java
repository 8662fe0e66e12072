package io.minikafka.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** Whether a command prints for people or for programs. */
final class OutputOption {
  enum Kind {
    TEXT,
    JSON;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Option(
      names = "--output",
      paramLabel = "text|json",
      defaultValue = "text",
      description = "For people; or for programs, one JSON object a line (text).")
  Kind kind = Kind.TEXT;

  boolean isJson() {
    return kind == Kind.JSON;
  }

  /**
   * Where to show a person what is about to be done: beside what is printed for programs, if
   * somebody is asked; empty if nobody wants to see it.
   */
  Optional<PrintWriter> forPeople(CommandSpec spec, boolean asks) {
    if (!isJson()) {
      return Optional.of(spec.commandLine().getOut());
    }
    return asks ? Optional.of(spec.commandLine().getErr()) : Optional.empty();
  }

  /** Prints one result, as the one or the other. */
  void print(CommandSpec spec, Json.Body json, String text) throws IOException {
    if (isJson()) {
      Json.line(System.out, json);
    } else {
      spec.commandLine().getOut().println(text);
    }
  }
}
