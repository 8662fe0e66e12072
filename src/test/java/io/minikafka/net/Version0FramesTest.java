package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Version 0, byte for byte. */
class Version0FramesTest extends DataPortHarness {
  private static byte[] hex(String text) {
    return java.util.HexFormat.of().parseHex(text.replaceAll("\\s", ""));
  }

  @Test
  void whatWasProducedIsFetched() throws Exception {
    WireClient client = connect();
    byte[] create = hex("10000000 01 00 01000000 02000000 7431 01000000");
    assertArrayEquals(hex("06000000 01000000 0000"), client.send(create).readFrame());

    byte[] record = Wire.record(99, "k", "v");
    byte[] produce =
        Wire.body().str("t1").u32(0).u32(2).blob(Wire.concat(record, record)).frame(3, 0, 2);
    assertArrayEquals(
        hex("0e000000 02000000 0000 0000000000000000"), client.send(produce).readFrame());

    byte[] fetch = Wire.body().u32(0).u32(1).str("t1").u32(0).u64(0).u32(1 << 20).frame(4, 0, 3);
    byte[] records = Wire.concat(Wire.record(0, "k", "v"), Wire.record(1, "k", "v"));
    byte[] expected =
        Wire.body()
            .u32(3)
            .u16(0)
            .u32(1)
            .str("t1")
            .u32(0)
            .u16(0)
            .u64(2)
            .u64(0)
            .blob(records)
            .bytes();
    byte[] answer = client.send(fetch).readFrame();
    assertArrayEquals(Wire.concat(Wire.body().u32(expected.length).bytes(), expected), answer);
    assertEquals(0, broker.stores.leases.get());
  }
}
