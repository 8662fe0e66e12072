package io.minikafka.record;

import java.nio.ByteBuffer;

/**
 * A produced batch that was found whole and legal: a marker and its entries, contiguous in one
 * buffer, ready to be given offsets in place.
 *
 * <p>The buffer belongs to whoever sent the batch until the append has been answered; nobody else
 * writes to it meanwhile.
 *
 * @param buffer little-endian; position and limit mean nothing
 * @param markerAt index of the marker in {@code buffer}
 * @param bytes marker and entries together
 * @param span offsets the batch takes, 1 or more
 * @param maxTimestamp largest record timestamp, ms
 * @param firstKeyless index in the batch of the first record without a key, which in version 0 is
 *     one of no bytes; −1 if every record has one
 * @param producerId −1 if the producer keeps no sequence
 */
public record CheckedBatch(
    ByteBuffer buffer,
    int markerAt,
    int bytes,
    int span,
    long maxTimestamp,
    int firstKeyless,
    long producerId,
    short producerEpoch,
    int baseSequence)
    implements BatchCheck {

  public int entriesAt() {
    return markerAt + BatchMarker.BYTES;
  }

  public int limit() {
    return markerAt + bytes;
  }
}
