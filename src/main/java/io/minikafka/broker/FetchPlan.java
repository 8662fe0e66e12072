package io.minikafka.broker;

import io.minikafka.partition.Partition;
import java.util.List;

/**
 * What a fetch reads, and how its answer is put together; one for each version of the protocol.
 * Used by one thread at a time.
 *
 * @param <R> the response
 */
interface FetchPlan<R> {
  /** The partitions whose progress may complete the fetch. */
  List<Partition> watched();

  /** Whether reading now may wait for a disk, or is too much for an event loop. */
  boolean mayBlock();

  /** Reads what is there. What fails for one partition is said in its part of the answer. */
  Attempt<R> read();

  /** Whether the last {@link #read}, on an event loop, met what only the worker can look at. */
  default boolean isForWorker() {
    return false;
  }

  /**
   * Whether so much has come since the last {@link #read} that reading again is worth it. Cheap,
   * never blocks.
   */
  boolean worthReading();

  /** Releases what a response holds that will not be sent. */
  void discard(R response);

  /**
   * One reading.
   *
   * @param complete there is as much as was asked for, or an error: no reason to wait
   * @param records that the response holds, as offsets count them
   * @param bytes of them
   */
  record Attempt<R>(R response, boolean complete, long records, long bytes) {}
}
