package io.minikafka.group;

import static io.minikafka.codec.Codecs.I64;
import static io.minikafka.codec.Codecs.ID;
import static io.minikafka.codec.Codecs.STR;
import static io.minikafka.codec.Codecs.U32;
import static io.minikafka.codec.Codecs.U64;
import static io.minikafka.codec.Codecs.U8;
import static io.minikafka.codec.Codecs.list;
import static io.minikafka.codec.Field.field;

import io.minikafka.PartitionId;
import io.minikafka.codec.BufferSink;
import io.minikafka.codec.Codec;
import io.minikafka.codec.MalformedException;
import io.minikafka.codec.Messages;
import io.minikafka.codec.Sink;
import io.minikafka.group.GroupRecord.CommitKey;
import io.minikafka.group.GroupRecord.GroupKey;
import io.minikafka.group.GroupRecord.Key;
import io.minikafka.group.GroupRecord.MemberKey;
import io.minikafka.group.GroupRecord.OpeningKey;
import io.minikafka.group.GroupRecord.Owned;
import io.minikafka.group.GroupRecord.ResetKey;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/**
 * Records of the offsets log in bytes, little-endian. Stateless; any thread.
 *
 * <pre>
 * key    u8 type, u8 version 0, then
 *   1 commit   str group, id topic, u32 partition
 *   2 group    str group
 *   3 member   str group, str member
 *   4 opening  –
 *   5 reset    str group, id topic, u32 partition
 * value  of
 *   1 commit   u64 offset, u32 epoch, i64 commitTime, str metadata
 *   2 group    u8 kind, u64 generation, str assignor, i64 emptySince
 *   3 member   u8 state, str instance, u32 sessionMs, u32 rebalanceMs, u8 protocolVersion,
 *              list(str) topics, list(id topic, u32 partition, u64 grant) owned
 *   4 opening  u64 number
 *   5 reset    i64 resetTime, u64 offset, list(value of 1) previous: none or one
 * </pre>
 *
 * A tombstone is the key with a null value. A key of an unknown type or version, bytes left over
 * and values out of their bounds are {@link MalformedException}.
 */
public final class GroupRecordCodec {
  private static final int VERSION = 0;

  private static final int COMMIT = 1;
  private static final int GROUP = 2;
  private static final int MEMBER = 3;
  private static final int OPENING = 4;
  private static final int RESET = 5;

  private static final Codec<PartitionId> PARTITION =
      Messages.of(
          PartitionId::new,
          field("topic", ID, PartitionId::topicId),
          field("partition", U32, PartitionId::partition));

  private static final Codec<CommitKey> COMMIT_KEY =
      Messages.of(
          CommitKey::new,
          field("group", STR, CommitKey::group),
          field("partition", PARTITION, CommitKey::partition));

  private static final Codec<GroupKey> GROUP_KEY =
      Messages.of(GroupKey::new, field("group", STR, GroupKey::group));

  private static final Codec<MemberKey> MEMBER_KEY =
      Messages.of(
          MemberKey::new,
          field("group", STR, MemberKey::group),
          field("member", STR, MemberKey::member));

  private static final Codec<ResetKey> RESET_KEY =
      Messages.of(
          ResetKey::new,
          field("group", STR, ResetKey::group),
          field("partition", PARTITION, ResetKey::partition));

  private static final Codec<CommittedOffset> COMMIT_VALUE =
      Messages.of(
          CommittedOffset::new,
          field("offset", U64, CommittedOffset::offset),
          field("epoch", U32, CommittedOffset::epoch),
          field("commitTime", I64, CommittedOffset::committedAtMs),
          field("metadata", STR, CommittedOffset::metadata));

  private static final Codec<GroupValue> GROUP_VALUE =
      Messages.of(
          GroupValue::new,
          field("kind", U8, GroupValue::kind),
          field("generation", U64, GroupValue::generation),
          field("assignor", STR, GroupValue::assignor),
          field("emptySince", I64, GroupValue::emptySinceMs));

  private static final Codec<Owned> OWNED =
      Messages.of(
          Owned::new,
          field("partition", PARTITION, Owned::partition),
          field("grant", U64, Owned::grant));

  private static final Codec<MemberValue> MEMBER_VALUE =
      Messages.of(
          MemberValue::new,
          field("state", U8, MemberValue::state),
          field("instance", STR, MemberValue::instance),
          field("sessionMs", U32, MemberValue::sessionMs),
          field("rebalanceMs", U32, MemberValue::rebalanceMs),
          field("protocolVersion", U8, MemberValue::version),
          field("topics", list(STR), MemberValue::topics),
          field("owned", list(OWNED), MemberValue::owned));

  private static final Codec<ResetValue> RESET_VALUE =
      Messages.of(
          ResetValue::new,
          field("resetTime", I64, ResetValue::resetAtMs),
          field("offset", U64, ResetValue::offset),
          field("previous", list(COMMIT_VALUE), ResetValue::previous));

  private static final MemberState[] STATES = MemberState.values();

  private GroupRecordCodec() {}

  private record GroupValue(int kind, long generation, String assignor, long emptySinceMs) {}

  private record MemberValue(
      int state,
      String instance,
      int sessionMs,
      int rebalanceMs,
      int version,
      List<String> topics,
      List<Owned> owned) {}

