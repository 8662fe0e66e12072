package io.minikafka.it;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.minikafka.TopicPartition;
import io.minikafka.client.Ack;
import io.minikafka.client.Admin;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerSettings;
import io.minikafka.client.MinikafkaException;
import io.minikafka.client.Producer;
import io.minikafka.client.ProducerRecord;
import io.minikafka.client.ProducerSettings;
import io.minikafka.client.SendCallback;
import io.minikafka.client.ServerAddress;
import io.minikafka.it.Launcher.Result;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packaged broker's beginning and end: in order, under load, and when it may not begin. */
@Timeout(180)
class StartStopIT {
  private static final long NOBODY = 65_534;

  @TempDir Path dir;
  private Path data = Path.of("");

  @BeforeEach
  void chooseDirectory() {
    data = dir.resolve("data");
  }

  @Test
  void sigtermUnderLoadEndsInOrderAndTheNextStartScansNothing() throws Exception {
    AtomicLong acknowledged = new AtomicLong();
    AtomicLong failed = new AtomicLong();
    try (BrokerProcess broker = BrokerProcess.startBy(Launcher.AS_SHIPPED, data)) {
      createTopic(broker, 4);
      try (Producer producer = Producer.open(ProducerSettings.builder(client(broker)).build())) {
        Thread sender =
            Thread.ofPlatform().start(() -> sendUntilRefused(producer, acknowledged, failed));
        await(() -> acknowledged.get() > 20_000);
        assertEquals(143, broker.terminate());
        sender.join();
      }
      assertTrue(failed.get() > 0, "nothing was in the way of the stop");
    }
    try (BrokerProcess broker = BrokerProcess.startBy(Launcher.AS_SHIPPED, data)) {
      assertTrue(lastStartLine(broker).contains(" 0 bytes checked, no damage"), broker.output());
      assertTrue(records(broker, 4) >= acknowledged.get());
    }
  }

