package io.minikafka.it;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.minikafka.FreePorts;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A broker as its users start it: {@code target/minikafka serve}, in a process of its own.
 *
 * <p>Ready when {@link #start} returns; {@link #close} kills what is left. Its output goes to a
 * file beside the data directory. One thread.
 */
public final class BrokerProcess implements AutoCloseable {
  private static final int LIMIT_S = 60;
  private static final int POLL_MS = 20;

  private final Process process;
  private final Path log;
  private final List<String> prefix;
  private final int port;
  private final int httpPort;
  private final HttpClient http = HttpClient.newHttpClient();

  private BrokerProcess(Process process, Path log, List<String> prefix, int port, int httpPort) {
    this.process = process;
    this.log = log;
    this.prefix = prefix;
    this.port = port;
    this.httpPort = httpPort;
  }

  /** Starts a broker on free ports of the loopback address and waits until it is ready. */
  public static BrokerProcess start(Path dataDir, String... flags)
      throws IOException, InterruptedException {
    return startBy(List.of(), dataDir, flags);
  }

  /** The same through another command that becomes the one behind it, {@code setpriv} say. */
  public static BrokerProcess startBy(List<String> prefix, Path dataDir, String... flags)
      throws IOException, InterruptedException {
    return startAt(FreePorts.next(), prefix, dataDir, flags);
  }

  /** Starts another one as this one was, which has ended, and on its data port. */
  public BrokerProcess restart(Path dataDir, String... flags)
      throws IOException, InterruptedException {
    return startAt(port, prefix, dataDir, flags);
  }

  private static BrokerProcess startAt(int port, List<String> prefix, Path dataDir, String... flags)
      throws IOException, InterruptedException {
    BrokerProcess broker = launch(port, prefix, dataDir, flags);
    try {
      broker.awaitReady();
    } catch (IOException | InterruptedException | RuntimeException e) {
      broker.close();
      throw e;
    }
    return broker;
  }

  /** Starts a broker and does not wait: it recovers, or will not start at all. */
  static BrokerProcess launch(Path dataDir, String... flags) throws IOException {
    return launch(FreePorts.next(), List.of(), dataDir, flags);
  }

  private static BrokerProcess launch(int port, List<String> prefix, Path dataDir, String... flags)
      throws IOException {
    int httpPort = FreePorts.next();
    List<String> command = new ArrayList<>(prefix);
    command.addAll(List.of(Launcher.path().toString(), "serve"));
    command.addAll(List.of("--data-dir", dataDir.toString(), "--host", "127.0.0.1"));
    command.addAll(List.of("--port", "" + port, "--http-port", "" + httpPort));
    command.addAll(List.of(flags));
    Path log = dataDir.resolveSibling(dataDir.getFileName() + ".out");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
            .start();
    return new BrokerProcess(process, log, prefix, port, httpPort);
  }

  public int port() {
    return port;
  }

  public int httpPort() {
    return httpPort;
  }

  public long pid() {
    return process.pid();
  }

  /** Everything it has printed. */
  public String output() throws IOException {
    return Files.readString(log);
  }

  /** SIGTERM; returns the exit code. */
  public int terminate() throws IOException, InterruptedException {
    process.destroy();
    return exitCode();
  }

  /** SIGSTOP: it goes on neither by itself nor when it is asked to end. */
  public void suspend() throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-STOP", "" + process.pid()).start().waitFor();
  }

  /** SIGKILL; returns when it is gone. */
  public void kill() throws IOException, InterruptedException {
    process.destroyForcibly();
    exitCode();
  }

  /** Waits until it has ended by itself. */
  public int exitCode() throws IOException, InterruptedException {
    if (!process.waitFor(LIMIT_S, SECONDS)) {
      throw new IOException("still running after " + LIMIT_S + " s:\n" + output());
    }
    return process.exitValue();
  }

  /** The status of a GET on the HTTP port. */
  public int status(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + httpPort + path);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.discarding()).statusCode();
  }

  /** The body of a GET on the HTTP port. */
  public String body(String path) throws IOException, InterruptedException {
    URI uri = URI.create("http://127.0.0.1:" + httpPort + path);
    return http.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString()).body();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    http.close();
  }

  private void awaitReady() throws IOException, InterruptedException {
    long end = System.nanoTime() + SECONDS.toNanos(LIMIT_S);
    while (System.nanoTime() < end) {
      if (process.waitFor(POLL_MS, java.util.concurrent.TimeUnit.MILLISECONDS)) {
        throw new IOException("ended with " + process.exitValue() + ":\n" + output());
      }
      try {
        if (status("/q/health/ready") == 200) {
          return;
        }
      } catch (IOException notYet) {
        // Its port is not open yet.
      }
    }
    throw new IOException("not ready after " + LIMIT_S + " s:\n" + output());
  }
}
