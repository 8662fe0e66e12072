package io.minikafka.bench;

import io.minikafka.client.ServerAddress;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A broker for the time of a run: a process of its own, on free ports of the loopback address, with
 * a data directory of its own, which is deleted when it is closed.
 *
 * <p>Closed also when this process is told to end (Ctrl-C, SIGTERM). Not when it is killed: then
 * the broker goes on, and its directory stays. {@link #close} may come from any thread, and again.
 */
public final class OwnBroker implements AutoCloseable {
  private static final long READY_LIMIT_NANOS = 60_000_000_000L;
  private static final long POLL_NANOS = 2_000_000;
  private static final int STOP_LIMIT_S = 5;
  private static final String HOST = "127.0.0.1";

  /** What a broker says once it serves. */
  private static final Pattern PORTS =
      Pattern.compile(" serves: data port (\\d+), HTTP port (\\d+),");

  /** What {@code serve}, the log and Java begin a line with that says why there is no broker. */
  private static final Pattern ERROR =
      Pattern.compile(
          "minikafka(?: serve)?: |\\S+ \\S+ ERROR |Error|Unrecognized |Invalid |Exception ");

  private final Process process;
  private final Path directory;
  private final Path log;

  /** Of what others have written there before. */
  private final long logBytesBefore;

  private final Command command;

  /** Written before anybody else has it. */
  private long readyNanos;

  private OptionalDouble readyCpuNanos = OptionalDouble.empty();
  private Ports ports = new Ports(0, 0);

  private final Thread hook = new Thread(this::stop, "bench-broker-stop");

  private OwnBroker(
      Process process, Path directory, Path log, long logBytesBefore, Command command) {
    this.process = process;
    this.directory = directory;
    this.log = log;
    this.logBytesBefore = logBytesBefore;
    this.command = command;
  }

  private record Ports(int data, int http) {}

  /**
   * How to start it.
   *
   * @param program {@code minikafka}, with what stands before {@code serve}
   * @param flags of {@code serve}, besides those for ports and directory
   * @param javaOpts for its Java; empty: as this process was started
   */
  public record Command(List<String> program, List<String> flags, Optional<String> javaOpts) {}

  /**
   * Starts one and waits until it is ready.
   *
   * @param parent where its data directory is made
   * @param log where its output goes
   */
  public static OwnBroker start(Command command, Path parent, Path log)
      throws IOException, InterruptedException {
    Files.createDirectories(parent);
    Path directory = Files.createTempDirectory(parent, "bench-broker-");
    List<String> words = new ArrayList<>(command.program());
    words.addAll(List.of("serve", "--data-dir", directory.toString(), "--host", HOST));
    // It takes what is free and says what it took: nobody else can have it.
    words.addAll(List.of("--port", "0", "--http-port", "0"));
    words.addAll(command.flags());
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    command.javaOpts().ifPresent(options -> builder.environment().put("JAVA_OPTS", options));
    OwnBroker broker;
    long logBytes = Files.exists(log) ? Files.size(log) : 0;
    long began = System.nanoTime();
    try {
      broker = new OwnBroker(builder.start(), directory, log, logBytes, command);
    } catch (IOException e) {
      delete(directory);
      throw e;
    }
    try {
      Runtime.getRuntime().addShutdownHook(broker.hook);
      broker.awaitReady();
      broker.readyNanos = System.nanoTime() - began;
      broker.readyCpuNanos =
          broker.process.info().totalCpuDuration().stream()
              .mapToDouble(Duration::toNanos)
              .findFirst();
      return broker;
    } catch (IOException | RuntimeException e) {
      broker.close();
      throw e;
    }
  }

  public ServerAddress data() {
    return new ServerAddress(HOST, ports.data);
  }

  public ServerAddress http() {
    return new ServerAddress(HOST, ports.http);
  }

  /** Where its topics are. */
  Path directory() {
    return directory;
  }

  /** How it was started. */
  Command command() {
    return command;
  }

  /** From its launch until it was ready. */
  public long readyNanos() {
    return readyNanos;
  }

  /** CPU time of its process by then; empty if the system does not tell. */
  OptionalDouble readyCpuNanos() {
    return readyCpuNanos;
  }

  /** Of its process. */
  public long pid() {
    return process.pid();
  }

  private void awaitReady() throws IOException {
    long deadline = System.nanoTime() + READY_LIMIT_NANOS;
    long seenBytes = logBytesBefore;
    while (ports.http == 0 || !Scrape.isReady(http())) {
      if (!process.isAlive()) {
        throw new IOException(
            "the broker ended with %d: %s (all it said is in %s)"
                .formatted(process.exitValue(), why(), log));
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IOException(
            "the broker is not ready after 60 s: %s (all it said is in %s)".formatted(why(), log));
      }
      long bytes = Files.size(log);
      if (ports.http == 0 && bytes > seenBytes) {
        seenBytes = bytes;
        ports = said().lines().flatMap(OwnBroker::ports).findFirst().orElse(ports);
      } else {
        LockSupport.parkNanos(POLL_NANOS);
      }
    }
  }

  private static Stream<Ports> ports(String line) {
    Matcher found = PORTS.matcher(line);
    return found.find()
        ? Stream.of(new Ports(Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2))))
        : Stream.empty();
  }

  /** The first line that tells of an error, for what follows is its consequence. */
  private String why() throws IOException {
    List<String> lines = said().lines().filter(line -> !line.isBlank()).toList();
    if (lines.isEmpty()) {
      return "it said nothing";
    }
    return lines.stream()
        .filter(line -> ERROR.matcher(line).lookingAt())
        .findFirst()
        .orElse(lines.getLast());
  }

  /** What it has printed so far. */
  private String said() throws IOException {
    try (FileChannel file = FileChannel.open(log)) {
      InputStream in = Channels.newInputStream(file.position(logBytesBefore));
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Override
  public void close() {
    stop();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // This process is ending, and the hook does the same.
    }
  }

  /** A broker that does not stop in time is killed: its data is of no use to anybody. */
  private synchronized void stop() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_LIMIT_S, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      delete(directory);
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      System.err.println("minikafka bench: " + directory + " could not be deleted: " + e);
    }
  }

  private static void delete(Path directory) throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    List<Path> all;
    try (Stream<Path> walk = Files.walk(directory)) {
      all = walk.sorted(Comparator.reverseOrder()).toList();
    }
    for (Path path : all) {
      Files.deleteIfExists(path);
    }
  }
}
