package io.minikafka.topic;

import io.minikafka.partition.PartitionStores;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Gives up the bytes of topics that are gone, outside of the queue of changes: it may take long.
 * What is not finished is in the catalog and is taken up at the next start. Any thread.
 */
final class Deletions {
  private static final System.Logger LOG = System.getLogger(Deletions.class.getName());

  private final PartitionStores stores;
  private final Executor worker;
  private final Function<List<UUID>, ? extends CompletableFuture<?>> forget;
  private final BooleanSupplier stopping;
  private final Set<CompletableFuture<?>> underWay = ConcurrentHashMap.newKeySet();

  /**
   * @param forget takes ids out of the catalog
   */
  Deletions(
      PartitionStores stores,
      Executor worker,
      Function<List<UUID>, ? extends CompletableFuture<?>> forget,
      BooleanSupplier stopping) {
    this.stores = stores;
    this.worker = worker;
    this.forget = forget;
    this.stopping = stopping;
  }

  /** Goes on with what an earlier run of the broker left. */
  void takeUp(Collection<UUID> ids) {
    ids.forEach(id -> delete(id, CompletableFuture.completedFuture(null)));
  }

  /**
   * @param closed completes, in whatever way, when every store of the topic is closed
   * @return completes when all is done that can be done now
   */
  CompletableFuture<Void> delete(UUID id, CompletableFuture<Void> closed) {
    CompletableFuture<Boolean> bytes =
        closed.handleAsync((done, failure) -> deleteBytes(id), worker);
    underWay.add(bytes);
    return bytes
        .whenComplete((done, failure) -> underWay.remove(bytes))
        .thenCompose(
            gone ->
                gone
                    ? forget.apply(List.of(id)).<Void>handle((done, failure) -> null)
                    : CompletableFuture.completedFuture(null));
  }

  /** Those that may still touch the stores. */
  Stream<CompletableFuture<?>> underWay() {
    return List.copyOf(underWay).stream();
  }

  private boolean deleteBytes(UUID id) {
    if (stopping.getAsBoolean()) {
      return false;
    }
    try {
      stores.deleteTopic(id);
      return true;
    } catch (IOException e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "bytes of deleted topic {0} are left; the next start tries again: {1}",
          id,
          e.getMessage());
      return false;
    }
  }
}
