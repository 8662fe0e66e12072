package io.minikafka.it;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A broker, and the command line beside it: lines are typed as users type them. {@link #close} ends
 * whatever is left. One thread.
 */
final class CommandLineRig implements AutoCloseable {
  private static final int LIMIT_S = 60;

  private final Path dir;
  private final List<Process> processes = new ArrayList<>();
  private BrokerProcess broker;

  /** Starts the broker; everything is kept below {@code dir}. */
  CommandLineRig(Path dir) throws IOException, InterruptedException {
    this.dir = dir;
    this.broker = BrokerProcess.start(dir.resolve("data"));
  }

  BrokerProcess broker() {
    return broker;
  }

  /** Starts the broker, which has ended, once more. */
  void startAgain() throws IOException, InterruptedException {
    broker = broker.restart(dir.resolve("data"));
  }

  /** What a line prints that does what it is to do. */
  String ok(String... args) throws IOException, InterruptedException {
    Launcher.Result result = run(args);
    assertEquals(0, result.exitCode(), () -> String.join(" ", args) + ": " + result.err());
    return result.out();
  }

  Launcher.Result run(String... args) throws IOException, InterruptedException {
    return Launcher.runCommand(environment(), command(args));
  }

  /** A line of a shell; {@code MINIKAFKA} stands for the program. */
  Launcher.Result shell(String line) throws IOException, InterruptedException {
    String script = line.replace("MINIKAFKA", Launcher.path().toString());
    return Launcher.runCommand(environment(), List.of("bash", "-o", "pipefail", "-c", script));
  }

  /** Prints into that file, and what is not data into {@link #errors} of it. */
  Process background(Path out, String... args) throws IOException {
    // Of a program that is started in the background, a shell has SIGINT ignored: undo that.
    List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT"));
    command.addAll(command(args));
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(errors(out).toFile());
    builder.environment().putAll(environment());
    Process process = builder.start();
    processes.add(process);
    return process;
  }

  static Path errors(Path out) {
    return out.resolveSibling(out.getFileName() + ".err");
  }

  /** Numbers, each a record. */
  void produce(String topic, int from, int until) throws IOException, InterruptedException {
    Path file = Files.writeString(dir.resolve("numbers"), lines(from, until));
    ok("produce", topic, "--file", file.toString());
  }

  static String lines(int from, int until) {
    return IntStream.range(from, until).mapToObj(i -> i + "\n").collect(Collectors.joining());
  }

  static TreeSet<String> numbers(int from, int until) {
    return new TreeSet<>(lines(from, until).lines().toList());
  }

  static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** Until what is printed into that file makes it true. */
  static void await(Path out, BooleanSupplier condition) {
    long deadlineNanos = System.nanoTime() + SECONDS.toNanos(LIMIT_S);
    while (!condition.getAsBoolean()) {
      assertTrue(
          System.nanoTime() < deadlineNanos, () -> "only:\n" + text(out) + text(errors(out)));
      LockSupport.parkNanos(20_000_000);
    }
  }

  private Map<String, String> environment() {
    return Map.of(
        "MINIKAFKA_BROKER", "127.0.0.1:" + broker.port(),
        "MINIKAFKA_ADMIN", "127.0.0.1:" + broker.httpPort());
  }

  private static List<String> command(String... args) {
    List<String> command = new ArrayList<>(List.of(Launcher.path().toString()));
    command.addAll(List.of(args));
    return command;
  }

  @Override
  public void close() {
    processes.forEach(Process::destroyForcibly);
    broker.close();
  }
}
