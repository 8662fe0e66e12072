package io.minikafka.log;

import io.minikafka.partition.StampedBatch;
import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Writes batches that follow each other with as few positional writes as pay off: small ones are
 * gathered in a pooled buffer, large ones are written from where they lie. Any thread; memory is
 * bounded by the pool and one buffer for each writer beyond it.
 */
final class BatchWriter {
  /** A batch this large is not worth copying. */
  static final int LARGE_BYTES = 64 << 10;

  static final int BUFFER_BYTES = 512 << 10;
  private static final int POOLED = 8;

  private final ArrayBlockingQueue<ByteBuffer> pool = new ArrayBlockingQueue<>(POOLED);

  /** Writes the batches {@code from} … {@code to} − 1 one behind the other. */
  void write(DiskFile out, List<StampedBatch> batches, int from, int to, long position)
      throws IOException {
    int next = from;
    long at = position;
    while (next < to) {
      int group = groupEnd(batches, next, to);
      if (group - next == 1) {
        StampedBatch batch = batches.get(next);
        out.write(batch.buffer().slice(batch.markerAt(), batch.bytes()), at);
        at += batch.bytes();
      } else {
        at += writeGathered(out, batches.subList(next, group), at);
      }
      next = group;
    }
  }

  /** Behind the last batch that goes into one write with {@code from}. */
  private static int groupEnd(List<StampedBatch> batches, int from, int to) {
    int end = from;
    int bytes = 0;
    while (end < to) {
      int more = batches.get(end).bytes();
      if (end > from && (more >= LARGE_BYTES || bytes + more > BUFFER_BYTES)) {
        break;
      }
      bytes += more;
      end++;
      if (more >= LARGE_BYTES) {
        break;
      }
    }
    return end;
  }

  private int writeGathered(DiskFile out, List<StampedBatch> batches, long position)
      throws IOException {
    ByteBuffer pooled = pool.poll();
    ByteBuffer buffer = pooled == null ? ByteBuffer.allocateDirect(BUFFER_BYTES) : pooled;
    try {
      buffer.clear();
      for (StampedBatch batch : batches) {
        buffer.put(buffer.position(), batch.buffer(), batch.markerAt(), batch.bytes());
        buffer.position(buffer.position() + batch.bytes());
      }
      int bytes = buffer.flip().remaining();
      out.write(buffer, position);
      return bytes;
    } finally {
      returnToPool(buffer);
    }
  }

  @SuppressWarnings("ReturnValueIgnored") // A buffer the pool has no room for is garbage.
  private void returnToPool(ByteBuffer buffer) {
    pool.offer(buffer);
  }
}
