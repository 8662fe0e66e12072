package io.minikafka.app;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.FreePorts;
import io.minikafka.LogLines;
import io.minikafka.TopicPartition;
import io.minikafka.client.ClientSettings;
import io.minikafka.client.Consumer;
import io.minikafka.client.ConsumerSettings;
import io.minikafka.client.Producer;
import io.minikafka.client.ProducerRecord;
import io.minikafka.client.ProducerSettings;
import io.minikafka.client.ServerAddress;
import io.minikafka.it.BufferLeaks;
import io.minikafka.ops.NodeState;
import io.minikafka.storage.DiskFullException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(BufferLeaks.class)
@Timeout(60)
class EngineTest {
  /** The partition the broker has beside those of topics. */
  private static final int OFFSETS_LOG = 1;

  @TempDir Path dir;
  private final EngineBench bench = new EngineBench();

  @AfterEach
  void close() {
    bench.close();
  }

  @Test
  void whatWasAcknowledgedIsThereAfterAnOrderlyStopAndNothingIsScanned() throws Exception {
    Engine first = bench.started(settings());
    bench.createTopic(first, "t", 2);
    produce(first, "a", "b", "c");
    first.stop();
    assertEquals(new NodeState.Stopped(), first.state());
    assertTrue(first.hasEndedClean());

    Engine second = bench.started(settings());
    assertEquals(0, second.recovery().orElseThrow().scannedBytes());
    assertEquals(2 + OFFSETS_LOG, second.recovery().orElseThrow().partitions());
    assertEquals(List.of("a", "b", "c"), consume(second, 3));
  }

  @Test
  void whileItRecoversProgressIsSeenAndThePortIsClosed() throws Exception {
    leaveTopicUnclean();
    CountDownLatch held = bench.holdOpening("1/00000000000000000000.log");
    Engine engine = bench.engine(settings("storage.parallel-recoveries", "1"));
    CompletableFuture<Boolean> start = CompletableFuture.supplyAsync(engine::start);
    EngineBench.await(
        () -> engine.state().equals(new NodeState.Recovering(1 + OFFSETS_LOG, 2 + OFFSETS_LOG)));
    assertEquals(0, engine.port());
    assertTrue(engine.controls().isEmpty());

    held.countDown();
    assertTrue(start.get());
    assertEquals(new NodeState.Serving(engine.port()), engine.state());
    assertTrue(engine.recovery().orElseThrow().scannedBytes() > 0);
  }

  @Test
  void aStopDuringRecoveryEndsItAndTheNextStartRecoversAll() throws Exception {
    leaveTopicUnclean();
    CountDownLatch held = bench.holdOpening("0/00000000000000000000.log");
    Engine engine = bench.engine(settings("storage.parallel-recoveries", "1"));
    CompletableFuture<Boolean> start = CompletableFuture.supplyAsync(engine::start);
    EngineBench.await(() -> engine.state().equals(new NodeState.Recovering(0, 2 + OFFSETS_LOG)));
    CompletableFuture<Void> stop = CompletableFuture.runAsync(engine::stop);
    EngineBench.await(() -> engine.state().equals(new NodeState.Draining()));
    held.countDown();
    stop.get();
    assertFalse(start.get());
    assertEquals(new NodeState.Stopped(), engine.state());

    Engine next = bench.started(settings());
    assertTrue(next.recovery().orElseThrow().scannedBytes() > 0);
    assertEquals(List.of("a", "b"), consume(next, 2));
  }

  @Test
  void aStopWhileTheGroupsAreReadIsNoError() throws Exception {
    CountDownLatch held = bench.holdOpening("0/00000000000000000000.log");
    Engine engine = bench.engine(settings());
    try (LogLines said = new LogLines("io.minikafka.coordinator")) {
      CompletableFuture<Boolean> start = CompletableFuture.supplyAsync(engine::start);
      EngineBench.await(() -> engine.state().equals(new NodeState.Recovering(0, 0)));
      CompletableFuture<Void> stop = CompletableFuture.runAsync(engine::stop);
      EngineBench.await(() -> engine.state().equals(new NodeState.Draining()));
      held.countDown();
      stop.get();
      assertFalse(start.get());
      assertEquals(List.of(), said.lines());
    }
    assertEquals(new NodeState.Stopped(), engine.state());
  }

