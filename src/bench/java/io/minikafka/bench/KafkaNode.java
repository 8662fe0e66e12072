package io.minikafka.bench;

import io.minikafka.FreePorts;
import io.minikafka.client.ServerAddress;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/**
 * One node of Apache Kafka (KRaft, broker and controller in one process) for the time of a run, on
 * free ports of the loopback address, with a data directory of its own, which is deleted when it is
 * closed; also when this process is told to end.
 */
final class KafkaNode implements AutoCloseable {
  private static final String HOST = "127.0.0.1";
  private static final long READY_LIMIT_NANOS = 60_000_000_000L;
  private static final long REMOVAL_LIMIT_NANOS = 5_000_000_000L;
  private static final long POLL_NANOS = 10_000_000;
  private static final String DATA = "data";
  private static final int STOP_LIMIT_S = 10;

  /** What Kafka's own start script (bin/kafka-server-start.sh) gives Java. */
  static final List<String> JAVA_OPTIONS =
      List.of(
          "-Xmx1G",
          "-Xms1G",
          "-server",
          "-XX:+UseG1GC",
          "-XX:MaxGCPauseMillis=20",
          "-XX:InitiatingHeapOccupancyPercent=35",
          "-XX:+ExplicitGCInvokesConcurrent",
          "-Djava.awt.headless=true",
          "-Dcom.sun.management.jmxremote",
          "-Dcom.sun.management.jmxremote.authenticate=false",
          "-Dcom.sun.management.jmxremote.ssl=false");

  private final Process process;
  private final Path directory;
  private final ServerAddress address;
  private final long readyNanos;
  private final Thread hook = new Thread(this::stop, "kafka-stop");

  private KafkaNode(Process process, Path directory, ServerAddress address, long beganNanos)
      throws IOException {
    this.process = process;
    this.directory = directory;
    this.address = address;
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      awaitReady();
    } catch (IOException e) {
      close();
      throw e;
    }
    this.readyNanos = System.nanoTime() - beganNanos;
  }

  /** The settings of the node, besides addresses and directory: all others are Kafka's defaults. */
  static List<String> settings() {
    return List.of(
        "process.roles=broker,controller",
        "node.id=1",
        "controller.listener.names=CONTROLLER",
        "offsets.topic.replication.factor=1",
        "transaction.state.log.replication.factor=1",
        "transaction.state.log.min.isr=1",
        // A topic that was deleted gives its memory back at once, as ours does, and not to whoever
        // is measured a minute later.
        "log.initial.task.delay.ms=100",
        "log.segment.delete.delay.ms=100");
  }

  /** Formats a directory, starts a node on it and waits until it takes connections. */
  static KafkaNode start(Path parent, Path log) throws IOException, InterruptedException {
    Path directory = Files.createTempDirectory(parent, "bench-kafka-");
    int port = FreePorts.next();
    int controllerPort = FreePorts.next();
    List<String> lines = new ArrayList<>(settings());
    lines.add("controller.quorum.bootstrap.servers=%s:%d".formatted(HOST, controllerPort));
    lines.add(
        "listeners=PLAINTEXT://%s:%d,CONTROLLER://%s:%d"
            .formatted(HOST, port, HOST, controllerPort));
    lines.add("log.dirs=" + directory.resolve(DATA));
    Path properties = Files.write(directory.resolve("server.properties"), lines);
    run(
        log,
        "kafka.tools.StorageTool",
        "format",
        "--standalone",
        "-t",
        org.apache.kafka.common.Uuid.randomUuid().toString(),
        "-c",
        properties.toString());
    long began = System.nanoTime();
    List<String> words = new ArrayList<>(JAVA_OPTIONS);
    words.addAll(List.of("kafka.Kafka", properties.toString()));
    Process process = java(log, words).start();
    return new KafkaNode(process, directory, new ServerAddress(HOST, port), began);
  }

  private static void run(Path log, String... words) throws IOException, InterruptedException {
    Process process = java(log, List.of(words)).start();
    if (process.waitFor() != 0) {
      throw new IOException("formatting ended with %d, see %s".formatted(process.exitValue(), log));
    }
  }

  /** With the class path of this process, which has Kafka in it. */
  private static ProcessBuilder java(Path log, List<String> words) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(words);
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
  }

  /** Waits until the files of a topic that was deleted are gone. */
  void awaitRemoval(String topic) throws IOException {
    long deadline = System.nanoTime() + REMOVAL_LIMIT_NANOS;
    while (hasFiles(topic) && System.nanoTime() - deadline < 0) {
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  /** Also those on their way out: they have a name that begins with the topic's. */
  private boolean hasFiles(String topic) throws IOException {
    try (Stream<Path> partitions = Files.list(directory.resolve(DATA))) {
      return partitions.anyMatch(path -> path.getFileName().toString().startsWith(topic + "-"));
    }
  }

  String bootstrap() {
    return address.toString();
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  /** From its launch until it took a connection. */
  long readyNanos() {
    return readyNanos;
  }

  private void awaitReady() throws IOException {
    long deadline = System.nanoTime() + READY_LIMIT_NANOS;
    while (!answers()) {
      if (!process.isAlive() || System.nanoTime() - deadline > 0) {
        throw new IOException("Kafka does not serve on " + address);
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private boolean answers() {
    try (Socket socket = new Socket(address.host(), address.port())) {
      return socket.isConnected();
    } catch (IOException e) {
      // Not yet.
      return false;
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

  private synchronized void stop() {
    process.destroy();
    try {
      if (!process.waitFor(STOP_LIMIT_S, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
      }
      delete();
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      System.err.println(directory + " could not be deleted: " + e);
    }
  }

  private void delete() throws IOException {
    if (Files.exists(directory)) {
      List<Path> all;
      try (Stream<Path> walk = Files.walk(directory)) {
        all = walk.sorted(Comparator.reverseOrder()).toList();
      }
      for (Path path : all) {
        Files.deleteIfExists(path);
      }
    }
  }
}
