package io.minikafka.cli;

import java.io.Console;
import java.io.IOException;
import java.util.Optional;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Whether somebody wants what cannot be taken back; a person is asked, a script has to say so. */
final class ConsentOption {
  @Option(names = "--yes", description = "Do not ask.")
  boolean yes;

  /**
   * Asks, unless it was said. What it is about has been shown before.
   *
   * @param act what {@code --yes} does, for example {@code "deletes"}
   * @throws ParameterException if it was not said and nobody can be asked
   * @throws IOException if what it is about could not be shown
   */
  boolean isGiven(CommandSpec spec, String question, String act) throws IOException {
    try {
      StandardOutput.check(spec.commandLine().getOut());
    } catch (IOException e) {
      throw new IOException("nothing was changed: " + e.getMessage(), e);
    }
    if (yes) {
      return true;
    }
    Console console =
        Optional.ofNullable(System.console())
            .filter(Console::isTerminal)
            .orElseThrow(
                () ->
                    new ParameterException(
                        spec.commandLine(),
                        "nothing was changed: nobody is there to be asked; --yes %s without asking"
                            .formatted(act)));
    String answer = console.readLine("%s [y/N] ", question);
    boolean given = "y".equalsIgnoreCase(answer) || "yes".equalsIgnoreCase(answer);
    if (!given) {
      spec.commandLine().getErr().println("nothing was changed");
    }
    return given;
  }
}
