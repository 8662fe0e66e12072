package io.minikafka.sim;

import io.minikafka.PartitionId;
import io.minikafka.partition.MetaStore;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.PartitionStores;
import io.minikafka.partition.StoreSettings;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.UnaryOperator;

/** Stores of which each is replaced by one that does something differently. */
record ChangedStores(PartitionStores to, UnaryOperator<PartitionStore> change)
    implements PartitionStores {

  static Stack stack(Stack stack, UnaryOperator<PartitionStore> change) {
    return process -> new ChangedStores(stack.open(process), change);
  }

  @Override
  public PartitionStore open(PartitionId id, StoreSettings settings) throws IOException {
    return change.apply(to.open(id, settings));
  }

  @Override
  public MetaStore meta() {
    return to.meta();
  }

  @Override
  public Optional<String> limitError(long partitions) {
    return to.limitError(partitions);
  }

  @Override
  public void deleteTopic(UUID topicId) throws IOException {
    to.deleteTopic(topicId);
  }

  @Override
  public Set<UUID> topicsFound() throws IOException {
    return to.topicsFound();
  }

  @Override
  public void setAsideUnknown(Set<UUID> known) throws IOException {
    to.setAsideUnknown(known);
  }

  @Override
  public void close() throws IOException {
    to.close();
  }
}