  @Test
  void aRecoveryThatHangsDoesNotHoldTheStop() throws Exception {
    leaveTopicUnclean();
    CountDownLatch held = bench.holdOpening("0/00000000000000000000.log");
    Engine engine = bench.engine(settings("shutdown.flush-timeout-ms", "0"));
    CompletableFuture<Boolean> start = CompletableFuture.supplyAsync(engine::start);
    EngineBench.await(() -> engine.state().equals(new NodeState.Recovering(1, 2 + OFFSETS_LOG)));
    engine.stop();
    assertEquals(new NodeState.Draining(), engine.state());
    held.countDown();
    assertFalse(start.get());
  }

  @Test
  void aFailedForceIsFatalAndLeavesNoCleanEnd() throws Exception {
    Engine engine = bench.started(settings());
    bench.createTopic(engine, "t", 1);
    produce(engine, "a");
    bench.disk.beforeForce =
        file -> {
          if (file.toString().endsWith(".log")) {
            throw new IOException("Input/output error");
          }
        };
    ExecutionException refused = assertThrows(ExecutionException.class, () -> produce(engine, "b"));
    assertTrue(String.valueOf(refused.getMessage()).contains("STORAGE_FAILED"), refused::toString);
    EngineBench.await(() -> !bench.fatal.isEmpty());
    assertEquals(1, bench.fatal.size());
    assertInstanceOf(NodeState.Failed.class, engine.state());
    engine.stop();
    assertFalse(engine.hasEndedClean());

    bench.disk.beforeForce = file -> {};
    Engine next = bench.started(settings());
    assertTrue(next.recovery().orElseThrow().scannedBytes() > 0);
    assertEquals("a", consume(next, 1).getFirst());
  }

  @Test
  void aStopOnAFullDiskIsToldInALineWithoutATrace() throws Exception {
    Engine engine = bench.started(settings());
    List<LogRecord> told = Collections.synchronizedList(new ArrayList<>());
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            told.add(line);
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(Engine.class.getName());
    logger.addHandler(handler);
    bench.disk.beforeOpen =
        file -> {
          throw new DiskFullException("No space left on device");
        };
    try {
      engine.stop();
    } finally {
      logger.removeHandler(handler);
    }
    List<LogRecord> failed =
        told.stream().filter(line -> line.getMessage().startsWith("closing ")).toList();
    assertFalse(failed.isEmpty());
    for (LogRecord line : failed) {
      assertNull(line.getThrown());
      assertTrue(line.getMessage().endsWith("failed: No space left on device"), line::getMessage);
    }
  }

  @Test
  void aForceThatHangsDoesNotHoldTheStop() throws Exception {
    Engine engine =
        bench.started(
            settings("shutdown.flush-timeout-ms", "50", "shutdown.drain-timeout-ms", "50"));
    bench.createTopic(engine, "t", 1);
    CountDownLatch forced = new CountDownLatch(1);
    bench.disk.beforeForce =
        file -> {
          if (file.toString().endsWith(".log")) {
            EngineBench.hold(forced);
          }
        };
    try (Producer producer = producer(engine)) {
      long before = logBytes();
      CompletableFuture<?> never = producer.send(to(0, "a"));
      EngineBench.await(() -> logBytes() > before);
      engine.stop();
      assertEquals(new NodeState.Stopped(), engine.state());
      assertThrows(ExecutionException.class, () -> never.get(20, SECONDS));
    }
    forced.countDown();
  }

