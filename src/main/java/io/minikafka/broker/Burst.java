package io.minikafka.broker;

import io.minikafka.partition.AppendResult;
import io.minikafka.partition.Durability;
import io.minikafka.partition.Partition;
import io.minikafka.record.CheckedBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * The batches that came in one read of a connection: offered one by one, written together, so that
 * many small produces to a partition are one write. One thread.
 */
final class Burst {
  /** Written without waiting for the end of the read: more would not make the write cheaper. */
  static final int FULL_BYTES = 256 << 10;

  private final List<Partition> undrained = new ArrayList<>();
  private int bytes;

  void offer(
      Partition partition, CheckedBatch batch, Durability wanted, Consumer<AppendResult> done) {
    if (partition.offer(batch, wanted, done)) {
      undrained.add(partition);
    }
    bytes += batch.bytes();
    if (bytes >= FULL_BYTES) {
      drain();
    }
  }

  void drain() {
    bytes = 0;
    // An acknowledgement may lead to the next request, hence to the next offer, while this runs.
    while (!undrained.isEmpty()) {
      Partition next = undrained.removeLast();
      try {
        next.drain();
      } catch (RuntimeException | Error e) {
        // The others wait for their writer, which is this thread.
        drain();
        throw e;
      }
    }
  }
}
