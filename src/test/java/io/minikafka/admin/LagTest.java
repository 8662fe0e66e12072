package io.minikafka.admin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.Duration;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.minikafka.admin.v1.Group;
import io.minikafka.admin.v1.GroupServiceDescribeRequest;
import io.minikafka.admin.v1.GroupServiceDescribeResponse;
import io.minikafka.admin.v1.GroupServiceGrpc;
import io.minikafka.admin.v1.GroupServiceListRequest;
import io.minikafka.admin.v1.GroupServiceWatchLagRequest;
import io.minikafka.admin.v1.PartitionLag;
import io.minikafka.cli.Commands;
import io.minikafka.ops.GroupGauges;
import io.minikafka.partition.Durability;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import io.quarkus.test.junit.TestProfile;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * Lag is never negative, and the same whoever is asked: Describe, WatchLag, List for the sums, the
 * command line, and the metrics.
 */
@QuarkusTest
@Timeout(60)
@TestProfile(LogBrokerProfile.class)
class LagTest {
  private static final String GROUP = "billing";

  /** One record fills a segment, so that retention has something to take. */
  private static final Map<String, String> SMALL_SEGMENTS =
      Map.of("segment.bytes", "1024", "retention.ms", "20000");

  @Inject LogBroker broker;

  @TestHTTPResource URI http;

  @TempDir Path directory;

  private ControlPlane client;
  private GroupServiceGrpc.GroupServiceBlockingStub groups;

  @BeforeEach
  void start() throws IOException {
    broker.at(0);
    broker.start(directory.resolve("data"));
    client = new ControlPlane(http);
    groups = GroupServiceGrpc.newBlockingStub(client.channel);
  }

  @AfterEach
  void end() throws IOException {
    client.close();
    broker.end();
  }

  private GroupServiceDescribeResponse describe() {
    return groups.describe(GroupServiceDescribeRequest.newBuilder().setGroup(GROUP).build());
  }

  /** Of the only partition. */
  private PartitionLag only() {
    assertEquals(1, describe().getPartitionsCount());
    return describe().getPartitions(0);
  }

  /** One record a second, the first at 0 s. */
  private void appendEverySecond(int records, int valueBytes) {
    for (int i = 0; i < records; i++) {
      broker.at(i);
      broker.append("orders", 0, valueBytes);
    }
  }

  /**
   * @param expected "topic-partition records seconds", with a dash where a number is not known
   */
  private void assertLag(String... expected) {
    List<String> lines = List.of(expected);
    assertEquals(lines, described(), "Describe");
    assertEquals(lines, watched(), "WatchLag");
    assertEquals(lines, printed(), "the command line");
    Map<String, String> measured = measured();
    Map<String, String> known = new TreeMap<>();
    for (String line : lines) {
      String[] words = line.split(" ");
      if (!words[1].equals("-")) {
        known.put(words[0], words[1] + " " + (words[2].equals("-") ? "NaN" : words[2]));
      }
    }
    assertEquals(known, measured, "the metrics");
    Group listed = groups.list(GroupServiceListRequest.getDefaultInstance()).getGroups(0);
    assertEquals(
        lines.stream()
            .map(line -> line.split(" ")[1])
            .filter(lag -> !lag.equals("-"))
            .mapToLong(Long::parseLong)
            .sum(),
        listed.getTotalLagRecords());
    assertEquals(
        lines.stream().filter(line -> line.split(" ")[1].equals("-")).count(),
        listed.getUnknownLagPartitionCount());
    assertEquals(describe().getGroup(), listed);
  }

  private List<String> described() {
    return describe().getPartitionsList().stream().map(LagTest::line).toList();
  }

  private List<String> watched() {
    var looks =
        groups
            .withDeadlineAfter(20, TimeUnit.SECONDS)
            .watchLag(GroupServiceWatchLagRequest.newBuilder().addGroups(GROUP).build());
    return looks.next().getGroups(0).getPartitionsList().stream().map(LagTest::line).toList();
  }

  private static String line(PartitionLag lag) {
    assertTrue(lag.getLagRecords() >= 0 && lag.getDeletedUnreadRecords() >= 0, lag.toString());
    return "%s-%d %s %s"
        .formatted(
            lag.getTopic(),
            lag.getPartition(),
            lag.hasLagRecords() ? lag.getLagRecords() : "-",
            lag.hasLagTime() ? seconds(lag.getLagTime()) : "-");
  }