  @Test
  void afterTheDelayBeginsEverythingIsServedAsBefore() throws Exception {
    Engine engine = bench.started(settings("shutdown.delay-ms", "3000"));
    bench.createTopic(engine, "t", 1);
    CompletableFuture<Void> stop = CompletableFuture.runAsync(engine::stop);
    EngineBench.await(() -> engine.state().equals(new NodeState.Draining()));
    produce(engine, "a");
    assertEquals(new NodeState.Draining(), engine.state());
    stop.get();
  }

  @Test
  void aPortTakenDuringRecoveryIsToldInOneLineAndTheDirectoryIsLeftClean() throws Exception {
    leaveTopicUnclean();
    int port = FreePorts.next();
    try (ServerSocket taken = new ServerSocket()) {
      bench.disk.beforeOpen = file -> bind(taken, port);
      StartRefused refused =
          assertThrows(StartRefused.class, () -> bench.engine(settings("port", "" + port)).start());
      assertEquals(
          "the data port 127.0.0.1:%d cannot be opened: Address already in use (--port and --host"
                  .formatted(port)
              + " choose another)",
          refused.getMessage());
      bench.disk.beforeOpen = file -> {};
    }
    assertEquals(0, bench.started(settings()).recovery().orElseThrow().scannedBytes());
  }

  private static synchronized void bind(ServerSocket socket, int port) {
    try {
      if (!socket.isBound()) {
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anAddressOfAnotherMachineLeavesNothingInTheDirectory() {
    Path wrong = dir.resolve("wrong");
    StartRefused refused =
        assertThrows(
            StartRefused.class,
            () -> bench.engine(TestSettings.of(wrong, "host", "192.0.2.1")).start());
    assertEquals(
        "the data port 192.0.2.1:0 cannot be opened: Cannot assign requested address (--port and"
            + " --host choose another)",
        refused.getMessage());
    assertFalse(Files.exists(wrong));
  }

  @Test
  void aTakenPortLeavesNothingInADirectoryThatMayBeTheWrongOne() throws Exception {
    Path wrong = Files.createDirectory(dir.resolve("wrong"));
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = "" + taken.getLocalPort();
      for (Path directory : List.of(wrong, dir.resolve("not/there"))) {
        assertThrows(
            StartRefused.class,
            () -> bench.engine(TestSettings.of(directory, "port", port)).start());
      }
    }
    assertFalse(Files.exists(dir.resolve("not")));
    try (Stream<Path> left = Files.list(wrong)) {
      assertEquals(List.of(), left.toList());
    }
  }

  @Test
  void aDirectoryInUseIsToldInOneLine() throws Exception {
    bench.started(settings());
    StartRefused refused = assertThrows(StartRefused.class, () -> bench.engine(settings()).start());
    assertEquals(
        "the data directory %s is in use: %s/lock is locked by another broker in this process; stop"
                .formatted(data(), data())
            + " the other broker, or choose another directory with --data-dir",
        refused.getMessage());
  }

  @Test
  void whoeverHasThePortAndTheDirectoryIsToldOfBothAtOnce() throws Exception {
    Engine first = bench.started(settings());
    String port = "" + first.port();
    StartRefused refused =
        assertThrows(StartRefused.class, () -> bench.engine(settings("port", port)).start());
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains(":" + port + " cannot be opened: "), message);
    assertTrue(
        message.endsWith(
            "; the data directory %s is in use, too: another broker runs there".formatted(data())),
        message);
  }

  @Test
  void aDirectoryOfANewerVersionIsToldInOneLine() throws Exception {
    ByteBuffer checkpoint = ByteBuffer.allocate(24).order(ByteOrder.LITTLE_ENDIAN);
    checkpoint.put("MKC1".getBytes(StandardCharsets.US_ASCII)).putShort((short) 2).position(20);
    CRC32C crc = new CRC32C();
    crc.update(checkpoint.array(), 0, 20);
    checkpoint.putInt((int) crc.getValue());
    Files.createDirectories(data());
    Files.write(data().resolve("checkpoint"), checkpoint.array());
    StartRefused refused = assertThrows(StartRefused.class, () -> bench.engine(settings()).start());
    assertEquals(
        ("the data directory %s was written by a newer minikafka and was not touched: %s has version"
                + " 2, this broker knows version 1; start the newer version, or choose another"
                + " directory with --data-dir")
            .formatted(data(), data().resolve("checkpoint")),
        refused.getMessage());
  }

  @Test
  void aDamagedCatalogIsToldInOneLineAndNothingIsChanged() throws Exception {
    leaveTopicUnclean();
    Path catalog = data().resolve("meta").resolve("topics");
    byte[] damaged = Files.readAllBytes(catalog);
    damaged[damaged.length - 1] ^= 1;
    Files.write(catalog, damaged);
    StartRefused refused = assertThrows(StartRefused.class, () -> bench.engine(settings()).start());
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains(catalog.toString()), message);
    assertFalse(message.contains("\n"), message);
    assertEquals(-1, Files.mismatch(catalog, Files.write(dir.resolve("copy"), damaged)));
  }

