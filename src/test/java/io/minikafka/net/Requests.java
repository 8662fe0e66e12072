package io.minikafka.net;

import java.util.UUID;

/** Requests that many tests send. */
final class Requests {
  private Requests() {}

  static byte[] produce0(int correlationId, String topic, int partition, byte[]... records) {
    return Wire.body()
        .str(topic)
        .u32(partition)
        .u32(records.length)
        .blob(Wire.concat(records))
        .frame(3, 0, correlationId);
  }

  static byte[] fetch0(
      int correlationId, int maxWaitMs, String topic, int partition, long offset, int maxBytes) {
    return Wire.body()
        .u32(maxWaitMs)
        .u32(1)
        .str(topic)
        .u32(partition)
        .u64(offset)
        .u32(maxBytes)
        .frame(4, 0, correlationId);
  }

  static byte[] metadata0(int correlationId, String topic) {
    return Wire.body().str(topic).frame(2, 0, correlationId);
  }

  static byte[] produce1(int correlationId, UUID topic, int partition, byte[] batch) {
    return Wire.body().id(topic).u32(partition).u32(0).u8(0).blob(batch).frame(3, 1, correlationId);
  }

  static byte[] fetch1(
      int correlationId, int maxWaitMs, int minBytes, UUID topic, int partition, long offset) {
    return Wire.body()
        .u32(maxWaitMs)
        .u32(minBytes)
        .u32(1 << 30)
        .u32(0x13)
        .u32(1)
        .id(topic)
        .u32(partition)
        .u64(offset)
        .u32(0)
        .u32(1 << 30)
        .frame(4, 1, correlationId);
  }

  static byte[] hello(int correlationId) {
    return Wire.body().str("test").str("1").frame(11, 1, correlationId);
  }
}
