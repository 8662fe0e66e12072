package io.minikafka.main;

import java.io.Console;
import picocli.CommandLine.Help.Ansi;

/** Whether a person is watching. */
final class Terminal {
  private Terminal() {}

  /**
   * Colours on a terminal only, and not when NO_COLOR asks for none. picocli's own guess takes any
   * console for a terminal, and since Java 22 there is a console behind a pipe too.
   */
  @SuppressWarnings("SystemConsoleNull") // It is null where the JDK's console module is left out.
  static Ansi ansi() {
    Console console = System.console();
    String noColor = System.getenv("NO_COLOR");
    boolean wanted = noColor == null || noColor.isEmpty();
    return console != null && console.isTerminal() && wanted ? Ansi.ON : Ansi.OFF;
  }
}
