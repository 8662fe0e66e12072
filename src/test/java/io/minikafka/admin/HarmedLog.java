package io.minikafka.admin;

import com.google.protobuf.ByteString;
import io.minikafka.admin.v1.AppendRecord;
import io.minikafka.admin.v1.LogServiceAppendRequest;
import io.minikafka.admin.v1.LogServiceFlushRequest;
import io.minikafka.admin.v1.LogServiceRepairPartitionRequest;
import io.minikafka.admin.v1.LogServiceTailRequest;
import io.minikafka.admin.v1.LogServiceTailResponse;
import io.minikafka.admin.v1.LogServiceVerifyRequest;
import io.minikafka.admin.v1.LogServiceVerifyResponse;
import io.minikafka.admin.v1.RepairAction;
import io.minikafka.admin.v1.VerifyFinding;
import io.minikafka.log.WatchedDisk;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * A topic of two partitions behind the control plane, over real logs on a disk that the test has a
 * hand on. The first holds offsets 0 to 39 in four segments of two batches.
 */
final class HarmedLog implements AutoCloseable {
  static final String NAME = "harmed";

  private static final int BATCH = 5;
  private static final int BATCHES = 8;

  final Path data;
  final WatchedDisk disk = new WatchedDisk();
  final ControlPlane client;
  final Path directory;
  private final FakeBroker broker;

  HarmedLog(FakeBroker broker, URI http, Path data) throws IOException {
    this.broker = broker;
    this.data = data;
    broker.restart(data, disk);
    this.client = new ControlPlane(http);
    String id =
        client
            .topics
            .create(client.request(NAME, 2).putSettings("segment.bytes", "2048").build())
            .getTopic()
            .getId();
    this.directory = data.resolve(id);
    for (int i = 0; i < BATCHES; i++) {
      append(0);
    }
    append(1);
    client.logs.flush(LogServiceFlushRequest.newBuilder().setTopic(NAME).build());
  }

  void append(int partition) {
    LogServiceAppendRequest.Builder request =
        LogServiceAppendRequest.newBuilder().setTopic(NAME).setPartition(partition);
    for (int i = 0; i < BATCH; i++) {
      request.addRecords(AppendRecord.newBuilder().setValue(ByteString.copyFrom(new byte[100])));
    }
    client.logs.append(request.build());
  }

  Path segment(int partition, long base) {
    return directory.resolve("%d/%020d.log".formatted(partition, base));
  }

  /** Flips a bit in the second batch of the segment at offset 10: 15 to 19 are damaged. */
  void harm() throws IOException {
    Path file = segment(0, 10);
    long position = Files.size(file) / 2 + 200;
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.seek(position);
      int value = out.read();
      out.seek(position);
      out.write(value ^ 16);
    }
  }

  static LogServiceVerifyRequest all() {
    return LogServiceVerifyRequest.newBuilder().setTopic(NAME).build();
  }

  List<LogServiceVerifyResponse> verify() {
    List<LogServiceVerifyResponse> parts = new ArrayList<>();
    client.logs.verify(all()).forEachRemaining(parts::add);
    return parts;
  }

  List<VerifyFinding> findings() {
    return verify().stream().flatMap(part -> part.getFindingsList().stream()).toList();
  }

  LogServiceRepairPartitionRequest repair(RepairAction action, long offset) {
    return LogServiceRepairPartitionRequest.newBuilder()
        .setTopic(NAME)
        .setPartition(0)
        .setAction(action)
        .setOffset(offset)
        .build();
  }

  /** What is seen from an offset on: offsets of records, and gaps. */
  List<String> seen(long from) {
    List<String> seen = new ArrayList<>();
    see(from, seen);
    return seen;
  }

  /**
   * @param seen gets what came, also if the call fails behind it
   */
  void see(long from, List<String> seen) {
    client
        .logs
        .tail(LogServiceTailRequest.newBuilder().setTopic(NAME).setFromOffset(from).build())
        .forEachRemaining(part -> seen.add(text(part)));
  }

  private static String text(LogServiceTailResponse part) {
    return part.hasRecord()
        ? Long.toString(part.getRecord().getOffset())
        : "%d–%d%s"
            .formatted(
                part.getGap().getFromOffset(),
                part.getGap().getToOffset(),
                part.getGap().getLost() ? " lost" : "");
  }

  /** Offsets as {@link #seen} tells them. */
  static List<String> records(long from, long to) {
    return Stream.iterate(from, offset -> offset < to, offset -> offset + 1)
        .map(offset -> Long.toString(offset))
        .toList();
  }

  /** All files of the topic and all copies, with what is in them. */
  TreeMap<String, List<Byte>> files() throws IOException {
    TreeMap<String, List<Byte>> files = new TreeMap<>();
    for (Path top : List.of(directory, data.resolve("quarantine"))) {
      if (Files.exists(top)) {
        try (Stream<Path> all = Files.walk(top)) {
          for (Path file : all.filter(Files::isRegularFile).toList()) {
            List<Byte> bytes = new ArrayList<>();
            for (byte each : Files.readAllBytes(file)) {
              bytes.add(each);
            }
            files.put(data.relativize(file).toString(), bytes);
          }
        }
      }
    }
    return files;
  }

  @Override
  public void close() throws IOException {
    client.close();
    broker.close();
  }
}
