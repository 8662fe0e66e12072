package io.minikafka.sim;

import io.minikafka.Pressure;
import io.minikafka.partition.AppendTimeLookup;
import io.minikafka.partition.DeletionOutlook;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.ReadResult;
import io.minikafka.partition.StampedBatch;
import io.minikafka.partition.StoreSettings;
import io.minikafka.partition.TimeLookup;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A store that is another one, for those that do one thing differently. */
abstract class ForwardingStore implements PartitionStore {
  final PartitionStore to;

  ForwardingStore(PartitionStore to) {
    this.to = to;
  }

  @Override
  public Snapshot snapshot() {
    return to.snapshot();
  }

  @Override
  public boolean appendMayBlock(int bytes) {
    return to.appendMayBlock(bytes);
  }

  @Override
  public void append(List<StampedBatch> batches) throws IOException {
    to.append(batches);
  }

  @Override
  public void flush() {
    to.flush();
  }

  @Override
  public ReadResult read(long offset, int maxBytes, boolean atLeastOne, long limitOffset)
      throws IOException {
    return to.read(offset, maxBytes, atLeastOne, limitOffset);
  }

  @Override
  public Optional<ReadResult> readHere(
      long offset, int maxBytes, boolean atLeastOne, long limitOffset) throws IOException {
    return to.readHere(offset, maxBytes, atLeastOne, limitOffset);
  }

  @Override
  public boolean readMayBlock(long offset, int maxBytes) {
    return to.readMayBlock(offset, maxBytes);
  }

  @Override
  public TimeLookup offsetForTime(long timestamp, long limitOffset) throws IOException {
    return to.offsetForTime(timestamp, limitOffset);
  }

  @Override
  public TimeLookup latestTimestamp(long limitOffset) throws IOException {
    return to.latestTimestamp(limitOffset);
  }

  @Override
  public AppendTimeLookup appendTime(long offset, long limitOffset) throws IOException {
    return to.appendTime(offset, limitOffset);
  }

  @Override
  public DeletionOutlook deletionOutlook(long offset) throws IOException {
    return to.deletionOutlook(offset);
  }

  @Override
  public void trimTo(long offset) throws IOException {
    to.trimTo(offset);
  }

  @Override
  public Pressure pressure() {
    return to.pressure();
  }

  @Override
  public void configure(StoreSettings settings) {
    to.configure(settings);
  }

  @Override
  public void listen(Listener listener) {
    to.listen(listener);
  }

  @Override
  public void close() throws IOException {
    to.close();
  }
}
