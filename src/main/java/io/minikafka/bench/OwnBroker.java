package io.minikafka.bench;

import io.minikafka.client.ServerAddress;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
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

  private final Process process;
  private final Path directory;
  private final Path log;
  private final ServerAddress data;
  private final ServerAddress http;
  private final Command command;

  /** Written before anybody else has it. */
  private long readyNanos;

  private OptionalDouble readyCpuNanos = OptionalDouble.empty();

  private final Thread hook = new Thread(this::stop, "bench-broker-stop");

  private OwnBroker(
      Process process,
      Path directory,
      Path log,
      ServerAddress data,
      ServerAddress http,
      Command command) {
    this.process = process;
    this.directory = directory;
    this.log = log;
    this.data = data;
    this.http = http;
    this.command = command;
  }

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
    ServerAddress data = new ServerAddress(HOST, freePort());
    ServerAddress http = new ServerAddress(HOST, freePort());
    List<String> words = new ArrayList<>(command.program());
    words.addAll(List.of("serve", "--data-dir", directory.toString(), "--host", HOST));
    words.addAll(List.of("--port", "" + data.port(), "--http-port", "" + http.port()));
    words.addAll(command.flags());
    ProcessBuilder builder =
        new ProcessBuilder(words)
            .redirectInput(new File("/dev/null"))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    command.javaOpts().ifPresent(options -> builder.environment().put("JAVA_OPTS", options));
    OwnBroker broker;
    long began = System.nanoTime();
    try {
      broker = new OwnBroker(builder.start(), directory, log, data, http, command);
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
    return data;
  }

  public ServerAddress http() {
    return http;
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
    while (!Scrape.isReady(http)) {
      if (!process.isAlive()) {
        throw new IOException(
            "the broker ended with %d: %s".formatted(process.exitValue(), said()));
      }
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("the broker is not ready after 60 s: " + said());
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** The end of what it printed. */
  private String said() throws IOException {
    List<String> lines = Files.readAllLines(log);
    return lines.isEmpty() ? "it said nothing" : lines.getLast();
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

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
      return socket.getLocalPort();
    }
  }
}
