package io.minikafka.cli;

import java.util.concurrent.Callable;
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
    ZSH
  }

  @Parameters(paramLabel = "bash|zsh", description = "For which shell.")
  Shell shell = Shell.BASH;

  @Spec CommandSpec spec;

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    root.getOut().print(AutoComplete.bash(root.getCommandName(), root));
    root.getOut().flush();
    return 0;
  }
}
