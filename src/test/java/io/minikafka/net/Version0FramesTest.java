package io.minikafka.net;

import static io.minikafka.net.Wire.hex;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.minikafka.topic.Topic;
import org.junit.jupiter.api.Test;

/** Version 0, byte for byte: every request and every answer. */
class Version0FramesTest extends DataPortHarness {
  /** timestamp 7, key "k", value "v", with the checksum of these. */
  private static final String RECORD = "0e000000 " + crc() + " 0700000000000000 01000000 6b 76";

  private static String crc() {
    byte[] record = Wire.record(0, 7, "k", new byte[] {'v'});
    return java.util.HexFormat.of().formatHex(record, 12, 16);
  }

  private void exchange(WireClient client, String request, String answer) throws Exception {
    assertArrayEquals(hex(answer), client.send(hex(request)).readFrame());
  }

  @Test
  void createTopic() throws Exception {
    WireClient client = connect();
    exchange(client, "10000000 01 00 01000000 02000000 7431 01000000", "06000000 01000000 0000");
    exchange(client, "10000000 01 00 02000000 02000000 7431 01000000", "06000000 02000000 0500");
  }

  @Test
  void metadata() throws Exception {
    create("t1", 3);
    WireClient client = connect();
    exchange(client, "0c000000 02 00 09000000 02000000 7431", "0a000000 09000000 0000 03000000");
    exchange(client, "0c000000 02 00 0a000000 02000000 7432", "06000000 0a000000 0100");
  }

  @Test
  void produceAndListOffsets() throws Exception {
    create("t1", 1);
    WireClient client = connect();
    String body = "02000000 7431 00000000 01000000 1e000000 6300000000000000" + RECORD;
    exchange(client, "36000000 03 00 01000000" + body, "0e000000 01000000 0000 0000000000000000");
    exchange(client, "36000000 03 00 02000000" + body, "0e000000 02000000 0000 0100000000000000");
    exchange(
        client,
        "10000000 05 00 03000000 02000000 7431 00000000",
        "16000000 03000000 0000 0000000000000000 0200000000000000");
    exchange(client, "10000000 05 00 04000000 02000000 7431 01000000", "06000000 04000000 0100");
  }

  @Test
  void fetch() throws Exception {
    Topic topic = create("t1", 1);
    broker.store(topic, 0).force();
    WireClient client = connect();
    String body = "02000000 7431 00000000 01000000 1e000000 6300000000000000" + RECORD;
    exchange(client, "36000000 03 00 01000000" + body, "0e000000 01000000 0000 0000000000000000");
    exchange(
        client,
        """
        24000000 04 00 02000000 00000000
        01000000 02000000 7431 00000000 0000000000000000 00001000
        """,
        """
        48000000 02000000 0000
        01000000 02000000 7431 00000000 0000 0100000000000000 0000000000000000
        1e000000 0000000000000000
        """
            + RECORD);
  }

  @Test
  void fetchOfWhatIsNotThere() throws Exception {
    create("t1", 1);
    WireClient client = connect();
    exchange(
        client,
        """
        50000000 04 00 02000000 00000000
        03000000
        02000000 7432 00000000 0000000000000000 00001000
        02000000 7431 ffffff7f 0000000000000000 00001000
        02000000 7431 00000000 0100000000000000 00001000
        """,
        """
        6a000000 02000000 0000
        03000000
        02000000 7432 00000000 0100 0000000000000000 0000000000000000 00000000
        02000000 7431 ffffff7f 0100 0000000000000000 0000000000000000 00000000
        02000000 7431 00000000 0200 0000000000000000 0000000000000000 00000000
        """);
  }

  @Test
  void unknownApiAndVersion() throws Exception {
    WireClient client = connect();
    exchange(client, "06000000 63 00 01000000", "06000000 01000000 0b00");
    exchange(client, "06000000 63 09 02000000", "06000000 02000000 0b00");
    exchange(client, "06000000 03 09 03000000", "06000000 03000000 1400");
    // There is no version 0 of Hello; who speaks version 0 knows no better than "unknown api".
    exchange(client, "06000000 0b 00 04000000", "06000000 04000000 0b00");
  }

  @Test
  void trailingBytesAreIgnored() throws Exception {
    create("t1", 3);
    WireClient client = connect();
    exchange(
        client,
        "10000000 02 00 09000000 02000000 7431 deadbeef",
        "0a000000 09000000 0000 03000000");
  }
}
