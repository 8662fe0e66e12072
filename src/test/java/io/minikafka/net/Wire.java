package io.minikafka.net;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * Bytes as PROTOCOL.md and FORMAT.md write them, put together without any of the product's code.
 */
final class Wire {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  /** A request's body; {@link #frame} puts the rest around it. */
  static Wire body() {
    return new Wire();
  }

  Wire u8(int value) {
    out.write(value);
    return this;
  }

  Wire u16(int value) {
    return little(value, 2);
  }

  Wire u32(long value) {
    return little(value, 4);
  }

  Wire u64(long value) {
    return little(value, 8);
  }

  private Wire little(long value, int bytes) {
    for (int i = 0; i < bytes; i++) {
      out.write((int) (value >>> (8 * i)));
    }
    return this;
  }

  Wire str(String value) {
    return blob(value.getBytes(StandardCharsets.UTF_8));
  }

  Wire blob(byte[] value) {
    return u32(value.length).raw(value);
  }

  Wire id(UUID id) {
    String hex = id.toString().replace("-", "");
    return raw(HexFormat.of().parseHex(hex));
  }

  Wire raw(byte[] value) {
    out.writeBytes(value);
    return this;
  }

  byte[] bytes() {
    return out.toByteArray();
  }

  /** The whole frame with this as its body. */
  byte[] frame(int api, int version, int correlationId) {
    return new Wire()
        .u32(6 + out.size())
        .u8(api)
        .u8(version)
        .u32(correlationId)
        .raw(bytes())
        .bytes();
  }

  /** A plain record as version 0 sends it. */
  static byte[] record(long offset, long timestamp, String key, byte[] value) {
    byte[] utf8 = key.getBytes(StandardCharsets.UTF_8);
    byte[] payload = new Wire().u64(timestamp).u32(utf8.length).raw(utf8).raw(value).bytes();
    CRC32C crc = new CRC32C();
    crc.update(payload);
    return new Wire().u64(offset).u32(payload.length).u32(crc.getValue()).raw(payload).bytes();
  }

  static byte[] record(long offset, String key, String value) {
    return record(offset, 1234, key, value.getBytes(StandardCharsets.UTF_8));
  }

  /** The 96 bytes in front of a batch, as a producer of version 1 fills them. */
  static byte[] marker(long maxTimestamp, byte[]... records) {
    long hash = records.length;
    int bytes = 0;
    for (byte[] record : records) {
      ByteBuffer in = ByteBuffer.wrap(record).order(ByteOrder.LITTLE_ENDIAN);
      hash = Long.rotateLeft(hash ^ in.getLong(8), 27) * 0x9E3779B97F4A7C15L;
      bytes += record.length;
    }
    byte[] payload =
        new Wire()
            .u64(maxTimestamp)
            .u32(1L << 31)
            .raw("MKB1".getBytes(StandardCharsets.US_ASCII))
            .u16(1)
            .u16(-1)
            .u32(-1)
            .u64(-1)
            .u32(bytes)
            .u32(records.length)
            .u32((int) (hash ^ (hash >>> 32)))
            .u32(0)
            .u64(0)
            .u64(0)
            .u64(0)
            .u64(0)
            .bytes();
    CRC32C crc = new CRC32C();
    crc.update(payload);
    return new Wire().u64(0).u32(80).u32(crc.getValue()).raw(payload).bytes();
  }

  /** The batch of a version 1 produce; each record has timestamp 1234. */
  static byte[] batch(byte[]... records) {
    return concat(marker(1234, records), concat(records));
  }

  static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replaceAll("\\s", ""));
  }

  static byte[] concat(byte[]... parts) {
    Wire all = new Wire();
    for (byte[] part : parts) {
      all.raw(part);
    }
    return all.bytes();
  }
}
