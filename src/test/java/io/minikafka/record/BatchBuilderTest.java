package io.minikafka.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.minikafka.codec.Bytes;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Records in, a batch out that the check takes and the reader gives back. */
class BatchBuilderTest {
  private static final List<Header> HEADERS =
      List.of(
          Header.of("trace", new byte[] {1, 2}),
          new Header("", Optional.empty()),
          Header.of("ключ", new byte[0]));

  private final BatchBuilder builder = new BatchBuilder(0);

  @Test
  void whatGoesInComesOut() {
    builder.append(5, new byte[] {1}, new byte[] {2, 3}, List.of());
    builder.append(-4, null, new byte[0], HEADERS);
    builder.append(3, new byte[0], null, List.of());
    RecordReader reader = new RecordReader(builder.version0(), 0);
    // The broker has not given offsets yet.
    assertEquals(5, Objects.requireNonNull(reader.next()).timestamp());
    ByteBuffer second = builder.version0();
    second.position(second.position() + 31);
    RecordView record = Objects.requireNonNull(new RecordReader(second, 0).next());
    assertEquals(-4, record.timestamp());
    assertEquals(Optional.empty(), record.key());
    assertEquals(Optional.of(Bytes.EMPTY), record.value());
    assertEquals(HEADERS, record.headers());
    assertEquals(3, builder.count());
  }

  @Test
  void whatItBuildsIsAccepted() {
    for (int i = 0; i < 1000; i++) {
      builder.append(1000 - i, new byte[i % 7], new byte[i], i % 3 == 0 ? HEADERS : List.of());
    }
    CheckedBatch batch =
        assertInstanceOf(CheckedBatch.class, BatchCheck.version1(Bytes.of(builder.version1())));
    assertEquals(1000, batch.span());
    assertEquals(1000, batch.maxTimestamp());
    assertEquals(96 + builder.entriesBytes(), batch.bytes());
  }

  @Test
  void theBytesOfARecordAreKnownBefore() {
    for (List<Header> headers : List.of(List.<Header>of(), HEADERS)) {
      for (byte[][] record : new byte[][][] {{{1}, {2}}, {{}, {}}}) {
        builder.clear();
        builder.append(0, record[0], record[1], headers);
        assertEquals(
            BatchBuilder.entryBytes(record[0], record[1], headers), builder.entriesBytes());
      }
      builder.clear();
      builder.append(0, null, null, headers);
      assertEquals(BatchBuilder.entryBytes(null, null, headers), builder.entriesBytes());
    }
  }

  @Test
  void aRecordOver16MebibytesIsRefusedAndNothingAdded() {
    builder.append(9, null, new byte[] {1}, List.of());
    int largest = (16 << 20) - 12;
    IllegalArgumentException e =
        assertThrows(
            IllegalArgumentException.class,
            () -> builder.append(10, null, new byte[largest + 1], List.of()));
    assertEquals("a record of 16777217 payload bytes; the limit is 16777216", e.getMessage());
    assertEquals(1, builder.count());
    assertEquals(29, builder.entriesBytes());
    builder.append(8, null, new byte[largest], List.of());
    CheckedBatch batch =
        assertInstanceOf(CheckedBatch.class, BatchCheck.version1(Bytes.of(builder.version1())));
    assertEquals(9, batch.maxTimestamp());
  }

  @Test
  void itCanBeUsedAgain() {
    builder.append(9, null, new byte[100], List.of()).clear();
    builder.append(3, null, new byte[] {1}, List.of());
    CheckedBatch batch =
        assertInstanceOf(CheckedBatch.class, BatchCheck.version1(Bytes.of(builder.version1())));
    assertEquals(1, batch.span());
    assertEquals(3, batch.maxTimestamp());
  }

  @Test
  void anEmptyBatchIsRefusedByTheCheck() {
    assertInstanceOf(BatchCheck.Refused.class, BatchCheck.version1(Bytes.of(builder.version1())));
  }
}
