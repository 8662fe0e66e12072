package io.minikafka.bench;

import io.minikafka.codec.Bytes;
import io.minikafka.protocol.Frames;
import io.minikafka.protocol.Produce;
import io.minikafka.record.BatchMarker;
import java.util.UUID;

/**
 * How one producer sends.
 *
 * @param recordBytes of a record's value
 * @param inFlight batches sent and not yet answered, at most
 */
record ProduceShape(int recordBytes, int batchRecords, int inFlight) {
  private static final int OVERHEAD_BYTES =
      BatchMarker.BYTES
          + Frames.request(Produce.V1, 0, new Produce.Request(new UUID(0, 0), 0, 0, 0, Bytes.EMPTY))
              .remaining();

  /** Of the whole request: marker and head of the frame included. */
  long frameBytes() {
    return OVERHEAD_BYTES + RecordValues.entryBytes(recordBytes) * batchRecords;
  }

  /** What one producer has under way. */
  long windowBytes() {
    return frameBytes() * inFlight;
  }
}
