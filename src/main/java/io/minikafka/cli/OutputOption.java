package io.minikafka.cli;

import picocli.CommandLine.Option;

/** Whether a command prints for people or for programs. */
final class OutputOption {
  enum Kind {
    TEXT,
    JSON
  }

  @Option(
      names = "--output",
      paramLabel = "text|json",
      defaultValue = "text",
      description = "For people, or for programs (text).")
  Kind kind = Kind.TEXT;

  boolean isJson() {
    return kind == Kind.JSON;
  }
}
