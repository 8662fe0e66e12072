package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.EngineObserver;
import io.minikafka.PartitionId;
import io.minikafka.storage.Disk;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Runs recoveries on real files and remembers what was told. */
final class RecoveryRig implements EngineObserver {
  static final int INDEX_INTERVAL_BYTES = 256;

  final Path data;
  final Path directory;
  final Disk disk;
  final List<String> strangers = new ArrayList<>();
  final List<String> damaged = new ArrayList<>();
  final List<String> offline = new ArrayList<>();

  /** When damage is found. */
  static final long NOW_MS = 1_750_000_000_000L;

  long quarantineBytes = Long.MAX_VALUE;
  boolean startsAreExact = true;

  RecoveryRig(Path data, Disk disk) {
    this.data = data;
    this.directory = LogFiles.partition(data, WrittenLog.ID);
    this.disk = disk;
  }

  RecoveredLog unclean(CheckpointEntry known) throws IOException {
    return recover(Optional.of(known), false);
  }

  RecoveredLog clean(CheckpointEntry known) throws IOException {
    return recover(Optional.of(known), true);
  }

  /** Without a checkpoint that knows the log. */
  RecoveredLog unknown() throws IOException {
    return recover(Optional.empty(), false);
  }

  private RecoveredLog recover(Optional<CheckpointEntry> known, boolean clean) throws IOException {
    Recovery recovery =
        new Recovery(
            disk,
            data,
            this,
            new Strangers(disk, data, this),
            new Quarantine(disk, data, this, quarantineBytes),
            startsAreExact,
            () -> Instant.ofEpochMilli(NOW_MS));
    return recovery.recover(WrittenLog.ID, known, clean, INDEX_INTERVAL_BYTES);
  }

  void flip(Path file, int position, int bit) throws IOException {
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.seek(position);
      int value = out.read();
      out.seek(position);
      out.write(value ^ 1 << bit);
    }
  }

  void truncate(Path file, long bytes) throws IOException {
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.setLength(bytes);
    }
  }

  void overwrite(Path file, long position, byte[] with) throws IOException {
    try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
      out.seek(position);
      out.write(with);
    }
  }

  /** What lies in quarantine, in name order. */
  List<byte[]> quarantined() throws IOException {
    List<byte[]> all = new ArrayList<>();
    if (Files.exists(LogFiles.quarantine(data))) {
      try (Stream<Path> files = Files.list(LogFiles.quarantine(data)).sorted()) {
        for (Path file : files.toList()) {
          all.add(Files.readAllBytes(file));
        }
      }
    }
    return all;
  }

  void clearQuarantine() throws IOException {
    for (String name : disk.list(LogFiles.quarantine(data))) {
      disk.delete(LogFiles.quarantine(data).resolve(name));
    }
  }

  /** Names and content of the log's files. */
  TreeMap<String, List<Byte>> image() throws IOException {
    TreeMap<String, List<Byte>> image = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        List<Byte> content = new ArrayList<>();
        for (byte value : Files.readAllBytes(file)) {
          content.add(value);
        }
        image.put(file.getFileName().toString(), content);
      }
    }
    return image;
  }

  void assertServes(RecoveredLog log, TreeMap<Long, String> values) throws IOException {
    assertEquals(values, WrittenLog.served(directory, log));
  }

  /** The log ends there and takes appends; nothing is damaged. */
  void assertOpenAt(RecoveredLog log, long end) {
    assertEquals("", log.offline());
    assertTrue(log.readable());
    assertEquals(end, log.end());
    assertEquals(List.of(), log.damage().ranges());
  }

  @Override
  public void onStranger(String path, String what) {
    strangers.add(data.relativize(Path.of(path)) + " " + what);
  }

  @Override
  public void onDamage(PartitionId partition, long from, long to, String what) {
    damaged.add(from + "…" + to);
  }

  @Override
  public void onOffline(PartitionId partition, String reason) {
    offline.add(reason);
  }
}