  /** Zeros behind the records take long to look through, and are a torn tail. */
  @Test
  void healthAnswersDuringRecoveryAndSigtermEndsThatToo() throws Exception {
    try (BrokerProcess broker = BrokerProcess.startBy(Launcher.AS_SHIPPED, data)) {
      createTopic(broker, 8);
      produceOneEach(broker, 8);
      broker.kill();
    }
    for (Path log : logs()) {
      try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
        file.setLength(900L << 20);
      }
    }
    String[] slowly = {
      "-Dminikafka.storage.parallel-recoveries=1", "-Dminikafka.storage.quarantine-bytes=0"
    };
    try (BrokerProcess broker = BrokerProcess.launch(data, slowly)) {
      await(() -> body(broker, "/q/health/ready").contains("\"reason\": \"recovering\""));
      assertEquals(200, broker.status("/q/health/live"));
      assertEquals(503, broker.status("/q/health/started"));
      assertEquals(200, broker.status("/q/metrics"));
      assertEquals(143, broker.terminate());
      assertTrue(!broker.output().contains("serves: data port " + broker.port()), broker.output());
      assertTrue(
          broker.output().endsWith(" is not marked clean, the next start checks its logs\n"),
          broker.output());
    }
    try (BrokerProcess broker = BrokerProcess.startBy(Launcher.AS_SHIPPED, data, slowly)) {
      assertTrue(lastStartLine(broker).contains(" of torn tail cut, no damage"), broker.output());
      assertEquals(8, records(broker, 8));
    }
  }

  @Test
  void aSecondBrokerOnTheSameDirectoryIsRefusedInOneLine() throws Exception {
    try (BrokerProcess broker = BrokerProcess.startBy(Launcher.AS_SHIPPED, data)) {
      Result second = serve(List.of(), "--port", "0");
      assertEquals(1, second.exitCode());
      assertEquals(
          ("minikafka serve: the data directory %s is in use: %s/lock is locked by another process;"
                  + " stop the other broker, or choose another directory with --data-dir\n")
              .formatted(data, data),
          second.err());
      assertEquals(200, broker.status("/q/health/ready"));
    }
  }

  @Test
  void aTakenDataPortIsToldInOneLine() throws Exception {
    try (BrokerProcess broker = BrokerProcess.startBy(Launcher.AS_SHIPPED, dir.resolve("other"))) {
      Result second = serve(List.of(), "--port", "" + broker.port());
      assertEquals(1, second.exitCode());
      assertEquals(
          "minikafka serve: the data port 127.0.0.1:%d cannot be opened: Address already in use (--port and --host choose another)\n"
              .formatted(broker.port()),
          second.err());
    }
  }

  @Test
  void aDirectoryThatCannotBeWrittenIsToldInOneLine() throws Exception {
    Path readOnly = Files.createDirectory(dir.resolve("read-only"));
    Files.setPosixFilePermissions(readOnly, PosixFilePermissions.fromString("r-xr-xr-x"));
    Files.setPosixFilePermissions(dir, PosixFilePermissions.fromString("rwxr-xr-x"));
    List<String> asNobody = List.of();
    if (System.getProperty("user.name").equals("root")) {
      assumeTrue(Files.isExecutable(Path.of("/usr/bin/setpriv")), "root without setpriv(1)");
      asNobody = List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups");
      assumeTrue(reaches(asNobody, Launcher.path()), "the build is hidden from other users");
    }
    data = readOnly.resolve("data");
    Result result = serve(asNobody, "--port", "0");
    assertEquals(1, result.exitCode());
    String line = result.err();
    assertTrue(
        line.startsWith(
            "minikafka serve: the data directory %s cannot be written by user ".formatted(data)),
        line);
    assertTrue(line.contains(": %s has mode r-xr-xr-x (owner ".formatted(readOnly)), line);
    assertTrue(line.endsWith("(chown), or choose another with --data-dir\n"), line);
    assertEquals(1, line.lines().count(), line);
  }

  @Test
  void aFailedForceEndsTheProcessWithAMessageOfItsOwn() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/strace")), "no strace(1) to fail a force with");
    try (BrokerProcess broker = BrokerProcess.startBy(Launcher.AS_SHIPPED, data)) {
      createTopic(broker, 1);
      produceOneEach(broker, 1);
      Process strace = failForces(broker.pid());
      ClientSettings once = ClientSettings.builder(address(broker)).outageMs(0).build();
      try (Producer producer = Producer.open(ProducerSettings.builder(once).build())) {
        var never = producer.send(ProducerRecord.of("t", new byte[10]));
        assertEquals(1, broker.exitCode());
        assertTrue(never.handle((ack, failure) -> failure != null).get(30, SECONDS));
      } finally {
        strace.destroyForcibly();
      }
      String output = broker.output();
      assertTrue(
          output.contains("minikafka serve: the storage of %s failed: ".formatted(data)), output);
    }
  }

  /** From now on every force of the process fails. */
  private Process failForces(long pid) throws Exception {
    Path log = dir.resolve("strace.err");
    Process strace =
        new ProcessBuilder(
                "strace",
                "-f",
                "-o",
                "/dev/null",
                "-e",
                "trace=fsync,fdatasync",
                "-e",
                "inject=fsync,fdatasync:error=EIO",
                "-p",
                "" + pid)
            .redirectError(log.toFile())
            .start();
    await(() -> !strace.isAlive() || read(log).contains("attached"));
    assumeTrue(strace.isAlive(), () -> "strace may not attach: " + read(log));
    return strace;
  }

  private static boolean reaches(List<String> as, Path file) throws Exception {
    List<String> command = new ArrayList<>(as);
    command.addAll(List.of("test", "-x", file.toString()));
    return Launcher.runCommand(Map.of(), command).exitCode() == 0;
  }

  private Result serve(List<String> prefix, String... flags) throws Exception {
    List<String> command = new ArrayList<>(prefix);
    command.addAll(List.of(Launcher.path().toString(), "serve"));
    command.addAll(List.of("--host", "127.0.0.1", "--http-port", "0"));
    command.addAll(List.of("--data-dir", data.toString()));
    command.addAll(List.of(flags));
    return Launcher.runCommand(Map.of(), command);
  }

  private static void sendUntilRefused(
      Producer producer, AtomicLong acknowledged, AtomicLong failed) {
    SendCallback count =
        new SendCallback() {
          @Override
          public void acknowledged(Ack ack) {
            acknowledged.incrementAndGet();
          }

          @Override
          public void failed(MinikafkaException failure) {
            failed.incrementAndGet();
          }
        };
    while (failed.get() == 0) {
      producer.send(ProducerRecord.of("t", new byte[100]), count);
    }
  }

  private static void produceOneEach(BrokerProcess broker, int partitions) throws Exception {
    try (Producer producer = Producer.open(ProducerSettings.builder(client(broker)).build())) {
      for (int i = 0; i < partitions; i++) {
        producer.send(ProducerRecord.of("t", new byte[10]).inPartition(i)).get();
      }
    }
  }

  private static void createTopic(BrokerProcess broker, int partitions) {
    try (Admin admin = Admin.open(client(broker))) {
      admin.createTopic("t", partitions, Map.of());
    }
  }

  private static long records(BrokerProcess broker, int partitions) {
    List<TopicPartition> all = new ArrayList<>();
    for (int i = 0; i < partitions; i++) {
      all.add(new TopicPartition("t", i));
    }
    try (Consumer consumer = Consumer.open(ConsumerSettings.builder(client(broker)).build())) {
      return consumer.endOffsets(all).values().stream().mapToLong(Long::longValue).sum();
    }
  }

  private List<Path> logs() throws IOException {
    try (Stream<Path> files = Files.walk(data)) {
      return files.filter(file -> file.endsWith("00000000000000000000.log")).toList();
    }
  }

  private static String lastStartLine(BrokerProcess broker) throws IOException {
    return broker
        .output()
        .lines()
        .filter(line -> line.contains(" serves: data port "))
        .reduce("", (one, next) -> next);
  }

  /** Empty while nobody answers there. */
  private static String body(BrokerProcess broker, String path) {
    try {
      return broker.body(path);
    } catch (IOException notYet) {
      return "";
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static void await(BooleanSupplier condition) {
    long end = System.nanoTime() + SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "has not come true within 60 s");
      LockSupport.parkNanos(5_000_000);
    }
  }

  private static ServerAddress address(BrokerProcess broker) {
    return new ServerAddress("127.0.0.1", broker.port());
  }

  private static ClientSettings client(BrokerProcess broker) {
    return ClientSettings.builder(address(broker)).outageMs(0).build();
  }
}
