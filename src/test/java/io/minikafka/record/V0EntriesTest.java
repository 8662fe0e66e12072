package io.minikafka.record;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** What a version 0 client is given of each kind of record. */
class V0EntriesTest {
  @Test
  void aPlainRecordIsGivenAsItIs() {
    byte[] record = Raw.plain(7, "key", "value");
    assertArrayEquals(record, converted(record));
  }

  @Test
  void aNullKeyBecomesAKeyOfNoBytes() {
    assertArrayEquals(Raw.plain(7, "", "value"), converted(Raw.nullKey(7, "value")));
  }

  @Test
  void headersAreDropped() {
    byte[] headers = Raw.headers(2, 1, "h", 1, "v", 1, "i", -1);
    byte[] rest = Raw.join(Raw.utf8("key"), headers, Raw.utf8("value"));
    assertArrayEquals(
        Raw.plain(7, "key", "value"),
        converted(Raw.ofKind(7, 1, 2, Raw.attributes(3, headers.length, rest))));
  }

  @Test
  void aNullValueBecomesAValueOfNoBytes() {
    assertArrayEquals(
        Raw.plain(7, "key", ""),
        converted(Raw.ofKind(7, 1, 1, Raw.attributes(3, 0, Raw.utf8("key")))));
    assertArrayEquals(
        Raw.plain(7, "", ""), converted(Raw.ofKind(7, 1, 1, Raw.attributes(-1, 0, new byte[0]))));
  }

  private static byte[] converted(byte[] record) {
    byte[] shifted = Raw.join(new byte[5], record, new byte[9]);
    RecordView view = new RecordView(Raw.buffer(shifted), 5);
    ByteBuffer out =
        ByteBuffer.allocate(V0Entries.convertedBytes(view)).order(ByteOrder.LITTLE_ENDIAN);
    V0Entries.convert(view, out);
    assertEquals(0, out.remaining());
    return out.array();
  }
}
