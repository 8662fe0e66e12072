package io.minikafka.broker;

import io.minikafka.codec.Bytes;
import io.minikafka.partition.Partition;
import io.minikafka.partition.ReadResult;
import java.io.IOException;
import java.util.Optional;

/**
 * Reads for one fetch: on the worker whatever there is, on an event loop only what needs no wait
 * and no search. Used by one thread at a time, as its {@link FetchPlan}.
 */
final class FetchReads {
  /** The present reading is the worker's. */
  private boolean onWorker;

  /** The reading before met what only the worker can look at. */
  private boolean forWorker;

  /**
   * Says where the next reading is done.
   *
   * @param muchOrCold whether it is too much for an event loop, or may wait for a disk
   * @return whether it is the worker's
   */
  boolean next(boolean muchOrCold) {
    onWorker = forWorker || muchOrCold;
    return onWorker;
  }

  /** A reading begins. */
  void begin() {
    forWorker = false;
  }

  boolean onWorker() {
    return onWorker;
  }

  /** Whether the reading that has ended met what only the worker can look at. */
  boolean isForWorker() {
    return forWorker;
  }

  /** As {@link Partition#read}; nothing where that is left to the worker. */
  ReadResult read(Partition partition, long offset, int maxBytes, boolean firstWhole)
      throws IOException {
    if (onWorker) {
      return partition.read(offset, maxBytes, firstWhole);
    }
    Optional<ReadResult> here = partition.readHere(offset, maxBytes, firstWhole);
    forWorker |= here.isEmpty();
    return here.orElseGet(() -> new ReadResult.Entries(Bytes.EMPTY, offset));
  }
}
