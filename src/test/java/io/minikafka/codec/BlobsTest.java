package io.minikafka.codec;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Bytes on their way: in memory, in pieces, and into a sink that grows. */
class BlobsTest {
  @Test
  void bytesAreTheRemainingOnesWhateverBecomesOfTheBuffer() {
    ByteBuffer buffer = ByteBuffer.wrap(new byte[] {1, 2, 3, 4}).position(1).limit(3);
    Bytes bytes = Bytes.of(buffer);
    buffer.clear();
    assertEquals(2, bytes.length());
    assertEquals(1, bytes.index());
    assertArrayEquals(new byte[] {2, 3}, bytes.toArray());
    assertEquals(4, bytes.base().capacity());
    assertEquals(ByteOrder.LITTLE_ENDIAN, bytes.base().order());
    assertEquals(ByteOrder.LITTLE_ENDIAN, bytes.buffer().order());
  }

  @Test
  void bytesAreEqualByWhatTheyHold() {
    Bytes part = Bytes.of(ByteBuffer.wrap(new byte[] {9, 1, 2}).position(1));
    Bytes whole = Bytes.of(new byte[] {1, 2});
    assertEquals(whole, part);
    assertEquals(whole.hashCode(), part.hashCode());
    assertNotEquals(whole, Bytes.of(new byte[] {1, 3}));
    assertNotEquals(whole, Bytes.EMPTY);
  }

  @Test
  void aChainIsAsLongAsItsPartsAndReleasesEach() {
    List<String> released = new ArrayList<>();
    Chain chain = Chain.of(List.of(blob("a", 3, released), blob("b", 4, released)));
    assertEquals(7, chain.length());
    chain.release();
    assertEquals(List.of("a", "b"), released);
  }

  @Test
  void bytesAndChainsCopyThemselvesInOrder() throws IOException {
    Chain chain =
        Chain.of(
            List.of(
                blob("a", 2, new ArrayList<>()),
                Bytes.of(ByteBuffer.wrap(new byte[] {9, 1, 2, 9}).position(1).limit(3))));
    ByteBuffer out = ByteBuffer.allocate(5);
    chain.copyTo(out);
    assertArrayEquals(new byte[] {'a', 'a', 1, 2, 0}, out.array());
    assertEquals(4, out.position());
  }

  @Test
  void aChainLongerThanANumberIsRefused() {
    Blob half = blob("half", 1 << 30, new ArrayList<>());
    assertThrows(ArithmeticException.class, () -> Chain.of(List.of(half, half)));
  }

  @Test
  void aSinkGrowsAndTakesEverythingInOrder() {
    BufferSink sink = new BufferSink(0);
    for (int i = 0; i < 1000; i++) {
      sink.u32(i);
    }
    sink.raw(ByteBuffer.wrap(new byte[] {1, 2}));
    sink.blob(Chain.of(List.of(Bytes.of(new byte[] {3}), Bytes.of(new byte[] {4}))));
    sink.patchU32(4, 77);
    ByteBuffer written = sink.toBuffer();
    assertEquals(4004, written.remaining());
    assertEquals(0, written.getInt(0));
    assertEquals(77, written.getInt(4));
    assertEquals(999, written.getInt(3996));
    assertEquals(0x04030201, written.getInt(4000));
  }

  @Test
  void aSinkCanBeUsedAgain() {
    BufferSink sink = new BufferSink(16);
    sink.u64(1);
    sink.clear();
    sink.u8(2);
    assertEquals(ByteBuffer.wrap(new byte[] {2}), sink.toBuffer());
  }

  @Test
  void aMemorySinkTakesNoFile() {
    BufferSink sink = new BufferSink(16);
    assertThrows(
        IllegalArgumentException.class, () -> sink.blob(blob("file", 1, new ArrayList<>())));
  }

  private static Blob blob(String name, int length, List<String> released) {
    return new Blob() {
      @Override
      public int length() {
        return length;
      }

      @Override
      public void copyTo(ByteBuffer out) {
        for (int i = 0; i < length; i++) {
          out.put((byte) name.charAt(0));
        }
      }

      @Override
      public void release() {
        released.add(name);
      }
    };
  }
}
