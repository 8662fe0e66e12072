package io.minikafka.log;

import static io.minikafka.codec.Codecs.I64;
import static io.minikafka.codec.Codecs.ID;
import static io.minikafka.codec.Codecs.U16;
import static io.minikafka.codec.Codecs.U32;
import static io.minikafka.codec.Codecs.U64;
import static io.minikafka.codec.Codecs.list;
import static io.minikafka.codec.Field.field;

import io.minikafka.PartitionId;
import io.minikafka.codec.Codec;
import io.minikafka.codec.MalformedException;
import io.minikafka.codec.Messages;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/**
 * What a broker wrote down of all its logs at one moment, so that the next start need not read them
 * whole.
 *
 * <pre>
 * u32 magic "MKC1" · u16 version 1 · u16 flags (1 clean) · u64 number · u32 n · n × entry · u32 crc32c
 * entry: id topic · u32 partition · u32 logEpoch · u64 start · u64 durable · u64 openOffset
 *        u64 end · u32 endPosition · u32 lastMarkerCrc
 * </pre>
 *
 * @param number rises with each one written; 1 or more
 * @param clean whether it was the last thing its broker did: every log was forced and closed
 * @param entries one a log, in no order
 */
record Checkpoint(long number, boolean clean, List<CheckpointEntry> entries) {
  /** "MKC1" read as a little-endian word. */
  static final int MAGIC = 'M' | 'K' << 8 | 'C' << 16 | '1' << 24;

  static final int VERSION = 1;

  private static final int FLAG_CLEAN = 1;
  private static final int VERSION_AT = 4;

  /** Of one without entries. */
  private static final int LEAST_BYTES = 24;

  private static final Codec<CheckpointEntry> ENTRY =
      Messages.of(
          (topic, partition, epoch, start, durable, open, end, endPosition, crc) ->
              new CheckpointEntry(
                  new PartitionId(topic, partition),
                  epoch,
                  start,
                  durable,
                  open,
                  end,
                  endPosition,
                  crc),
          field("topic", ID, (CheckpointEntry e) -> e.id().topicId()),
          field("partition", U32, (CheckpointEntry e) -> e.id().partition()),
          field("logEpoch", U32, CheckpointEntry::logEpoch),
          field("start", U64, CheckpointEntry::start),
          field("durable", U64, CheckpointEntry::durable),
          field("openOffset", U64, CheckpointEntry::openOffset),
          field("end", U64, CheckpointEntry::end),
          field("endPosition", U32, CheckpointEntry::endPosition),
          field("lastMarkerCrc", U32, CheckpointEntry::lastMarkerCrc));

  private record Content(
      int magic, int version, int flags, long number, List<CheckpointEntry> entries) {}

  private static final Codec<Content> CONTENT =
      Messages.of(
          Content::new,
          field("magic", U32, Content::magic),
          field("version", U16, Content::version),
          field("flags", U16, Content::flags),
          field("number", I64, Content::number),
          field("entries", list(ENTRY), Content::entries));

  /** What a file that should be a checkpoint turned out to be. */
  sealed interface Decoded {
    record Valid(Checkpoint checkpoint) implements Decoded {}

    record Damaged(String what) implements Decoded {}

    /** The checksum is right, so this is no damage: a newer broker wrote it. */
    record NewerVersion(int version) implements Decoded {}
  }

  ByteBuffer encode() {
    return TrailingCrc.seal(
        CONTENT, new Content(MAGIC, VERSION, clean ? FLAG_CLEAN : 0, number, entries));
  }

  static Decoded decode(ByteBuffer file) {
    ByteBuffer in = file.slice().order(ByteOrder.LITTLE_ENDIAN);
    if (in.remaining() < LEAST_BYTES) {
      return new Decoded.Damaged("%d bytes are too few".formatted(in.remaining()));
    }
    if (in.getInt(0) != MAGIC) {
      return new Decoded.Damaged("it does not begin with MKC1");
    }
    if (!TrailingCrc.holds(in)) {
      return new Decoded.Damaged("its checksum does not match its bytes");
    }
    int version = in.getShort(VERSION_AT) & 0xffff;
    if (version != VERSION) {
      return new Decoded.NewerVersion(version);
    }
    try {
      Content content = CONTENT.readAll(TrailingCrc.body(in));
      boolean clean = (content.flags & FLAG_CLEAN) != 0;
      return content.entries.stream().allMatch(Checkpoint::isPossible)
          ? new Decoded.Valid(new Checkpoint(content.number, clean, content.entries))
          : new Decoded.Damaged("an entry has an impossible number");
    } catch (MalformedException e) {
      return new Decoded.Damaged(String.valueOf(e.getMessage()));
    }
  }

  private static boolean isPossible(CheckpointEntry entry) {
    return entry.logEpoch() >= 0
        && entry.start() >= 0
        && entry.durable() >= 0
        && entry.openOffset() >= 0
        && entry.end() >= 0
        && entry.endPosition() >= 0;
  }
}
