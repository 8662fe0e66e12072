package io.minikafka.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.codec.Bytes;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.EntriesHash;
import io.minikafka.record.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a client gets that does not read gaps. */
class GapRemovalTest {
  private final ByteBuffer entries = ByteBuffer.allocate(2000).order(ByteOrder.LITTLE_ENDIAN);

  private GapRemovalTest gap(long offset, int span) {
    int at = entries.position();
    entries.putLong(at, offset).putInt(at + Entry.LENGTH, 16);
    entries.putInt(at + Entry.KWORD, Entry.kwordOf(Entry.KIND_GAP, 0));
    entries.putInt(at + Entry.BODY, span);
    Entry.stampChecksum(entries, at);
    entries.position(at + 32);
    return this;
  }

  private GapRemovalTest batch(String value) {
    byte[] bytes = value.getBytes(java.nio.charset.StandardCharsets.UTF_8);
    entries.put(new BatchBuilder(64).append(1, bytes, bytes, List.of()).version1());
    return this;
  }

  private ByteBuffer removed() throws IOException {
    Bytes blob = Bytes.of(entries.flip().slice().order(ByteOrder.LITTLE_ENDIAN));
    BufferPool.Loan loan = GapRemoval.copy(blob, new HeapPool());
    return loan.buffer().duplicate().order(ByteOrder.LITTLE_ENDIAN).limit(loan.length());
  }

  private static List<Integer> kinds(ByteBuffer in) {
    List<Integer> kinds = new ArrayList<>();
    for (int at = 0; at < in.limit(); at += Entry.bytes(in, at)) {
      assertTrue(Entry.checksumHolds(in, at));
      kinds.add(Entry.kind(Entry.kword(in, at)));
    }
    return kinds;
  }

  @Test
  void gapsBetweenBatchesGo() throws IOException {
    ByteBuffer left = gap(0, 5).batch("a").gap(6, 3).gap(9, 1).batch("b").removed();

    assertEquals(
        List.of(Entry.KIND_MARKER, Entry.PLAIN, Entry.KIND_MARKER, Entry.PLAIN), kinds(left));
  }

  @Test
  void nothingIsLeftOfGapsAlone() throws IOException {
    assertEquals(0, gap(0, 5).gap(5, 2).removed().limit());
  }

  @Test
  void aBatchThatEndedWithAGapGetsAMarkerThatFits() throws IOException {
    int at = entries.position();
    batch("a");
    int whole = entries.getInt(at + BatchMarker.ENTRIES_BYTES);
    gap(1, 4);
    entries.putInt(at + BatchMarker.ENTRIES_BYTES, whole + 32);
    Entry.stampChecksum(entries, at);
    batch("b");

    ByteBuffer left = removed();

    assertEquals(4, kinds(left).size());
    BatchMarker marker = BatchMarker.read(left, 0);
    assertEquals(whole, marker.bytes());
    long hash =
        EntriesHash.add(
            EntriesHash.start(marker.span()), left.getLong(BatchMarker.BYTES + Entry.LENGTH));
    assertEquals(EntriesHash.finish(hash), marker.entriesHash());
  }
}
