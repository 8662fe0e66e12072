package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.FreePorts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command line as people and scripts use it, against a real broker. */
class CommandLineIT {
  @TempDir Path dir;
  private BrokerProcess broker;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    broker = BrokerProcess.start(dir.resolve("data"));
  }

  @AfterEach
  void stop() {
    broker.close();
  }

  @Test
  void aTopicLivesFromCreateToDelete() throws Exception {
    assertTrue(
        ok("topic", "create", "t", "--partitions", "2")
            .startsWith("created t with 2 partitions, "));
    assertEquals("t", ok("topic", "list").lines().skip(1).findFirst().orElse("").split(" ", 2)[0]);
    assertTrue(
        ok("topic", "alter", "t", "--config", "retention.ms=1000").contains("retention.ms = 1000"));
    assertEquals("t has 3 partitions\n", ok("topic", "alter", "t", "--partitions", "3"));
    assertTrue(ok("topic", "describe", "t").contains("retention.ms"));
    assertEquals("deleted t\n", ok("topic", "delete", "t", "--yes"));
    assertEquals("", ok("topic", "list"));
  }

  @Test
  void anyFileComesOutAsItWentIn() throws Exception {
    byte[] bytes = new byte[1_000_000];
    new Random(11).nextBytes(bytes);
    Path file = Files.write(dir.resolve("any.bin"), bytes);
    ok("topic", "create", "blob");
    ok("produce", "blob", "--raw", "--file", file.toString());
    Path out = dir.resolve("out.bin");
    List<String> command = command("consume", "blob", "--raw");
    Process process = process(command).redirectOutput(out.toFile()).start();
    assertEquals(0, process.waitFor());
    assertArrayEquals(bytes, Files.readAllBytes(out));
  }

  @Test
  void keysHeadersAndFormatsRoundTrip() throws Exception {
    ok("topic", "create", "users");
    Path lines = Files.writeString(dir.resolve("lines"), "ada:1\nbob:\nada:-\n");
    ok(
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
        ok("consume", "users", "--format", "%o %k %v %h\\n"));
    assertTrue(
        ok("consume", "users", "--max", "1", "--output", "json")
            .contains("\"key\":\"ada\",\"value\":\"1\",\"headers\":[{\"key\":\"h\""));
    assertEquals("2\n", ok("consume", "users", "--from", "2", "--format", "%o\\n"));
    assertEquals("1\n2\n", ok("consume", "users", "--from", "-2", "--format", "%o\\n"));
    assertEquals(3, ok("consume", "users", "--from", "-9").lines().count());
    assertEquals(3, ok("log", "tail", "users", "0", "--from", "beginning").lines().count());
    assertEquals(3, ok("log", "tail", "users", "0", "--from", "1h30m").lines().count());
    assertTrue(
        ok("log", "tail", "users", "0", "--from", "-1", "--output", "json")
            .startsWith("{\"topic\":\"users\",\"partition\":0,\"offset\":2,\"timestamp\":\"2"));
    assertEquals("", ok("consume", "users", "--from", "end"));
  }

  @Test
  void whatTheBrokerRefusesIsOneLineAndExitCode1() throws Exception {
    assertRefused("UNKNOWN_TOPIC", "consume", "nothing");
    assertRefused("UNKNOWN_TOPIC", "produce", "nothing");
    assertRefused("nothing", "topic", "describe", "nothing");
    assertRefused("segment.bytes", "topic", "create", "t", "--config", "segment.bytes=1");
    assertRefused("partition", "topic", "create", "t", "--partitions", "10001");
  }

  @Test
  void oneOfAKindIsNotSpokenOfAsSeveral() throws Exception {
    assertTrue(ok("topic", "create", "t").startsWith("created t with 1 partition, "));
    Path line = Files.writeString(dir.resolve("line"), "a\n");

    Launcher.Result result = run("produce", "t", "--file", line.toString());

    assertTrue(result.err().startsWith("produced 1 record, "), result::err);
  }

  @Test
  void aControlPlaneThatIsNotThereIsToldWithoutTheNameOfASystemCall() throws Exception {
    String nobody = "127.0.0.1:" + FreePorts.next();

    Launcher.Result result = run("topic", "list", "--admin", nobody);

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
  void whatIsAskedWronglyIsExitCode2() throws Exception {
    ok("topic", "create", "t");
    assertEquals(2, run("consume", "t", "--from", "yesterday").exitCode());
    assertEquals(2, run("consume", "t", "--format", "%q").exitCode());
    assertEquals(2, run("produce", "t", "--durability", "much").exitCode());
    assertEquals(2, run("consume", "t", "--max", "0").exitCode());
    assertEquals(2, run("topic", "alter", "t").exitCode());
    Launcher.Result nobody = run("topic", "delete", "t");
    assertEquals(2, nobody.exitCode());
    assertTrue(nobody.out().startsWith("would delete t with 1 partition, id "), nobody::out);
    assertEquals(2, ok("topic", "list").lines().count(), "it is still there");
    assertEquals(1, run("consume", "t", "--from", "1").exitCode());
    assertEquals(1, run("consume", "t", "--partition", "1").exitCode());
    assertEquals(1, run("produce", "t", "--partition", "1").exitCode());
    assertEquals(1, run("offsets", "t", "1").exitCode());
  }

  private void assertRefused(String word, String... args) throws Exception {
    Launcher.Result result = run(args);
    assertEquals(1, result.exitCode(), result::err);
    assertEquals(1, result.err().lines().filter(line -> line.startsWith("minikafka ")).count());
    assertTrue(result.err().contains(word), result::err);
  }

  private String ok(String... args) throws Exception {
    Launcher.Result result = run(args);
    assertEquals(0, result.exitCode(), result::err);
    return result.out();
  }

  private Launcher.Result run(String... args) throws IOException, InterruptedException {
    return Launcher.runCommand(environment(), command(args));
  }

  private List<String> command(String... args) {
    List<String> command = new ArrayList<>(List.of(Launcher.path().toString()));
    command.addAll(List.of(args));
    return command;
  }

  private ProcessBuilder process(List<String> command) {
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().putAll(environment());
    return builder;
  }

  private Map<String, String> environment() {
    return Map.of(
        "MINIKAFKA_BROKER", "127.0.0.1:" + broker.port(),
        "MINIKAFKA_ADMIN", "127.0.0.1:" + broker.httpPort());
  }
}
