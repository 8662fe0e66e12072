package io.minikafka.main;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.Writer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * Runs many commands in one Java, so that one recording of Java's (an AOT cache) knows them all;
 * {@code minikafka-train} uses it. What the commands print is thrown away; the first that fails
 * ends it.
 */
@Command(name = "train", hidden = true, description = "Runs the commands in a file, one a line.")
final class TrainCommand implements Callable<Integer> {
  @Parameters(paramLabel = "FILE", description = "Commands, words apart by spaces.")
  Path file = Path.of("");

  @Option(names = "--get", paramLabel = "URL", description = "Also asks for this, as a probe does.")
  List<URI> asked = List.of();

  @Spec CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws IOException {
    for (String line : Files.readAllLines(file)) {
      int code = run(line.split(" "));
      if (code != CommandLine.ExitCode.OK) {
        throw new IOException("exit code " + code + ": " + line);
      }
    }
    for (URI each : asked) {
      try (InputStream answer = each.toURL().openStream()) {
        answer.transferTo(OutputStream.nullOutputStream());
      }
    }
    return CommandLine.ExitCode.OK;
  }

  private int run(String[] words) {
    PrintWriter nowhere = new PrintWriter(Writer.nullWriter());
    PrintWriter err = spec.commandLine().getErr();
    return CommandTree.execute(words, nowhere, err, Ansi.OFF);
  }
}
