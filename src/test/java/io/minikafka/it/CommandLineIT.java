package io.minikafka.it;

import static io.minikafka.it.CommandLineRig.await;
import static io.minikafka.it.CommandLineRig.errors;
import static io.minikafka.it.CommandLineRig.text;
import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.FreePorts;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line as people and scripts use it, against a real broker. */
class CommandLineIT {
  @TempDir Path dir;
  private CommandLineRig rig;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    rig = new CommandLineRig(dir);
  }

  @AfterEach
  void stop() {
    rig.close();
  }

  @Test
  void aTopicLivesFromCreateToDelete() throws Exception {
    assertTrue(
        rig.ok("topic", "create", "t", "--partitions", "2")
            .startsWith("created t with 2 partitions, "));
    assertEquals(
        "t", rig.ok("topic", "list").lines().skip(1).findFirst().orElse("").split(" ", 2)[0]);
    assertTrue(
        rig.ok("topic", "alter", "t", "--config", "retention.ms=1000")
            .contains("retention.ms = 1000"));
    assertEquals("t has 3 partitions\n", rig.ok("topic", "alter", "t", "--partitions", "3"));
    assertTrue(rig.ok("topic", "describe", "t").contains("retention.ms"));
    assertEquals("deleted t\n", rig.ok("topic", "delete", "t", "--yes"));
    assertEquals("", rig.ok("topic", "list"));
  }

  @Test
  void anyFileComesOutAsItWentIn() throws Exception {
    byte[] bytes = new byte[1_000_000];
    new Random(11).nextBytes(bytes);
    Path file = Files.write(dir.resolve("any.bin"), bytes);
    rig.ok("topic", "create", "blob");
    rig.ok("produce", "blob", "--raw", "--file", file.toString());
    Path out = dir.resolve("out.bin");
    assertEquals(0, rig.background(out, "consume", "blob", "--raw").waitFor());
    assertArrayEquals(bytes, Files.readAllBytes(out));
  }

  @Test
  void keysHeadersAndFormatsRoundTrip() throws Exception {
    rig.ok("topic", "create", "users");
    Path lines = Files.writeString(dir.resolve("lines"), "ada:1\nbob:\nada:-\n");
    rig.ok(
        "produce",
        "users",
        "--file",
        lines.toString(),
        "--key-separator",
        ":",
        "--null-value",
        "-",
        "--header",
        "h=x");
    assertEquals(
        "0 ada 1 h=x\n1 bob  h=x\n2 ada null h=x\n",
        rig.ok("consume", "users", "--format", "%o %k %v %h\\n"));
    assertTrue(
        rig.ok("consume", "users", "--max", "1", "--output", "json")
            .contains("\"key\":\"ada\",\"value\":\"1\",\"headers\":[{\"key\":\"h\""));
    assertEquals("2\n", rig.ok("consume", "users", "--from", "2", "--format", "%o\\n"));
    assertEquals("1\n2\n", rig.ok("consume", "users", "--from", "-2", "--format", "%o\\n"));
    assertEquals(3, rig.ok("consume", "users", "--from", "-9").lines().count());
    assertEquals(3, rig.ok("log", "tail", "users", "0", "--from", "beginning").lines().count());
    assertEquals(3, rig.ok("log", "tail", "users", "0", "--from", "1h30m").lines().count());
    assertTrue(
        rig.ok("log", "tail", "users", "0", "--from", "-1", "--output", "json")
            .startsWith("{\"topic\":\"users\",\"partition\":0,\"offset\":2,\"timestamp\":\"2"));
    assertEquals("", rig.ok("consume", "users", "--from", "end"));
  }

  @Test
  void whatTheBrokerRefusesIsOneLineAndExitCode1() throws Exception {
    assertRefused(": there is no topic 'nothing'\n", "consume", "nothing");
    assertRefused(": there is no topic 'nothing'\n", "produce", "nothing");
    assertRefused("nothing", "topic", "describe", "nothing");
    assertRefused("segment.bytes", "topic", "create", "t", "--config", "segment.bytes=1");
    rig.ok("topic", "create", "t");
    assertRefused("already", "topic", "create", "t");
  }

  @Test
  void outputThatCannotBeWrittenIsAFailure() throws Exception {
    rig.ok("topic", "create", "t");
    Path line = Files.writeString(dir.resolve("line"), "a\n");
    rig.ok("produce", "t", "--file", line.toString());
    String why = "standard output cannot be written: No space left on device";

    for (String words :
        List.of(
            "topic list",
            "topic list --output json",
            "topic describe t --output json",
            "offsets t",
            "offsets t --output json",
            "log segments t 0",
            "log verify --output json t",
            "broker info --output json",
            "completion bash",
            "topic --help")) {
      Launcher.Result full = rig.shell("MINIKAFKA %s >/dev/full".formatted(words));

      assertEquals(1, full.exitCode(), words);
      assertTrue(full.err().contains(why), () -> words + ": " + full.err());
    }
    Launcher.Result created = rig.shell("MINIKAFKA topic create u >/dev/full");
    assertEquals(1, created.exitCode());
    assertEquals(
        "minikafka topic create: " + why + "; what was asked for is done\n", created.err());
    assertTrue(rig.ok("topic", "list").contains("u "));
  }

  @Test
  void aReaderThatHadEnoughIsNoFailure() throws Exception {
    rig.ok("topic", "create", "t", "--partitions", "500");

    Launcher.Result head = rig.shell("MINIKAFKA offsets t --output json | head -1");

    assertEquals(0, head.exitCode(), head::err);
    assertEquals("", head.err());
    assertEquals(1, head.out().lines().count());
  }

  @Test
  void oneOfAKindIsNotSpokenOfAsSeveral() throws Exception {
    assertTrue(rig.ok("topic", "create", "t").startsWith("created t with 1 partition, "));
    Path line = Files.writeString(dir.resolve("line"), "a\n");

    Launcher.Result result = rig.run("produce", "t", "--file", line.toString());

    assertTrue(result.err().startsWith("produced 1 record, "), result::err);
  }

  @Test
  void producedRecordsAreSummedUpInOneObjectForPrograms() throws Exception {
    rig.ok("topic", "create", "t", "--partitions", "2");
    Path lines = Files.writeString(dir.resolve("lines"), "one\nthree\n");
    String[] words = {"produce", "t", "--partition", "1", "--file", lines.toString()};
    rig.ok(words);

    Launcher.Result result =
        rig.run(
            Stream.concat(Stream.of(words), Stream.of("--output", "json")).toArray(String[]::new));

    assertEquals(0, result.exitCode(), result::err);
    assertEquals("", result.err());
    assertEquals(
        "{\"topic\":\"t\",\"recordCount\":2,\"failedRecordCount\":0,\"valueBytes\":8,"
            + "\"durability\":\"flushed\",\"partitions\":[{\"partition\":1,\"recordCount\":2,"
            + "\"firstOffset\":2,\"lastOffset\":3}]}\n",
        result.out());
  }

  @Test
  void producerThatIsInterruptedSumsUpWhatWasAcknowledged() throws Exception {
    rig.ok("topic", "create", "t");
    for (String signal : List.of("INT", "TERM")) {
      Path out = dir.resolve("produced-" + signal);
      Process produce = rig.background(out, "produce", "t");
      String lines = signal + "\nand more\n";
      give(produce, lines);
      await(out, () -> consumed().endsWith(lines));

      assertEquals(signal.equals("INT") ? 130 : 143, signalled(produce, signal));

      assertTrue(
          text(errors(out)).matches("produced 2 records, .*; acknowledged as flushed\n"),
          () -> text(errors(out)));
    }
    Path out = dir.resolve("object");
    Process produce = rig.background(out, "produce", "t", "--output", "json");
    give(produce, "d\n");
    await(out, () -> consumed().endsWith("d\n"));

    assertEquals(143, signalled(produce, "TERM"));

    assertEquals("", text(errors(out)));
    assertEquals(
        "{\"topic\":\"t\",\"recordCount\":1,\"failedRecordCount\":0,\"valueBytes\":1,"
            + "\"durability\":\"flushed\",\"partitions\":[{\"partition\":0,\"recordCount\":1,"
            + "\"firstOffset\":4,\"lastOffset\":4}]}\n",
        text(out));
  }

  @Test
  void interruptedProducerSaysWhatWasNotAcknowledged() throws Exception {
    rig.ok("topic", "create", "t");
    Path out = dir.resolve("produced");
    Process produce = rig.background(out, "produce", "t", "--timeout", "600");
    give(produce, "a\n");
    await(out, () -> consumed().equals("a\n"));
    rig.broker().suspend();
    // More than a pipe holds: the command has taken some of it.
    give(produce, "b\n".repeat(200_000));

    assertEquals(143, signalled(produce, "TERM"));

    assertTrue(
        text(errors(out))
            .matches(
                "produced 1 record, .*; acknowledged as flushed; [0-9,]+ records not acknowledged\n"
                    + "minikafka produce: t-0: .*\n"),
        () -> text(errors(out)));
  }

  private static void give(Process process, String lines) throws IOException {
    process.getOutputStream().write(lines.getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  private static int signalled(Process process, String name) throws Exception {
    new ProcessBuilder("kill", "-" + name, "" + process.pid()).start().waitFor();
    assertTrue(process.waitFor(30, SECONDS), "it ends");
    return process.exitValue();
  }

  private String consumed() {
    try {
      return rig.ok("consume", "t");
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void addressThatIsNoneIsToldWithTheVariableItCameFrom() throws Exception {
    String program = Launcher.path().toString();
    for (String[] each :
        new String[][] {
          {"MINIKAFKA_BROKER", "minikafka offsets", "offsets", "t"},
          {"MINIKAFKA_ADMIN", "minikafka topic list", "topic", "list"}
        }) {
      List<String> command = List.of(program, each[2], each[3]);

      Launcher.Result result = Launcher.runCommand(Map.of(each[0], "foo"), command);

      assertEquals(2, result.exitCode());
      assertEquals(
          "%s: $%s: 'foo' is not host:port (--help tells what it takes)\n"
              .formatted(each[1], each[0]),
          result.err());
    }
    List<String> said = List.of(program, "offsets", "t", "--broker=bar");
    assertTrue(
        Launcher.runCommand(Map.of("MINIKAFKA_BROKER", "foo"), said)
            .err()
            .contains(": --broker: 'bar' is not host:port"));
  }

  @Test
  void offsetsThatAreNamedAsThereAreThere() throws Exception {
    rig.ok("topic", "create", "t");
    assertEquals("t-0 has no records, its next offset is 0\n", rig.ok("log", "flush", "t", "0"));
    assertRefused(
        ": --from is 999, t-0 has no records (the next offset is 0); beginning, end, -N and a time"
            + " fit every partition\n",
        "consume",
        "t",
        "--from",
        "999");
    rig.produce("t", 0, 3);
    assertEquals("t-0 is durable up to offset 2\n", rig.ok("log", "flush", "t", "0"));
    assertRefused(
        ": --from is 999, t-0 has offsets 0 to 2 (the next is 3); ",
        "consume",
        "t",
        "--from",
        "999");
    assertRefused(
        ": offset 99 is outside of t-0, which has offsets 0 to 2 (the next is 3)\n",
        "log",
        "tail",
        "t",
        "0",
        "--from",
        "99");
    assertEquals("", rig.ok("consume", "t", "--from", "3"), "the next may be waited for");
  }

  @Test
  void recordThatIsTooLargeIsToldWithItsLineAndTheBound() throws Exception {
    rig.ok("topic", "create", "t");
    byte[] value = new byte[16_777_205];
    Arrays.fill(value, (byte) 'x');
    Path largest = Files.write(dir.resolve("largest"), Arrays.copyOf(value, value.length - 1));
    Path larger = Files.write(dir.resolve("larger"), value);

    rig.ok("produce", "t", "--file", largest.toString());
    Launcher.Result line = rig.run("produce", "t", "--file", larger.toString());
    Launcher.Result headers =
        rig.run("produce", "t", "--file", largest.toString(), "--header", "a=b");

    assertEquals(1, line.exitCode());
    assertTrue(
        line.err()
            .endsWith(
                "minikafka produce: line 1 is longer than 16777204 bytes, the most that fits in a"
                    + " record of 16777216 (16 MiB)\n"),
        line::err);
    assertEquals(1, headers.exitCode());
    assertTrue(
        headers
            .err()
            .endsWith(
                "minikafka produce: line 1 makes a record of 16777238 bytes, with its key, its"
                    + " headers and what the format adds; the most is 16777216 (16 MiB)\n"),
        headers::err);
  }

  @Test
  void aControlPlaneThatIsNotThereIsToldWithoutTheNameOfASystemCall() throws Exception {
    String nobody = "127.0.0.1:" + FreePorts.next();

    Launcher.Result result = rig.run("topic", "list", "--admin", nobody);

    assertEquals(1, result.exitCode());
    assertTrue(
        result
            .err()
            .startsWith(
                "minikafka topic list: cannot connect to %s: Connection refused ("
                    .formatted(nobody)),
        result::err);
  }

  @Test
  void connectionThatBreaksUnderATailIsSaidToBeLost() throws Exception {
    rig.ok("topic", "create", "t");
    rig.produce("t", 0, 3);
    Path out = dir.resolve("tailed");
    Process tail = rig.background(out, "log", "tail", "t", "0", "--follow");
    await(out, () -> text(out).lines().count() == 3);

    rig.broker().kill();

    assertEquals(1, tail.waitFor());
    assertEquals(
        "minikafka log tail: the connection to 127.0.0.1:%d was lost\n"
            .formatted(rig.broker().httpPort()),
        text(errors(out)));
  }

  @Test
  void whatIsAskedWronglyIsExitCode2() throws Exception {
    rig.ok("topic", "create", "t");
    assertEquals(2, rig.run("consume", "t", "--from", "yesterday").exitCode());
    assertEquals(2, rig.run("consume", "t", "--format", "%q").exitCode());
    assertEquals(2, rig.run("produce", "t", "--durability", "much").exitCode());
    assertEquals(2, rig.run("consume", "t", "--max", "0").exitCode());
    assertEquals(2, rig.run("topic", "alter", "t").exitCode());
    Launcher.Result nobody = rig.run("topic", "delete", "t");
    assertEquals(2, nobody.exitCode());
    assertTrue(nobody.out().startsWith("would delete t with 1 partition, id "), nobody::out);
    assertEquals(2, rig.ok("topic", "list").lines().count(), "it is still there");
    assertEquals(1, rig.run("consume", "t", "--from", "1").exitCode());
    assertEquals(1, rig.run("consume", "t", "--partition", "1").exitCode());
    assertEquals(1, rig.run("produce", "t", "--partition", "1").exitCode());
    assertEquals(1, rig.run("offsets", "t", "1").exitCode());
  }

  private void assertRefused(String word, String... args) throws Exception {
    Launcher.Result result = rig.run(args);
    assertEquals(1, result.exitCode(), result::err);
    assertEquals(1, result.err().lines().filter(line -> line.startsWith("minikafka ")).count());
    assertTrue(result.err().contains(word), result::err);
  }
}
