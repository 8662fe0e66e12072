package io.minikafka.log;

import static io.minikafka.codec.Codecs.I64;
import static io.minikafka.codec.Codecs.U16;
import static io.minikafka.codec.Codecs.U32;
import static io.minikafka.codec.Codecs.U64;
import static io.minikafka.codec.Codecs.list;
import static io.minikafka.codec.Field.field;

import io.minikafka.codec.Codec;
import io.minikafka.codec.MalformedException;
import io.minikafka.codec.Messages;
import io.minikafka.storage.AtomicFile;
import io.minikafka.storage.Disk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Keeps a log's {@link CompactionHistory} over a restart.
 *
 * <pre>
 * u32 magic "MKH1" · u16 version 1 · u16 0 · u32 n · n × run · u32 crc32c
 * run: u64 to · i64 firstMs · i64 lastMs · u64 tombstones
 * </pre>
 *
 * <p>Without it, or if it cannot be read, everything counts as never seen: tombstones stay longer
 * and the log is compacted from its start, and nothing else is lost. Stateless.
 */
final class CompactionFile {
  /** "MKH1" read as a little-endian word. */
  static final int MAGIC = 'M' | 'K' << 8 | 'H' << 16 | '1' << 24;

  static final int VERSION = 1;

  private static final int LEAST_BYTES = 16;
  private static final int MOST_BYTES = LEAST_BYTES + 32 * CompactionHistory.MOST_RUNS;

  private static final Codec<CompactionHistory.Run> RUN =
      Messages.of(
          CompactionHistory.Run::new,
          field("to", U64, CompactionHistory.Run::to),
          field("firstMs", I64, CompactionHistory.Run::firstMs),
          field("lastMs", I64, CompactionHistory.Run::lastMs),
          field("tombstones", U64, CompactionHistory.Run::tombstones));

  private record Content(int magic, int version, int flags, List<CompactionHistory.Run> runs) {}

  private static final Codec<Content> CONTENT =
      Messages.of(
          Content::new,
          field("magic", U32, Content::magic),
          field("version", U16, Content::version),
          field("flags", U16, Content::flags),
          field("runs", list(RUN), Content::runs));

  private CompactionFile() {}

  /**
   * @return nothing known if there is no file; empty if there is one that says nothing that can be
   *     believed
   */
  static Optional<CompactionHistory> load(Disk disk, Path partition) throws IOException {
    Path file = LogFiles.compaction(partition);
    if (!disk.exists(file)) {
      return Optional.of(CompactionHistory.NONE);
    }
    if (!disk.isRegularFile(file) || disk.size(file) > MOST_BYTES) {
      return Optional.empty();
    }
    Optional<ByteBuffer> content = AtomicFile.read(disk, file);
    if (content.isEmpty()) {
      return Optional.of(CompactionHistory.NONE);
    }
    return decode(content.get().slice().order(ByteOrder.LITTLE_ENDIAN));
  }

  static Optional<CompactionHistory> decode(ByteBuffer in) {
    if (in.limit() < LEAST_BYTES || in.getInt(0) != MAGIC || !TrailingCrc.holds(in)) {
      return Optional.empty();
    }
    try {
      Content content = CONTENT.readAll(TrailingCrc.body(in));
      boolean known = content.version == VERSION && content.flags == 0 && rise(content.runs);
      return known ? Optional.of(new CompactionHistory(content.runs)) : Optional.empty();
    } catch (MalformedException e) {
      return Optional.empty();
    }
  }

  private static boolean rise(List<CompactionHistory.Run> runs) {
    long to = 0;
    for (CompactionHistory.Run run : runs) {
      if (run.to() <= to || run.tombstones() < 0) {
        return false;
      }
      to = run.to();
    }
    return true;
  }

  static ByteBuffer encode(CompactionHistory history) {
    return TrailingCrc.seal(CONTENT, new Content(MAGIC, VERSION, 0, history.runs()));
  }

  /** Durable when this returns. */
  static void save(Disk disk, Path partition, CompactionHistory history) throws IOException {
    AtomicFile.replace(disk, LogFiles.compaction(partition), encode(history));
  }
}
