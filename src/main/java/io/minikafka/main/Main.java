package io.minikafka.main;

import io.minikafka.cli.StandardOutput;
import io.quarkus.runtime.annotations.QuarkusMain;
import java.io.PrintWriter;

/**
 * Runs one command and exits with its code: 0 done, 1 failed, 2 asked wrongly; {@code serve} exits
 * with 143 when it is stopped by SIGTERM.
 *
 * <p>Commands other than {@code serve} never boot Quarkus, so they start as fast as Java does.
 */
@QuarkusMain
public final class Main {
  Main() {}

  public static void main(String[] args) {
    PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
    System.exit(
        ServeWords.plainly(args)
            .map(words -> serve(words, err))
            .orElseGet(() -> command(args, err)));
  }

  private static int command(String[] args, PrintWriter err) {
    StandardOutput.take();
    PrintWriter out = new PrintWriter(System.out, true, System.out.charset());
    return CommandTree.execute(args, out, err, Terminal.ansi());
  }

  private static int serve(ServeWords words, PrintWriter err) {
    try {
      return words.run(problem -> CommandTree.sayOfServe(problem, err, Terminal.ansi()));
    } catch (RuntimeException e) {
      return CommandTree.failedToServe(e, err, Terminal.ansi());
    }
  }
}
