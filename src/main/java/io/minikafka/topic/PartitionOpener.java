package io.minikafka.topic;

import io.minikafka.PartitionId;
import io.minikafka.partition.AppendResult.Reason;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionSettings;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.PartitionStores;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Opens partitions, several at a time, all or none. Any thread; the work is the worker's. */
final class PartitionOpener {
  private final PartitionStores stores;
  private final Partition.Surroundings around;
  private final Consumer<Partition> onVisible;
  private final int lanes;

  record Wanted(PartitionId id, PartitionSettings settings) {}

  /**
   * @param lanes partitions opened at the same time
   */
  PartitionOpener(
      PartitionStores stores,
      Partition.Surroundings around,
      Consumer<Partition> onVisible,
      int lanes) {
    this.stores = stores;
    this.around = around;
    this.onVisible = onVisible;
    this.lanes = lanes;
  }

  /**
   * @param opened counted up as they open
   * @param stop asked before each; once it says yes the rest is not opened and the whole fails
   * @return the partitions in the order they were wanted, on a thread of the worker; or, when those
   *     that did open are closed again, an {@link IOException}
   */
  CompletableFuture<List<Partition>> open(
      List<Wanted> wanted, AtomicInteger opened, BooleanSupplier stop) {
    Run run = new Run(wanted, opened, stop);
    int parallel = Math.max(1, Math.min(lanes, wanted.size()));
    CompletableFuture<?>[] running = new CompletableFuture<?>[parallel];
    for (int i = 0; i < parallel; i++) {
      running[i] = CompletableFuture.runAsync(run::lane, around.worker());
    }
    return CompletableFuture.allOf(running)
        .handle((done, bug) -> bug == null ? run.result() : run.failed(bug))
        .thenCompose(result -> result);
  }

  private final class Run {
    private final List<Wanted> wanted;
    private final AtomicInteger opened;
    private final BooleanSupplier stop;

    private final AtomicInteger next = new AtomicInteger();
    private final AtomicReference<IOException> failure = new AtomicReference<>();
    private final AtomicReferenceArray<Partition> partitions;

    Run(List<Wanted> wanted, AtomicInteger opened, BooleanSupplier stop) {
      this.wanted = wanted;
      this.opened = opened;
      this.stop = stop;
      this.partitions = new AtomicReferenceArray<>(wanted.size());
    }

    void lane() {
      for (int i = next.getAndIncrement(); i < wanted.size(); i = next.getAndIncrement()) {
        if (failure.get() != null) {
          return;
        }
        if (stop.getAsBoolean()) {
          failure.compareAndSet(null, new IOException("stopped while partitions were opened"));
          return;
        }
        try {
          partitions.set(i, open(wanted.get(i)));
          opened.incrementAndGet();
        } catch (IOException e) {
          failure.compareAndSet(null, e);
          return;
        }
      }
    }

    private Partition open(Wanted next) throws IOException {
      PartitionStore store = stores.open(next.id, next.settings.store());
      return new Partition(next.id, store, next.settings, around, onVisible);
    }

    CompletableFuture<List<Partition>> result() {
      IOException failed = failure.get();
      return failed == null ? CompletableFuture.completedFuture(all().toList()) : failed(failed);
    }

    CompletableFuture<List<Partition>> failed(Throwable cause) {
      return close(all().toList())
          .handle(
              (closed, ignored) -> {
                throw new CompletionException(cause);
              });
    }

    private Stream<Partition> all() {
      return IntStream.range(0, partitions.length())
          .mapToObj(partitions::get)
          .filter(Objects::nonNull);
    }
  }

  /** Closes partitions that nobody ever saw. */
  static CompletableFuture<Void> close(List<Partition> partitions) {
    return CompletableFuture.allOf(
        partitions.stream()
            .map(partition -> partition.close(Reason.SHUTTING_DOWN, "the partition was not opened"))
            .toArray(CompletableFuture<?>[]::new));
  }
}
