package io.minikafka.cli;

import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints what a shell reads to complete commands and options. */
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Prints a script that lets a shell complete minikafka's commands and options.",
    footer = {
      "",
      "Examples:",
      "  source <(minikafka completion bash)",
      "  minikafka completion zsh > ~/.minikafka-completion; source ~/.minikafka-completion"
    })
final class CompletionCommand implements Callable<Integer> {
  /** One script for both: it makes zsh understand bash's way. */
  enum Shell {
    BASH,
    ZSH;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  @Parameters(paramLabel = "bash|zsh", description = "For which shell.")
  Shell shell = Shell.BASH;

  @Spec CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    root.getOut().print(withoutInstructions(AutoComplete.bash(root.getCommandName(), root)));
    root.getOut().flush();
    return 0;
  }

  /** The generator tells at length how it is to be used; {@code --help} does. */
  private static String withoutInstructions(String script) {
    int end = script.lines().takeWhile(line -> line.startsWith("#")).mapToInt(line -> 1).sum();
    return "#!/usr/bin/env bash\n"
        + "# Completes minikafka in bash and zsh; made by picocli %s.\n"
            .formatted(CommandLine.VERSION)
        + script.lines().skip(end).collect(Collectors.joining("\n", "", "\n"));
  }
}
