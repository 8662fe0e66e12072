package io.minikafka.sim;

import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.StampedBatch;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.EntriesHash;
import io.minikafka.record.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

/** Broken on purpose: writes a batch as two, each with a marker, so that a crash can keep one. */
final class HalvingStore extends ForwardingStore {
  HalvingStore(PartitionStore to) {
    super(to);
  }

  @Override
  public void append(List<StampedBatch> batches) throws IOException {
    for (StampedBatch batch : batches) {
      if (batch.span() < 2) {
        to.append(List.of(batch));
      } else {
        int firstSpan = batch.span() / 2;
        int cutAt = batch.markerAt() + BatchMarker.BYTES;
        for (int i = 0; i < firstSpan; i++) {
          cutAt += Entry.bytes(batch.buffer(), cutAt);
        }
        int entriesAt = batch.markerAt() + BatchMarker.BYTES;
        int limit = batch.markerAt() + batch.bytes();
        to.append(List.of(part(batch, entriesAt, cutAt, 0, firstSpan)));
        to.append(List.of(part(batch, cutAt, limit, firstSpan, batch.span() - firstSpan)));
      }
    }
  }

  private static StampedBatch part(StampedBatch batch, int from, int to, int skipped, int span) {
    int bytes = BatchMarker.BYTES + to - from;
    ByteBuffer out = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    out.put(BatchMarker.BYTES, batch.buffer(), from, to - from);
    long hash = EntriesHash.start(span);
    for (int at = BatchMarker.BYTES; at < bytes; at += Entry.bytes(out, at)) {
      hash = EntriesHash.add(hash, out.getLong(at + Entry.LENGTH));
    }
    BatchMarker whole = BatchMarker.read(batch.buffer(), batch.markerAt());
    BatchMarker.produced(batch.maxTimestamp(), to - from, span, EntriesHash.finish(hash))
        .write(out, 0);
    long base = batch.baseOffset() + skipped;
    BatchMarker.stamp(
        out,
        0,
        base,
        whole.logEpoch(),
        batch.appendTime(),
        whole.durableOffset(),
        whole.partitionHash());
    return new StampedBatch(out, 0, bytes, base, span, batch.maxTimestamp(), batch.appendTime());
  }
}
