package io.minikafka.cli;

import java.io.Console;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Whether somebody wants what cannot be taken back; a person is asked, a script has to say so. */
final class ConsentOption {
  @Option(names = "--yes", description = "Do not ask.")
  boolean yes;

  /**
   * To be called before anything else is done.
   *
   * @param act what {@code --yes} does, for example {@code "deletes"}
   * @throws ParameterException if it was not said and nobody can be asked
   */
  void require(CommandSpec spec, String act) {
    if (!yes && terminal().isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "nobody is there to be asked; --yes %s without asking".formatted(act));
    }
  }

  /** Asks, unless it was said; {@link #require} was called before. */
  boolean isGiven(String question) {
    return yes
        || terminal()
            .map(console -> console.readLine("%s [y/N] ", question))
            .filter(answer -> answer.equalsIgnoreCase("y") || answer.equalsIgnoreCase("yes"))
            .isPresent();
  }

  private static Optional<Console> terminal() {
    return Optional.ofNullable(System.console()).filter(Console::isTerminal);
  }
}
