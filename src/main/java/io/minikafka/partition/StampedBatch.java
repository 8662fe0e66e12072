package io.minikafka.partition;

import java.nio.ByteBuffer;

/**
 * A batch with all its numbers: marker and entries, ready to be written as they are.
 *
 * @param buffer little-endian; position and limit mean nothing
 * @param markerAt index of the marker
 * @param bytes marker and entries together
 * @param baseOffset of its first record
 * @param span offsets it takes
 * @param maxTimestamp largest record timestamp, ms
 * @param appendTime the broker's clock, ms; never falls along a log
 */
public record StampedBatch(
    ByteBuffer buffer,
    int markerAt,
    int bytes,
    long baseOffset,
    int span,
    long maxTimestamp,
    long appendTime) {
  public long nextOffset() {
    return baseOffset + span;
  }
}