  private record ResetValue(long resetAtMs, long offset, List<CommittedOffset> previous) {}

  /** The key's bytes, ready to be read. */
  public static ByteBuffer key(GroupRecord record) {
    BufferSink out = new BufferSink(64);
    switch (record.key()) {
      case CommitKey key -> COMMIT_KEY.write(key, begin(out, COMMIT));
      case GroupKey key -> GROUP_KEY.write(key, begin(out, GROUP));
      case MemberKey key -> MEMBER_KEY.write(key, begin(out, MEMBER));
      case OpeningKey key -> begin(out, OPENING);
      case ResetKey key -> RESET_KEY.write(key, begin(out, RESET));
    }
    return out.toBuffer();
  }

  /** The value's bytes, ready to be read; empty for a tombstone. */
  public static Optional<ByteBuffer> value(GroupRecord record) {
    return switch (record) {
      case GroupRecord.Commit commit ->
          Optional.of(BufferSink.encode(COMMIT_VALUE, commit.value()));
      case GroupRecord.Group group ->
          Optional.of(
              BufferSink.encode(
                  GROUP_VALUE,
                  new GroupValue(
                      group.kind(), group.generation(), group.assignor(), group.emptySinceMs())));
      case GroupRecord.Member member ->
          Optional.of(
              BufferSink.encode(
                  MEMBER_VALUE,
                  new MemberValue(
                      member.state().ordinal(),
                      member.instance(),
                      member.sessionMs(),
                      member.rebalanceMs(),
                      member.version(),
                      member.topics(),
                      member.owned())));
      case GroupRecord.Opening opening -> Optional.of(BufferSink.encode(U64, opening.number()));
      case GroupRecord.Reset reset ->
          Optional.of(
              BufferSink.encode(
                  RESET_VALUE,
                  new ResetValue(
                      reset.value().resetAtMs(),
                      reset.value().offset(),
                      reset.value().previous().stream().toList())));
      case GroupRecord.Tombstone tombstone -> Optional.empty();
    };
  }

  /**
   * The record of a key and a value.
   *
   * @param value empty for a tombstone
   * @throws MalformedException if they are no record of this version
   */
  public static GroupRecord read(ByteBuffer key, Optional<ByteBuffer> value) {
    Key read = readKey(key.duplicate().order(ByteOrder.LITTLE_ENDIAN));
    if (value.isEmpty()) {
      return new GroupRecord.Tombstone(read);
    }
    return readValue(read, value.get().duplicate().order(ByteOrder.LITTLE_ENDIAN));
  }

  private static Key readKey(ByteBuffer in) {
    int type = U8.read(in);
    int version = U8.read(in);
    if (version != VERSION) {
      throw new MalformedException("key type %d of version %d".formatted(type, version));
    }
    return switch (type) {
      case COMMIT -> COMMIT_KEY.readAll(in);
      case GROUP -> GROUP_KEY.readAll(in);
      case MEMBER -> MEMBER_KEY.readAll(in);
      case OPENING -> {
        if (in.hasRemaining()) {
          throw new MalformedException(in.remaining() + " bytes too many");
        }
        yield new OpeningKey();
      }
      case RESET -> RESET_KEY.readAll(in);
      default -> throw new MalformedException("key type " + type);
    };
  }

  private static GroupRecord readValue(Key key, ByteBuffer in) {
    return switch (key) {
      case CommitKey commit -> {
        CommittedOffset value = COMMIT_VALUE.readAll(in);
        yield new GroupRecord.Commit(commit, check(value, value.offset() >= 0, "offset"));
      }
      case GroupKey group -> {
        GroupValue value = GROUP_VALUE.readAll(in);
        check(value, value.generation() >= 0, "generation");
        yield new GroupRecord.Group(
            group, value.kind(), value.generation(), value.assignor(), value.emptySinceMs());
      }
      case MemberKey member -> {
        MemberValue value = MEMBER_VALUE.readAll(in);
        check(value, value.state() < STATES.length, "state");
        check(value, value.sessionMs() > 0 && value.rebalanceMs() > 0, "sessionMs");
        check(value, value.version() <= 1, "protocolVersion");
        yield new GroupRecord.Member(
            member,
            STATES[value.state()],
            value.instance(),
            value.sessionMs(),
            value.rebalanceMs(),
            value.version(),
            value.topics(),
            value.owned());
      }
      case OpeningKey opening -> new GroupRecord.Opening(U64.readAll(in));
      case ResetKey reset -> {
        ResetValue value = RESET_VALUE.readAll(in);
        check(value, value.offset() >= 0, "offset");
        check(value, value.previous().size() <= 1, "previous");
        check(value, value.previous().stream().allMatch(one -> one.offset() >= 0), "previous");
        yield new GroupRecord.Reset(
            reset,
            new ResetOffset(
                value.resetAtMs(), value.offset(), value.previous().stream().findFirst()));
      }
    };
  }

  private static <T> T check(T value, boolean legal, String field) {
    if (!legal) {
      throw new MalformedException(field + " out of bounds: " + value);
    }
    return value;
  }

  private static Sink begin(Sink out, int type) {
    out.u8(type);
    out.u8(VERSION);
    return out;
  }
}