  private Path data() {
    return dir.resolve("data");
  }

  private BrokerSettings settings(String... namesAndValues) {
    return TestSettings.of(data(), namesAndValues);
  }

  /** Topic t with "a" in partition 0 and "b" in 1, as a broker that was killed leaves it. */
  private void leaveTopicUnclean() throws Exception {
    Engine engine = bench.started(settings());
    bench.createTopic(engine, "t", 2);
    try (Producer producer = producer(engine)) {
      producer.send(to(0, "a")).get();
      producer.send(to(1, "b")).get();
    }
    Path copy = EngineBench.copy(data(), dir.resolve("killed"));
    engine.stop();
    EngineBench.delete(data());
    Files.move(copy, data());
  }

  private long logBytes() throws IOException {
    long bytes = 0;
    for (Path file : logs()) {
      bytes += file.endsWith("spare.log") ? 0 : Files.size(file);
    }
    return bytes;
  }

  /** Looks again where a file, such as that of a checkpoint, has gone meanwhile. */
  private List<Path> logs() throws IOException {
    while (true) {
      try (Stream<Path> files = Files.walk(data())) {
        return files.filter(path -> path.toString().endsWith(".log")).toList();
      } catch (UncheckedIOException e) {
        if (!(e.getCause() instanceof NoSuchFileException)) {
          throw e;
        }
      }
    }
  }

  private static ClientSettings client(Engine engine) {
    return ClientSettings.builder(new ServerAddress("127.0.0.1", engine.port()))
        .outageMs(0)
        .build();
  }

  private static Producer producer(Engine engine) {
    return Producer.open(ProducerSettings.builder(client(engine)).build());
  }

  private static void produce(Engine engine, String... values) throws Exception {
    try (Producer producer = producer(engine)) {
      for (String value : values) {
        producer.send(to(0, value)).get(30, SECONDS);
      }
    }
  }

  /** Values of all partitions of t, in their order. */
  private static List<String> consume(Engine engine, int count) {
    List<String> values = new ArrayList<>();
    try (Consumer consumer = Consumer.open(ConsumerSettings.builder(client(engine)).build())) {
      List<TopicPartition> partitions = new ArrayList<>();
      for (int i = 0; i < consumer.partitionCount("t"); i++) {
        partitions.add(new TopicPartition("t", i));
      }
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      while (values.size() < count) {
        consumer
            .poll(Duration.ofSeconds(10))
            .forEach(
                record ->
                    values.add(
                        new String(
                            record.value().orElseThrow().toArray(), StandardCharsets.UTF_8)));
      }
    }
    values.sort(null);
    return values;
  }

  private static ProducerRecord to(int partition, String value) {
    return ProducerRecord.of("t", value.getBytes(StandardCharsets.UTF_8)).inPartition(partition);
  }
}
