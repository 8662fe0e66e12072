package io.minikafka.topic;

import io.minikafka.Names;
import io.minikafka.PartitionId;
import io.minikafka.TopicPartition;
import io.minikafka.partition.AppendResult.Reason;
import io.minikafka.partition.Cleanup;
import io.minikafka.partition.CleanupPolicy;
import io.minikafka.partition.FlushPolicy;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionSettings;
import io.minikafka.partition.PartitionStores;
import io.minikafka.partition.StoreSettings;
import io.minikafka.protocol.ErrorCode;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The topics that exist, and their partitions, open.
 *
 * <p><b>Life-cycle.</b> {@link #start} once: reads the catalog, opens every partition, sets aside
 * what belongs to no topic, and takes up deletions that were cut short; then lookups find something
 * and changes are taken. {@link #close} once: closes every partition. The {@link PartitionStores}
 * are the caller's to close, after that.
 *
 * <p><b>Threads.</b> Lookups: any, without a lock; they see the newest state that was published,
 * all of it or none. Changes: any; they are queued, return at once, and are carried out one at a
 * time on the worker, which may be a single thread. A change is durable, and seen by every lookup,
 * before its answer completes. Cancelling the answer withdraws a change that has not begun.
 *
 * <p><b>Errors.</b> What is refused is a value ({@link Outcome.Refused}); an answer that completes
 * exceptionally is a bug, except for {@link #start} and {@link #close}.
 */
public final class Topics {
  private static final Cleanup NEWEST_OF_EACH_KEY =
      new Cleanup(
          CleanupPolicy.COMPACT,
          Cleanup.DEFAULT.deleteRetentionMs(),
          Cleanup.DEFAULT.minDirtyRatio(),
          Cleanup.DEFAULT.minLagMs());

  private final PartitionStores stores;
  private final PartitionSettings defaults;
  private final Partition.Surroundings around;
  private final Supplier<UUID> ids;
  private final TopicListener listener;
  private final PartitionOpener opener;
  private final ChangeQueue queue;
  private final Deletions deletions;
  private final boolean acceptMissingCatalog;
  private final AtomicInteger opened = new AtomicInteger();

  // Written only by the change of the moment.
  private volatile Registry registry = Registry.EMPTY;
  private volatile Map<UUID, String> recovering = Map.of();
  private volatile int total;

  /** Present from start to close. */
  private volatile Optional<TopicChanges> changes = Optional.empty();

  /** Written only by {@link #close}. */
  private volatile boolean stopping;

  /**
   * @param defaults what a topic gets where it says nothing itself
   * @param ids makes ids that never repeat
   * @param start how it starts
   */
  public Topics(
      PartitionStores stores,
      PartitionSettings defaults,
      Partition.Surroundings around,
      Supplier<UUID> ids,
      Start start,
      TopicListener listener) {
    this.stores = stores;
    this.defaults = defaults;
    this.around = around;
    this.ids = ids;
    this.listener = listener;
    this.opener = new PartitionOpener(stores, around, listener::onVisible, start.parallelOpens);
    this.acceptMissingCatalog = start.acceptMissingCatalog;
    this.queue = new ChangeQueue(around.worker());
    this.deletions = new Deletions(stores, around.worker(), this::forget, () -> stopping);
  }

  /**
   * How topics start.
   *
   * @param parallelOpens partitions that are recovered at the same time
   * @param acceptMissingCatalog whether to go on without topics, and set aside what there is of
   *     them, if the catalog is gone
   */
  public record Start(int parallelOpens, boolean acceptMissingCatalog) {}

  /** How far {@link #start} has come. */
  public record Progress(int opened, int total) {}

  public Progress progress() {
    return new Progress(opened.get(), total);
  }

  /**
   * @return completes when every partition is open; exceptionally with an {@link IOException} whose
   *     message is for the operator, and then nothing is open
   */
  public CompletableFuture<Void> start() {
    return queue.submit(
        () -> {
          try {
            return open(TopicCatalog.open(stores.meta()));
          } catch (IOException e) {
            return CompletableFuture.failedFuture(e);
          }
        });
  }

  private CompletableFuture<Void> open(TopicCatalog catalog) throws IOException {
    if (catalog.isMissing()) {
      new MissingCatalog(stores, catalog).begin(acceptMissingCatalog);
    }
    List<TopicEntry> entries = List.copyOf(catalog.content().topics().values());
    List<PartitionOpener.Wanted> wanted = entries.stream().flatMap(this::partitionsOf).toList();
    total = wanted.size();
    Optional<String> limit = stores.limitError(total);
    if (limit.isPresent()) {
      throw new IOException("the topics of this data directory cannot be opened: " + limit.get());
    }
    recovering = entries.stream().collect(Collectors.toMap(TopicEntry::id, TopicEntry::name));
    stores.setAsideUnknown(catalog.content().ids());
    return opener
        .open(wanted, opened, () -> stopping)
        .thenAccept(
            partitions -> {
              int from = 0;
              Stream.Builder<Topic> topics = Stream.builder();
              for (TopicEntry entry : entries) {
                int to = from + entry.partitions();
                topics.add(new Topic(entry, settings(entry), partitions.subList(from, to)));
                from = to;
              }
              registry = Registry.of(topics.build().toList());
              recovering = Map.of();
              changes = Optional.of(new TopicChanges(stores, opener, catalog, new Live(), ids));
              deletions.takeUp(catalog.content().deleting());
            });
  }

  private Stream<PartitionOpener.Wanted> partitionsOf(TopicEntry entry) {
    PartitionSettings settings = settings(entry);
    return IntStream.range(0, entry.partitions())
        .mapToObj(
            number -> new PartitionOpener.Wanted(new PartitionId(entry.id(), number), settings));
  }

  public Optional<Topic> topic(String name) {
    return registry.topic(name);
  }

  public Optional<Topic> topic(UUID id) {
    return registry.topic(id);
  }

  /** The name of a topic, while it is being recovered too; empty if it is unknown or deleted. */
  public Optional<String> nameOf(UUID id) {
    return registry.topic(id).map(Topic::name).or(() -> Optional.ofNullable(recovering.get(id)));
  }

  public Optional<Partition> partition(TopicPartition partition) {
    return registry
        .topic(partition.topic())
        .flatMap(topic -> topic.partition(partition.partition()));
  }

  public Optional<Partition> partition(PartitionId partition) {
    return registry
        .topic(partition.topicId())
        .flatMap(topic -> topic.partition(partition.partition()));
  }

  /** All of them, internal ones too, by name. */
  public List<Topic> topics() {
    return registry.topics();
  }

  /**
   * What a topic gets where it says nothing itself. The broker's own topics keep the newest record
   * of each key, on stable storage, whatever the defaults are.
   */
  public PartitionSettings defaultsOf(TopicEntry entry) {
    if (!entry.isInternal()) {
      return defaults;
    }
    StoreSettings store = defaults.store();
    return new PartitionSettings(
        new StoreSettings(
            store.segmentBytes(),
            store.segmentMs(),
            store.indexIntervalBytes(),
            -1,
            -1,
            FlushPolicy.COMMIT,
            store.flushIntervalMs(),
            NEWEST_OF_EACH_KEY),
        defaults.maxMessageBytes());
  }

  private PartitionSettings settings(TopicEntry entry) {
    return entry.own().over(defaultsOf(entry));
  }

  /**
   * Creates a topic as clients may.
   *
   * @param partitions whatever was asked; see {@link Names#partitionCountError}
   * @return with an id of zeros if only validated
   */
  public CompletableFuture<Outcome<TopicEntry>> create(
      String name, long partitions, List<SettingChange> settings, boolean validateOnly) {
    return switch (TopicDraft.of(name, partitions, settings)) {
      case Outcome.Refused<TopicEntry> refused -> CompletableFuture.completedFuture(refused);
      case Outcome.Done<TopicEntry>(TopicEntry draft) ->
          change(running -> running.create(draft, validateOnly));
    };
  }

  /**
   * Sees to it that one of the broker's own topics exists; one that does is left as it is.
   *
   * @throws IllegalArgumentException if the name is not internal
   */
  public CompletableFuture<Outcome<TopicEntry>> ensureInternal(
      String name, int partitions, List<SettingChange> settings) {
    return switch (TopicDraft.internal(name, partitions, settings)) {
      case Outcome.Refused<TopicEntry> refused -> CompletableFuture.completedFuture(refused);
      case Outcome.Done<TopicEntry>(TopicEntry draft) ->
          change(
              running ->
                  topic(name)
                      .map(there -> CompletableFuture.completedFuture(Outcome.done(there.entry())))
                      .orElseGet(() -> running.create(draft, false)));
    };
  }

  /** Changes settings of a topic, all or none. */
  public CompletableFuture<Outcome<TopicEntry>> alter(
      String name, List<SettingChange> settings, boolean validateOnly) {
    return change(running -> running.alter(name, settings, validateOnly));
  }

  /**
   * Adds partitions to a topic.
   *
   * @param partitions how many there shall be in all
   */
  public CompletableFuture<Outcome<TopicEntry>> addPartitions(
      String name, long partitions, boolean validateOnly) {
    return Names.partitionCountError(partitions)
        .map(
            error ->
                CompletableFuture.completedFuture(
                    Outcome.<TopicEntry>refused(TopicError.invalid("partitions", error))))
        .orElseGet(
            () -> change(running -> running.addPartitions(name, (int) partitions, validateOnly)));
  }

  /**
   * Deletes a topic: at once for everybody, then its bytes. Bytes that cannot be deleted now are
   * deleted at the next start; the topic is gone all the same.
   */
  public CompletableFuture<Outcome<TopicEntry>> delete(String name, boolean validateOnly) {
    CompletableFuture<Outcome<TopicChanges.Deleted>> gone =
        change(running -> running.delete(name, validateOnly));
    CompletableFuture<Outcome<TopicEntry>> answer = new CompletableFuture<>();
    answer.whenComplete(
        (outcome, failure) -> {
          if (answer.isCancelled()) {
            gone.cancel(false);
          }
        });
    gone.thenCompose(
            outcome ->
                switch (outcome) {
                  case Outcome.Refused<TopicChanges.Deleted>(TopicError error) ->
                      CompletableFuture.completedFuture(Outcome.<TopicEntry>refused(error));
                  case Outcome.Done<TopicChanges.Deleted>(TopicChanges.Deleted deleted) ->
                      (validateOnly
                              ? deleted.closed()
                              : deletions.delete(deleted.entry().id(), deleted.closed()))
                          .thenApply(done -> Outcome.done(deleted.entry()));
                })
        .whenComplete(
            (outcome, failure) -> {
              if (failure == null) {
                answer.complete(outcome);
              } else {
                answer.completeExceptionally(cause(failure));
              }
            });
    return answer;
  }

  private CompletableFuture<Outcome<Integer>> forget(List<UUID> gone) {
    return change(running -> running.forget(gone));
  }

  private <T> CompletableFuture<Outcome<T>> change(
      Function<TopicChanges, CompletableFuture<Outcome<T>>> work) {
    return queue.submit(
        () ->
            changes
                .map(work)
                .orElseGet(
                    () ->
                        CompletableFuture.completedFuture(
                            Outcome.refused(
                                ErrorCode.SHUTTING_DOWN, "the broker is starting or stopping"))));
  }

  /**
   * Refuses changes from now on, makes all partitions durable and closes them.
   *
   * @return completes when nothing here touches the stores any more; exceptionally if a partition
   *     failed to close in good order
   */
  public CompletableFuture<Void> close() {
    stopping = true;
    return queue.submit(
        () -> {
          changes = Optional.empty();
          Stream<CompletableFuture<?>> closing =
              registry.topics().stream()
                  .flatMap(topic -> topic.partitions().stream())
                  .map(
                      partition ->
                          partition.close(Reason.SHUTTING_DOWN, "the broker is shutting down"));
          return CompletableFuture.allOf(
              Stream.concat(closing, deletions.underWay()).toArray(CompletableFuture<?>[]::new));
        });
  }

  private static Throwable cause(Throwable failure) {
    return failure instanceof CompletionException && failure.getCause() != null
        ? failure.getCause()
        : failure;
  }

  /** Where changes become visible. */
  private final class Live implements TopicChanges.Published {
    @Override
    public Registry now() {
      return registry;
    }

    @Override
    public PartitionSettings settings(TopicEntry entry) {
      return Topics.this.settings(entry);
    }

    @Override
    public void created(Topic topic) {
      registry = registry.with(topic);
      listener.onCreated(topic);
    }

    @Override
    public CompletableFuture<Void> changed(Topic before, Topic after) {
      registry = registry.with(after);
      listener.onChanged(before, after);
      if (after.settings().equals(before.settings())) {
        return CompletableFuture.completedFuture(null);
      }
      return CompletableFuture.allOf(
          before.partitions().stream()
              .map(partition -> partition.configure(after.settings()))
              .toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public CompletableFuture<Void> deleted(Topic topic) {
      registry = registry.without(topic);
      String message = "topic '%s' was deleted".formatted(topic.name());
      CompletableFuture<?>[] closing =
          topic.partitions().stream()
              .map(partition -> partition.close(Reason.DELETED, message))
              .toArray(CompletableFuture<?>[]::new);
      listener.onDeleted(topic);
      return CompletableFuture.allOf(closing);
    }
  }
}
