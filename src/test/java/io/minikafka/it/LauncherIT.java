package io.minikafka.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.minikafka.it.Launcher.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LauncherIT {
  @TempDir Path dir;

  @Test
  void startsThroughSymbolicLinksFromAnotherDirectory() throws Exception {
    Path link = Files.createSymbolicLink(dir.resolve("mk"), Launcher.path());
    Path second = Files.createSymbolicLink(dir.resolve("mk2"), Path.of("mk"));
    Result result = Launcher.runCommand(Map.of(), List.of(second.toString(), "--version"));
    assertEquals(0, result.exitCode(), result::err);
    assertTrue(result.out().startsWith("minikafka "), result::out);
    Files.delete(second);
    Files.delete(link);
  }

  @Test
  void findsAJavaWhenJavaHomeIsUnset() throws Exception {
    Result result =
        Launcher.runCommand(
            Map.of("JAVA_HOME", ""), List.of(Launcher.path().toString(), "--version"));
    assertEquals(0, result.exitCode(), result::err);
  }

  @Test
  void javaOptsReachTheJava() throws Exception {
    Result result =
        Launcher.runCommand(
            Map.of("JAVA_OPTS", "-XX:+UseZGC -Xlog:gc+init"),
            List.of(Launcher.path().toString(), "--version"));
    assertEquals(0, result.exitCode(), result::err);
    assertTrue(result.out().contains("The Z Garbage Collector"), result::out);
  }

  /** The launcher's own would contradict them, and Java would not begin. */
  @Test
  void aCollectorAndAHeapOfJavaOptsTakeThePlaceOfTheBrokers() throws Exception {
    for (var expected :
        Map.of(
                "-Xlog:gc", "Using Serial",
                "-XX:+UseG1GC -Xlog:gc", "Using G1",
                "-Xmx64m -Xlog:gc+init", "Heap Max Capacity: 64M",
                "-Xmx40m -Xlog:gc+init", "Heap Max Capacity: 40M",
                "-Xmx131072k -Xlog:gc+init", "Heap Initial Capacity: 64M",
                "-Xmx1g -Xlog:gc+init", "Heap Initial Capacity: 64M",
                "-Xmx1g -Xms80m -Xlog:gc+init", "Heap Initial Capacity: 80M",
                "-Xms32m -Xlog:gc+init", "Heap Initial Capacity: 32M")
            .entrySet()) {
      Result result =
          Launcher.runCommand(
              Map.of("JAVA_OPTS", expected.getKey()),
              List.of(Launcher.path().toString(), "serve", "--help"));
      assertEquals(0, result.exitCode(), result::err);
      assertTrue(result.out().contains(expected.getValue()), result::out);
    }
  }

  /** Java reads these as well; a heap that begins with more than it may have does not begin. */
  @Test
  void aHeapOfJavasOwnVariablesTakesThePlaceOfTheBrokers() throws Exception {
    for (String variable : List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS")) {
      Result result =
          Launcher.runCommand(
              Map.of(variable, "-Xmx40m -Xlog:gc+init"),
              List.of(Launcher.path().toString(), "serve", "--help"));
      assertEquals(0, result.exitCode(), result::err);
      assertTrue(result.out().contains("Heap Max Capacity: 40M"), result::out);
    }
  }

  @Test
  void aSizeWithLeadingZerosIsReadAsJavaDoes() throws Exception {
    Result result =
        Launcher.runCommand(
            Map.of("JAVA_OPTS", "-Xmx0128m -Xlog:gc+init"),
            List.of(Launcher.path().toString(), "serve", "--help"));
    assertEquals("", result.err());
    assertTrue(result.out().contains("Heap Initial Capacity: 64M"), result::out);
  }

  @Test
  void saysWhatIsMissingWhenItStandsAlone() throws Exception {
    Path alone = Files.copy(Launcher.path(), dir.resolve("minikafka"));
    Result result = Launcher.runCommand(Map.of(), List.of("sh", alone.toString(), "--version"));
    assertEquals(1, result.exitCode());
    assertEquals(
        "minikafka: "
            + dir.toRealPath()
            + "/quarkus-app/quarkus-run.jar is missing; ./mvnw package builds it\n",
        result.err());
  }

  @Test
  void coloursOnATerminalOnly() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/script")), "no script(1) to make a terminal");
    String help = "'" + Launcher.path() + "' --help";
    Result terminal =
        Launcher.runCommand(
            Map.of("NO_COLOR", "", "TERM", "xterm"), List.of("script", "-qec", help, "/dev/null"));
    assertTrue(terminal.out().contains("\u001b["), terminal::out);
    assertFalse(Launcher.run("--help").out().contains("\u001b["));
  }

  @Test
  void serveRefusesAWrongValueInOneLine() throws Exception {
    Result result = Launcher.run("serve", "--segment-bytes", "1");
    assertEquals(2, result.exitCode());
    assertEquals(
        "minikafka serve: --segment-bytes is 1, must be 1024 to 1073741824 bytes\n",
        result.out() + result.err());
  }

  @Test
  void serveRefusesAWrongQuarkusPropertyInOneLine() throws Exception {
    Result result = Launcher.run("serve", "-Dquarkus.http.idle-timeout=soon");
    assertEquals(2, result.exitCode());
    assertEquals(
        "minikafka serve: quarkus.http.idle-timeout is \"soon\": Invalid duration: soon\n",
        result.out() + result.err());
  }

  @Test
  void tooFewDescriptorsAreToldInOneLine() throws Exception {
    for (int limit : new int[] {64, 100, 300, 1_000}) {
      Result result = serveWith(limit);
      assertEquals(1, result.exitCode(), result::err);
      String line = result.out() + result.err();
      assertEquals(1, line.lines().count(), line);
      assertTrue(line.startsWith("minikafka"), line);
      assertTrue(line.contains(" may have %d files open (ulimit -n)".formatted(limit)), line);
    }
  }

  private Result serveWith(int descriptors) throws IOException, InterruptedException {
    String limited = "ulimit -n %d && exec \"$0\" \"$@\"".formatted(descriptors);
    String data = dir.resolve("data").toString();
    return Launcher.runCommand(
        Map.of(),
        List.of("sh", "-c", limited, Launcher.path().toString(), "serve", "--data-dir", data));
  }

  @Test
  void sigtermStopsServeInOrder() throws Exception {
    try (BrokerProcess broker = BrokerProcess.start(dir.resolve("data"))) {
      assertEquals(200, broker.status("/q/health/live"));
      assertEquals(200, broker.status("/q/metrics"));
      assertEquals(143, broker.terminate());
      List<String> lines = broker.output().lines().toList();
      assertTrue(lines.getLast().endsWith(" stopped cleanly"), broker.output());
      assertTrue(lines.getFirst().contains(" serves: data port "), broker.output());
    }
  }

  @Test
  void takenHttpPortIsToldInOneLine() throws Exception {
    try (BrokerProcess broker = BrokerProcess.start(dir.resolve("data"))) {
      Result second = serveOn(broker.httpPort());
      assertEquals(1, second.exitCode());
      assertEquals(
          "minikafka serve: the HTTP port 127.0.0.1:%d cannot be opened: Address already in use"
                  .formatted(broker.httpPort())
              + " (--http-port and --host choose another)\n",
          second.err());
      assertEquals("", second.out());
      assertFalse(Files.exists(dir.resolve("second")));
    }
  }

  @Test
  void whoeverHasTheHttpPortAndTheDirectoryIsToldOfBothAtOnce() throws Exception {
    Path data = dir.resolve("second");
    try (BrokerProcess broker = BrokerProcess.start(data)) {
      Result second = serveOn(broker.httpPort());
      assertEquals(1, second.exitCode());
      assertEquals(
          "minikafka serve: the HTTP port 127.0.0.1:%d cannot be opened: Address already in use"
                  .formatted(broker.httpPort())
              + " (--http-port and --host choose another); the data directory %s is in use, too:"
                  .formatted(data)
              + " another broker runs there\n",
          second.err());
      assertEquals(200, broker.status("/q/health/ready"));
    }
  }

  @Test
  void flagWinsOverAPropertyThatOverTheEnvironmentThatOverTheFileThatOverTheDefault()
      throws Exception {
    Files.writeString(
        Files.createDirectory(dir.resolve("config")).resolve("application.properties"),
        "minikafka.log.segment-bytes=1\n");
    Map<String, String> none = Map.of();
    Map<String, String> environment = Map.of("MINIKAFKA_LOG_SEGMENT_BYTES", "2");
    String property = "-Dminikafka.log.segment-bytes=3";
    assertEquals("minikafka.log.segment-bytes is 1", refusedSize(none));
    assertEquals("minikafka.log.segment-bytes is 2", refusedSize(environment));
    assertEquals("minikafka.log.segment-bytes is 3", refusedSize(environment, property));
    assertEquals(
        "--segment-bytes is 4", refusedSize(environment, "--segment-bytes", "4", property));
    assertEquals(
        "--segment-bytes is 5", refusedSize(none, "--segment-bytes", "${five}", "-Dfive=5"));
    assertEquals(
        "minikafka.log.segment-bytes is 6",
        refusedSize(Map.of("MINIKAFKA_LOG_SEGMENT_BYTES", "${six:6}")));
  }

  /** What {@code serve} complains of, in the test's directory, without the bounds. */
  private String refusedSize(Map<String, String> environment, String... flags) throws Exception {
    List<String> command = new ArrayList<>(List.of("/bin/sh", "-c", "cd \"$0\" && exec \"$@\""));
    command.addAll(List.of(dir.toString(), Launcher.path().toString(), "serve"));
    command.addAll(List.of(flags));
    Result result = Launcher.runCommand(environment, command);
    assertEquals(2, result.exitCode(), result::err);
    return result.err().replaceAll("(?s)^minikafka serve: (.*), must be .*", "$1");
  }

  @Test
  void addressOfAServiceIsTakenForNoSetting() throws Exception {
    Map<String, String> links =
        Map.of(
            "MINIKAFKA_PORT", "tcp://10.0.0.1:9092",
            "MINIKAFKA_ADVERTISED_PORT", "tcp://10.0.0.1:9092",
            "MINIKAFKA_SERVICE_HOST", "10.0.0.1");
    // It gets as far as the next thing that is wrong.
    assertEquals("--segment-bytes is 4", refusedSize(links, "--segment-bytes", "4"));
  }

  @Test
  void variableThatNobodyReadsIsToldOfAtTheStart() throws Exception {
    try (BrokerProcess broker =
        BrokerProcess.startBy(
            List.of("env", "MINIKAFKA_LOG_SEGMNT_BYTES=2048"), dir.resolve("data"))) {
      String told =
          "MINIKAFKA_LOG_SEGMNT_BYTES in the environment is no setting and is not read; did you"
              + " mean MINIKAFKA_LOG_SEGMENT_BYTES?";
      String output = broker.output();
      assertTrue(output.contains(told), output);
    }
  }

  private Result serveOn(int httpPort) throws IOException, InterruptedException {
    String data = dir.resolve("second").toString();
    return Launcher.run(
        "serve",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--http-port",
        "" + httpPort,
        "--data-dir",
        data);
  }
}
