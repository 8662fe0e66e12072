package io.minikafka.bench;

import io.minikafka.record.BatchBuilder;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;

/** The records that are sent: values of one length, bytes that do not compress, no keys. */
final class RecordValues {
  private static final long SEED = 20260926;

  private RecordValues() {}

  static byte[] value(int bytes) {
    byte[] value = new byte[bytes];
    new Random(SEED).nextBytes(value);
    return value;
  }

  /** As many of these bytes, from 0 to the limit, for those who send or write them as they are. */
  static ByteBuffer direct(int bytes) {
    return ByteBuffer.allocateDirect(bytes).put(value(bytes)).flip();
  }

  static BatchBuilder batch(int records, int recordBytes, long timestampMs) {
    BatchBuilder batch = new BatchBuilder(1 << 10);
    byte[] value = value(recordBytes);
    for (int i = 0; i < records; i++) {
      batch.append(timestampMs, null, value, List.of());
    }
    return batch;
  }

  /** Bytes of one record on the wire and on disk. */
  static long entryBytes(int recordBytes) {
    return BatchBuilder.entryBytes(null, new byte[recordBytes], List.of());
  }
}