  private static String seconds(Duration duration) {
    return seconds(duration.getSeconds() + duration.getNanos() / 1e9);
  }

  private static String seconds(double seconds) {
    return String.format(Locale.ROOT, "%.3f", seconds);
  }

  private List<String> printed() {
    StringWriter out = new StringWriter();
    Class<?> lag = Objects.requireNonNull(Commands.ALL.get("lag"));
    int exit =
        new CommandLine(lag)
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setOut(new PrintWriter(out, true))
            .execute("--group", GROUP, "--admin", http.getHost() + ":" + http.getPort());
    assertEquals(0, exit);
    return out.toString()
        .lines()
        .skip(1)
        .filter(line -> !line.startsWith("total: "))
        .map(line -> line.split(" +"))
        .map(cells -> cells[1] + "-" + cells[2] + " " + cells[5] + " " + cells[6])
        .toList();
  }

  private Map<String, String> measured() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    new GroupGauges(registry, broker.coordinator(), 100).look(broker.inspection()).join();
    Map<String, String> measured = new TreeMap<>();
    registry
        .find("minikafka.group.lag.records")
        .gauges()
        .forEach(
            records -> {
              String topic = String.valueOf(records.getId().getTag("topic"));
              String partition = String.valueOf(records.getId().getTag("partition"));
              double seconds =
                  registry
                      .get("minikafka.group.lag")
                      .tags("topic", topic, "partition", partition)
                      .gauge()
                      .value();
              measured.put(
                  topic + "-" + partition, (long) records.value() + " " + seconds(seconds));
            });
    return measured;
  }

  private double uncommitted() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    new GroupGauges(registry, broker.coordinator(), 100).look(broker.inspection()).join();
    return registry.get("minikafka.group.uncommitted.partitions").gauge().value();
  }

  @Test
  void consumerThatStoppedAfterFiveOfTenSecondsIsFiveSecondsBehind() {
    broker.create("orders", 1, Map.of());
    appendEverySecond(10, 10);
    broker.commit(GROUP, "orders", 0, 5);
    broker.at(10);
    assertLag("orders-0 5 5.000");
    broker.at(12);
    assertLag("orders-0 5 7.000");
  }

  @Test
  void nothingIsLeftWhenAllIsConsumed() {
    broker.create("orders", 2, Map.of());
    appendEverySecond(10, 10);
    broker.commit(GROUP, "orders", 0, 10);
    broker.commit(GROUP, "orders", 1, 0);
    broker.at(100);
    assertLag("orders-0 0 0.000", "orders-1 0 0.000");
  }

  @Test
  void retentionPastTheCommitLeavesTheLagOfWhatCanStillBeRead() {
    broker.create("orders", 1, SMALL_SEGMENTS);
    appendEverySecond(10, 900);
    broker.commit(GROUP, "orders", 0, 2);
    broker.at(10);
    assertLag("orders-0 8 8.000");
    assertEquals(0, only().getDeletedUnreadRecords());
    assertEquals(
        "12.001", seconds(only().getTimeUntilDeletion()), "20 s and 1 ms after it was appended");

    broker.at(25);
    awaitRetention(5);
    assertLag("orders-0 5 20.000");
    assertEquals(5, only().getLogStartOffset());
    assertEquals(3, only().getDeletedUnreadRecords());
    assertEquals("0.001", seconds(only().getTimeUntilDeletion()));
    broker.at(26);
    assertEquals("0.000", seconds(only().getTimeUntilDeletion()), "it is due");
    awaitRetention(6);
    assertLag("orders-0 4 20.000");
  }

  private void awaitRetention(long start) {
    LogBroker.await(
        "the log starts at " + start,
        () -> {
          broker.housekeep();
          return broker.partition("orders", 0).snapshot().start() == start;
        });
  }

  @Test
  void retentionOfAllThatWasUnreadLeavesNone() {
    broker.create("orders", 1, Map.of());
    appendEverySecond(10, 10);
    broker.commit(GROUP, "orders", 0, 2);
    trim(10);
    assertLag("orders-0 0 0.000");
    assertEquals(8, only().getDeletedUnreadRecords());
    assertFalse(only().hasTimeUntilDeletion());
  }

  private void trim(long offset) {
    try {
      broker.partition("orders", 0).trimTo(offset);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void bytesUntilDeletionAreToldWhereSizeBoundsTheLog() {
    broker.create("orders", 1, Map.of("segment.bytes", "1024", "retention.bytes", "20000"));
    appendEverySecond(10, 900);
    broker.commit(GROUP, "orders", 0, 2);
    long batchBytes = broker.partition("orders", 0).stats().orElseThrow().bytes() / 10;
    assertEquals(20_000 - 7 * batchBytes, only().getBytesUntilDeletion());
    broker.commit(GROUP, "orders", 0, 10);
    assertFalse(only().hasBytesUntilDeletion());
  }

  /** What a power loss leaves of a topic whose records are not forced. */
  @Test
  void tailThatWasCutBelowTheCommitLeavesNoLag() throws IOException {
    broker.create("orders", 1, Map.of());
    for (int i = 0; i < 10; i++) {
      broker.append("orders", 0, 10, Durability.WRITTEN);
    }
    broker.commit(GROUP, "orders", 0, 10);
    String id = broker.partition("orders", 0).id().topicId().toString();
    Path left = directory.resolve("left");
    copy(directory.resolve("data"), left);
    broker.end();
    Path log;
    try (Stream<Path> files = Files.walk(left)) {
      log =
          files
              .filter(file -> file.toString().contains(id) && file.toString().endsWith(".log"))
              .findFirst()
              .orElseThrow();
    }
    try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
      file.setLength(file.length() / 2);
    }
    broker.start(left);
    assertEquals(5, broker.partition("orders", 0).highWatermark());
    assertLag("orders-0 0 0.000");
    assertEquals(5, only().getCommittedOffset());
    broker.at(60);
    broker.append("orders", 0, 10);
    broker.at(63);
    assertLag("orders-0 1 3.000");
  }

  private static void copy(Path from, Path to) throws IOException {
    List<Path> files;
    try (Stream<Path> walk = Files.walk(from)) {
      files = walk.toList();
    }
    for (Path file : files) {
      Files.copy(file, to.resolve(from.relativize(file).toString()));
    }
  }

  @Test
  void topicThatIsMadeAnewHasNothingOfTheOldOne() {
    broker.create("orders", 1, Map.of());
    appendEverySecond(10, 10);
    broker.commit(GROUP, "orders", 0, 8);
    broker.delete("orders");
    broker.create("orders", 1, Map.of());
    broker.join(GROUP, "m1", "orders");
    assertLag("orders-0 - -");
    broker.at(20);
    broker.append("orders", 0, 10);
    assertLag("orders-0 - -");
  }

  @Test
  void commitInTopicThatIsMadeAnewCountsFromItsOwnBeginning() {
    broker.create("orders", 1, Map.of());
    appendEverySecond(10, 10);
    broker.commit(GROUP, "orders", 0, 8);
    assertLag("orders-0 2 1.000");
    broker.delete("orders");
    broker.create("orders", 1, Map.of());
    broker.at(20);
    broker.append("orders", 0, 10);
    broker.commit(GROUP, "orders", 0, 0);
    broker.at(24);
    assertLag("orders-0 1 4.000");
  }

  @Test
  void withoutACommitNothingIsKnownAndThePartitionIsCounted() {
    broker.create("orders", 2, Map.of());
    appendEverySecond(10, 10);
    broker.join(GROUP, "m1", "orders");
    assertLag("orders-0 - -", "orders-1 - -");
    assertFalse(only0().hasCommittedOffset());
    assertEquals("m1", only0().getOwner());
    assertEquals(10, only0().getHighWatermark());
    assertEquals(2, uncommitted());
    assertFalse(describe().getGroup().hasMaxLagTime());
  }

  private PartitionLag only0() {
    return describe().getPartitions(0);
  }

  @Test
  void damagedRecordHasALagInRecordsAndNoAge() throws IOException {
    broker.create("orders", 1, SMALL_SEGMENTS);
    appendEverySecond(4, 900);
    broker.commit(GROUP, "orders", 0, 1);
    String id = broker.partition("orders", 0).id().topicId().toString();
    broker.end();
    List<Path> segments = new ArrayList<>();
    try (Stream<Path> files = Files.walk(directory.resolve("data"))) {
      files
          .filter(file -> file.toString().contains(id) && file.toString().endsWith(".log"))
          .sorted()
          .forEach(segments::add);
    }
    try (RandomAccessFile file = new RandomAccessFile(segments.get(1).toFile(), "rw")) {
      file.setLength(300);
    }
    broker.start(directory.resolve("data"));
    broker.at(10);
    assertLag("orders-0 3 -");
  }
}
