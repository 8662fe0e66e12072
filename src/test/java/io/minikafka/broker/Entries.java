package io.minikafka.broker;

import io.minikafka.codec.Blob;
import io.minikafka.codec.Bytes;
import io.minikafka.partition.AppendResult;
import io.minikafka.partition.Durability;
import io.minikafka.partition.Partition;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.BatchCheck;
import io.minikafka.record.CheckedBatch;
import io.minikafka.record.RecordReader;
import io.minikafka.record.RecordView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Batches to be appended, and what there is in a fetched blob. */
final class Entries {
  private Entries() {}

  static Bytes batch(String... values) {
    BatchBuilder builder = new BatchBuilder(256);
    for (String value : values) {
      builder.append(1234, bytes("k"), value.getBytes(StandardCharsets.UTF_8), List.of());
    }
    return copy(builder.version1());
  }

  static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static Bytes copy(ByteBuffer bytes) {
    ByteBuffer copy = ByteBuffer.allocate(bytes.remaining()).put(bytes.duplicate());
    return Bytes.of(copy.flip());
  }

  static void append(Partition partition, Bytes batch) {
    append(partition, batch, result -> {});
  }

  static void append(Partition partition, Bytes batch, Consumer<AppendResult> done) {
    partition.append((CheckedBatch) BatchCheck.version1(batch), Durability.TOPIC, done);
  }

  /** A copy of the blob's bytes, little-endian; releases it. */
  static ByteBuffer take(Blob blob) {
    try {
      ByteBuffer copy = ByteBuffer.allocate(blob.length()).order(ByteOrder.LITTLE_ENDIAN);
      blob.copyTo(copy);
      return copy.flip();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      blob.release();
    }
  }

  /** "offset:value" of each record. */
  static List<String> records(Blob blob) {
    RecordReader reader = new RecordReader(take(blob), 0);
    List<String> found = new ArrayList<>();
    for (RecordView next = reader.next(); next != null; next = reader.next()) {
      String value =
          next.value()
              .map(bytes -> new String(bytes.toArray(), StandardCharsets.UTF_8))
              .orElse("null");
      found.add(next.offset() + ":" + value);
    }
    return found;
  }
}
