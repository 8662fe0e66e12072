package io.minikafka.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What becomes of a command whose output cannot be written. */
class StandardOutputTest {
  private final PrintStream before = System.out;
  private final StringWriter err = new StringWriter();

  @Command(name = "look", mixinStandardHelpOptions = true)
  static class Look implements Change {
    @Option(names = "--dry-run")
    boolean dryRun;

    @Override
    public Integer call() {
      System.out.print("not flushed");
      return 0;
    }
  }

  @AfterEach
  void giveBack() {
    System.setOut(before);
  }

  @Test
  void itFailsWithTheReason() {
    assertEquals(1, run("No space left on device", "--dry-run"));
    assertEquals(
        "look: standard output cannot be written: No space left on device\n", err.toString());
  }

  @Test
  void aChangeThatWasMadeIsSaidToBe() {
    assertEquals(1, run("No space left on device"));
    assertEquals(
        "look: standard output cannot be written: No space left on device;"
            + " what was asked for is done\n",
        err.toString());
  }

  @Test
  void itIsDoneIfTheReaderHadEnough() {
    assertEquals(0, run("Broken pipe"));
    assertEquals("", err.toString());
  }

  @Test
  void helpThatIsLostIsNoChange() {
    assertEquals(1, run("No space left on device", "--help"));
    assertEquals(
        "look: standard output cannot be written: No space left on device\n", err.toString());
  }

  private int run(String failure, String... words) {
    StandardOutput.take(
        new OutputStream() {
          @Override
          public void write(int b) throws IOException {
            throw new IOException(failure);
          }
        },
        StandardCharsets.UTF_8);
    return Failures.toldBy(new CommandLine(new Look()))
        .setOut(new PrintWriter(System.out, true))
        .setErr(new PrintWriter(err, true))
        .execute(words);
  }
}
