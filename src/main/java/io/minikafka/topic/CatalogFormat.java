package io.minikafka.topic;

import static io.minikafka.codec.Field.field;

import io.minikafka.Names;
import io.minikafka.codec.BufferSink;
import io.minikafka.codec.Codec;
import io.minikafka.codec.Codecs;
import io.minikafka.codec.MalformedException;
import io.minikafka.codec.Messages;
import io.minikafka.record.Crc32c;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The bytes of the catalog, little-endian.
 *
 * <pre>
 *  0  u32 magic     "MKT1"
 *  4  u16 version   1
 *  6  u16 flags     0
 *  8  u32 crc32c    of all that follows
 * 12  list(str name, id, u32 partitions, list(str key, str value))   topics
 *     list(id)                                                      deleting
 * </pre>
 *
 * <p>Stateless; any thread.
 */
final class CatalogFormat {
  static final int MAGIC = 'M' | 'K' << 8 | 'T' << 16 | '1' << 24;
  static final int VERSION = 1;
  private static final int HEADER_BYTES = 12;

  private record Setting(String key, String value) {}

  private record Row(String name, UUID id, int partitions, List<Setting> settings) {}

  private record Rows(List<Row> topics, List<UUID> deleting) {}

  private static final Codec<Row> ROW =
      Messages.of(
          Row::new,
          field("name", Codecs.STR, Row::name),
          field("id", Codecs.ID, Row::id),
          field("partitions", Codecs.U32, Row::partitions),
          field(
              "settings",
              Codecs.list(
                  Messages.of(
                      Setting::new,
                      field("key", Codecs.STR, Setting::key),
                      field("value", Codecs.STR, Setting::value))),
              Row::settings));

  private static final Codec<Rows> ROWS =
      Messages.of(
          Rows::new,
          field("topics", Codecs.list(ROW), Rows::topics),
          field("deleting", Codecs.list(Codecs.ID), Rows::deleting));

  private CatalogFormat() {}

  static ByteBuffer encode(CatalogContent content) {
    Rows rows =
        new Rows(
            content.topics().values().stream().map(CatalogFormat::row).toList(),
            List.copyOf(content.deleting()));
    ByteBuffer body = BufferSink.encode(ROWS, rows);
    return ByteBuffer.allocate(HEADER_BYTES + body.remaining())
        .order(ByteOrder.LITTLE_ENDIAN)
        .putInt(MAGIC)
        .putShort((short) VERSION)
        .putShort((short) 0)
        .putInt(Crc32c.of(body, body.position(), body.remaining()))
        .put(body)
        .flip();
  }

  /**
   * @throws MalformedException says what is wrong with the bytes
   */
  static CatalogContent decode(ByteBuffer bytes) {
    ByteBuffer in = bytes.slice().order(ByteOrder.LITTLE_ENDIAN);
    if (in.remaining() < HEADER_BYTES) {
      throw new MalformedException("it has %d bytes only".formatted(in.remaining()));
    }
    if (in.getInt() != MAGIC) {
      throw new MalformedException("it does not begin with 'MKT1'");
    }
    int version = in.getShort() & 0xffff;
    if (version != VERSION) {
      throw new MalformedException(
          "it has version %d and this build knows %d only; it was written by another minikafka"
              .formatted(version, VERSION));
    }
    int flags = in.getShort() & 0xffff;
    if (flags != 0) {
      throw new MalformedException("it has unknown flags " + flags);
    }
    if (in.getInt() != Crc32c.of(in, in.position(), in.remaining())) {
      throw new MalformedException("its checksum is wrong");
    }
    return content(ROWS.readAll(in));
  }

  private static Row row(TopicEntry entry) {
    return new Row(
        entry.name(),
        entry.id(),
        entry.partitions(),
        entry.own().own().entrySet().stream()
            .map(own -> new Setting(own.getKey().key(), own.getValue()))
            .toList());
  }

  /** The checksum was right, so what is wrong here was written so: by another version. */
  private static CatalogContent content(Rows rows) {
    Map<String, TopicEntry> topics = new TreeMap<>();
    Set<UUID> ids = new HashSet<>(rows.deleting);
    for (Row row : rows.topics) {
      if (!Names.isInternal(row.name)) {
        Names.topicNameError(row.name).ifPresent(CatalogFormat::refuse);
      }
      Names.partitionCountError(row.partitions).ifPresent(CatalogFormat::refuse);
      if (!ids.add(row.id)) {
        refuse("the id %s is there twice".formatted(row.id));
      }
      TopicEntry entry = new TopicEntry(row.name, row.id, row.partitions, settings(row));
      if (topics.put(row.name, entry) != null) {
        refuse("topic '%s' is there twice".formatted(row.name));
      }
    }
    return new CatalogContent(topics, Set.copyOf(rows.deleting));
  }

  private static TopicSettings settings(Row row) {
    List<SettingChange> changes =
        row.settings.stream()
            .map(setting -> SettingChange.set(setting.key, setting.value))
            .toList();
    return switch (TopicSettings.NONE.with(changes)) {
      case Outcome.Done<TopicSettings>(TopicSettings settings) -> settings;
      case Outcome.Refused<TopicSettings>(TopicError error) ->
          throw new MalformedException("topic '%s': %s".formatted(row.name, error.message()));
    };
  }

  private static void refuse(String message) {
    throw new MalformedException(message);
  }
}
