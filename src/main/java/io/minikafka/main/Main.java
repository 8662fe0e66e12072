package io.minikafka.main;

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
    PrintWriter out = new PrintWriter(System.out, true, System.out.charset());
    PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
    System.exit(CommandTree.of(args, out, err, Terminal.ansi()).execute(args));
  }
}
