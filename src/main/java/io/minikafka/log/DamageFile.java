package io.minikafka.log;

import static io.minikafka.codec.Codecs.I64;
import static io.minikafka.codec.Codecs.STR;
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
 * Keeps the damaged ranges of a log over a restart, because most starts read only the end of it,
 * and that its end was refused. There is a file only while there is damage.
 *
 * <pre>
 * u32 magic "MKD1" · u16 version 2 · u16 flags (1 end refused) · u32 n · n × range · u32 crc32c
 * range: u64 from · u64 to · u64 segmentBase · u32 fromPosition · u32 toPosition · str what · i64 foundMs
 * </pre>
 *
 * <p>In version 1, which is still read, ranges end before {@code foundMs}.
 *
 * <p>A damaged one is no loss: whoever cannot read it reads the whole log again. Stateless.
 */
final class DamageFile {
  /** "MKD1" read as a little-endian word. */
  static final int MAGIC = 'M' | 'K' << 8 | 'D' << 16 | '1' << 24;

  static final int VERSION = 2;

  private static final int WITHOUT_TIMES = 1;

  private static final int FLAG_END_REFUSED = 1;
  private static final int VERSION_AT = 4;
  private static final int LEAST_BYTES = 16;

  /** Of one that is believed: more ranges are dearer to remember than to find again. */
  private static final int MOST_BYTES = 16 << 20;

  private static final Codec<DamageRange> RANGE =
      Messages.of(
          DamageRange::new,
          field("from", U64, DamageRange::from),
          field("to", U64, DamageRange::to),
          field("segmentBase", U64, DamageRange::segmentBase),
          field("fromPosition", U32, DamageRange::fromPosition),
          field("toPosition", U32, DamageRange::toPosition),
          field("what", STR, DamageRange::what),
          field("foundMs", I64, DamageRange::foundMs));

  private static final Codec<DamageRange> RANGE_WITHOUT_TIME =
      Messages.of(
          DamageRange::new,
          field("from", U64, DamageRange::from),
          field("to", U64, DamageRange::to),
          field("segmentBase", U64, DamageRange::segmentBase),
          field("fromPosition", U32, DamageRange::fromPosition),
          field("toPosition", U32, DamageRange::toPosition),
          field("what", STR, DamageRange::what));

  private record Content(int magic, int version, int flags, List<DamageRange> ranges) {}

  private static final Codec<Content> CONTENT = content(RANGE);
  private static final Codec<Content> CONTENT_WITHOUT_TIMES = content(RANGE_WITHOUT_TIME);

  private static Codec<Content> content(Codec<DamageRange> range) {
    return Messages.of(
        Content::new,
        field("magic", U32, Content::magic),
        field("version", U16, Content::version),
        field("flags", U16, Content::flags),
        field("ranges", list(range), Content::ranges));
  }

  private DamageFile() {}

  /**
   * @return no ranges if there is no file; empty if there is one that is damaged
   * @throws IOException also if a newer broker wrote it
   */
  static Optional<DamageRanges> load(Disk disk, Path partition) throws IOException {
    Path file = LogFiles.damage(partition);
    if (!disk.exists(file)) {
      return Optional.of(DamageRanges.NONE);
    }
    if (!disk.isRegularFile(file)) {
      throw new IOException(file + " is no regular file");
    }
    if (disk.size(file) > MOST_BYTES) {
      return Optional.empty();
    }
    Optional<ByteBuffer> content = AtomicFile.read(disk, file);
    if (content.isEmpty()) {
      return Optional.of(DamageRanges.NONE);
    }
    ByteBuffer in = content.get().slice().order(ByteOrder.LITTLE_ENDIAN);
    if (in.limit() < LEAST_BYTES || in.getInt(0) != MAGIC || !TrailingCrc.holds(in)) {
      return Optional.empty();
    }
    int version = in.getShort(VERSION_AT) & 0xffff;
    if (version != VERSION && version != WITHOUT_TIMES) {
      throw new IOException(
          "%s has version %d, this broker knows %d".formatted(file, version, VERSION));
    }
    try {
      Codec<Content> codec = version == VERSION ? CONTENT : CONTENT_WITHOUT_TIMES;
      Content ranges = codec.readAll(TrailingCrc.body(in));
      return Optional.of(new DamageRanges(ranges.ranges, (ranges.flags & FLAG_END_REFUSED) != 0));
    } catch (MalformedException e) {
      return Optional.empty();
    }
  }

  /** Durable when this returns. */
  static void save(Disk disk, Path partition, DamageRanges ranges) throws IOException {
    Path file = LogFiles.damage(partition);
    if (ranges.count() == 0 && !ranges.endRefused()) {
      if (disk.exists(file)) {
        disk.delete(file);
        disk.forceNames(partition);
      }
      return;
    }
    int flags = ranges.endRefused() ? FLAG_END_REFUSED : 0;
    Content content = new Content(MAGIC, VERSION, flags, ranges.ranges());
    AtomicFile.replace(disk, file, TrailingCrc.seal(CONTENT, content));
  }
}
