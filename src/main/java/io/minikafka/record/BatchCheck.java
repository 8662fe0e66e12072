package io.minikafka.record;

import io.minikafka.codec.Bytes;
import java.nio.ByteBuffer;

/**
 * What came of looking at a produced batch: bounds, every checksum, the count and the marker, all
 * of it before any byte touches a log. One pass over the bytes.
 */
public sealed interface BatchCheck permits CheckedBatch, BatchCheck.Refused {

  /**
   * The batch is not to be written.
   *
   * @param reason names the record (by its index in the batch) and the bound
   */
  record Refused(String reason) implements BatchCheck {}

  /**
   * A batch of version 0: entries only, a key in each.
   *
   * <p>A valid one gets its marker written into the 96 bytes in front of {@code entries}, so the
   * buffer they lie in must have that room (the frame decoder leaves it).
   *
   * @param count how many records the request announces
   */
  static BatchCheck version0(Bytes entries, int count) {
    if (entries.index() < BatchMarker.BYTES) {
      throw new IllegalArgumentException("no room for a marker in front of the entries");
    }
    if (count < 1) {
      return new Refused(
          "record count %s is outside 1 … 2^31-1".formatted(Integer.toUnsignedString(count)));
    }
    ByteBuffer in = entries.base();
    EntryWalk walk =
        new EntryWalk(in, entries.index(), entries.index() + entries.length(), count, false);
    if (walk.refusal != null) {
      return walk.refusal;
    }
    if (walk.count != count) {
      return new Refused("%d records announced, %d found".formatted(count, walk.count));
    }
    int markerAt = entries.index() - BatchMarker.BYTES;
    BatchMarker.produced(walk.maxTimestamp, entries.length(), count, walk.entriesHash)
        .write(in, markerAt);
    return walk.checked(in, markerAt, -1, (short) -1, -1);
  }

  /**
   * A batch of version 1: one marker as the producer fills it, then plain and attributed records.
   */
  static BatchCheck version1(Bytes batch) {
    ByteBuffer in = batch.base();
    int at = batch.index();
    int limit = at + batch.length();
    switch (BatchMarker.check(in, at, limit)) {
      case BAD -> {
        return new Refused("the batch does not begin with a marker whose checksum holds");
      }
      case UNKNOWN_VERSION -> {
        return new Refused("the batch marker has an unknown version");
      }
      case GOOD -> {}
    }
    BatchMarker marker = BatchMarker.read(in, at);
    if (marker.offset() != 0
        || marker.logEpoch() != 0
        || marker.baseOffset() != 0
        || marker.appendTime() != 0
        || marker.durableOffset() != 0
        || marker.partitionHash() != 0) {
      return new Refused("the fields of the marker that the broker fills are not zero");
    }
    if (marker.flags() != 0) {
      return new Refused("the marker has flags no producer may set: %#x".formatted(marker.flags()));
    }
    if (marker.bytes() != batch.length() - BatchMarker.BYTES) {
      return new Refused(
          "the marker announces %s bytes of entries, %d found"
              .formatted(
                  Integer.toUnsignedString(marker.bytes()), batch.length() - BatchMarker.BYTES));
    }
    EntryWalk walk = new EntryWalk(in, at + BatchMarker.BYTES, limit, marker.span(), true);
    if (walk.refusal != null) {
      return walk.refusal;
    }
    if (walk.count != marker.span()) {
      return new Refused(
          "the marker announces %s records, %d found"
              .formatted(Integer.toUnsignedString(marker.span()), walk.count));
    }
    if (walk.maxTimestamp != marker.maxTimestamp()) {
      return new Refused("the marker's largest timestamp is not that of its records");
    }
    if (walk.entriesHash != marker.entriesHash()) {
      return new Refused("the marker's hash is not that of its entries");
    }
    return walk.checked(in, at, marker.producerId(), marker.producerEpoch(), marker.baseSequence());
  }
}
