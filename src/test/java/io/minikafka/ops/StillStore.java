package io.minikafka.ops;

import io.minikafka.Pressure;
import io.minikafka.codec.Bytes;
import io.minikafka.partition.LogStats;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.StampedBatch;
import io.minikafka.partition.StoreSettings;
import io.minikafka.partition.TimeLookup;
import java.util.List;
import java.util.Optional;

/** A store that stands as the test put it. */
final class StillStore implements PartitionStore {
  volatile Snapshot snapshot;
  volatile LogStats stats;

  StillStore(Snapshot snapshot, LogStats stats) {
    this.snapshot = snapshot;
    this.stats = stats;
  }

  @Override
  public Snapshot snapshot() {
    return snapshot;
  }

  @Override
  public Optional<LogStats> stats() {
    return Optional.of(stats);
  }

  @Override
  public boolean appendMayBlock(int bytes) {
    return false;
  }

  @Override
  public void append(List<StampedBatch> batches) {
    throw new AssertionError("nothing is appended here");
  }

  @Override
  public void flush() {}

  @Override
  public ReadResult read(long offset, int maxBytes, boolean atLeastOne, long limitOffset) {
    return new ReadResult.Entries(Bytes.EMPTY, offset);
  }

  @Override
  public boolean readMayBlock(long offset, int maxBytes) {
    return false;
  }

  @Override
  public TimeLookup offsetForTime(long timestamp, long limitOffset) {
    return TimeLookup.NONE;
  }

  @Override
  public TimeLookup latestTimestamp(long limitOffset) {
    return TimeLookup.NONE;
  }

  @Override
  public void trimTo(long offset) {}

  @Override
  public Pressure pressure() {
    return Pressure.NONE;
  }

  @Override
  public void configure(StoreSettings settings) {}

  @Override
  public void listen(Listener listener) {}

  @Override
  public void close() {}
}
