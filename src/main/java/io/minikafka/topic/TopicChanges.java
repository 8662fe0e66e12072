package io.minikafka.topic;

import io.minikafka.PartitionId;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionSettings;
import io.minikafka.partition.PartitionStores;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.storage.DiskFullException;
import io.minikafka.storage.OpenFileLimitException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/**
 * Carries out changes to topics: what can fail without a trace first, then the catalog, then what
 * everybody sees.
 *
 * <p>Each method here runs as one change of the {@link ChangeQueue}, on the worker, and may block.
 */
final class TopicChanges {
  private final PartitionStores stores;
  private final PartitionOpener opener;
  private final TopicCatalog catalog;
  private final Published published;
  private final Supplier<UUID> ids;

  /** What everybody sees; {@link Topics} keeps it. */
  interface Published {
    Registry now();

    /** What is in force for a topic. */
    PartitionSettings settings(TopicEntry entry);

    void created(Topic topic);

    /** The partitions have the new settings when the answer completes. */
    CompletableFuture<Void> changed(Topic before, Topic after);

    /** Takes the topic away; its partitions refuse appends when this returns. */
    CompletableFuture<Void> deleted(Topic topic);
  }

  TopicChanges(
      PartitionStores stores,
      PartitionOpener opener,
      TopicCatalog catalog,
      Published published,
      Supplier<UUID> ids) {
    this.stores = stores;
    this.opener = opener;
    this.catalog = catalog;
    this.published = published;
    this.ids = ids;
  }

  /**
   * @param draft its id does not count
   */
  CompletableFuture<Outcome<TopicEntry>> create(TopicEntry draft, boolean validateOnly) {
    Optional<TopicError> error = catalog.unsure();
    if (error.isEmpty() && published.now().topic(draft.name()).isPresent()) {
      error =
          Optional.of(
              TopicError.of(
                  ErrorCode.TOPIC_EXISTS, "topic '%s' exists already".formatted(draft.name())));
    }
    error = error.or(() -> limitError(draft.partitions()));
    if (error.isPresent() || validateOnly) {
      return now(answer(error, draft));
    }
    TopicEntry entry = new TopicEntry(draft.name(), ids.get(), draft.partitions(), draft.own());
    return open(
        entry,
        0,
        partitions -> {
          published.created(new Topic(entry, published.settings(entry), partitions));
          return now(Outcome.done(entry));
        });
  }

  CompletableFuture<Outcome<TopicEntry>> alter(
      String name, List<SettingChange> changes, boolean validateOnly) {
    return withTopic(
        name,
        topic ->
            switch (topic.entry().own().with(changes)) {
              case Outcome.Refused<TopicSettings>(TopicError error) -> now(Outcome.refused(error));
              case Outcome.Done<TopicSettings>(TopicSettings own) ->
                  alter(topic, own, validateOnly);
            });
  }

  private CompletableFuture<Outcome<TopicEntry>> alter(
      Topic before, TopicSettings own, boolean validateOnly) {
    TopicEntry entry = before.entry();
    TopicEntry changed = new TopicEntry(entry.name(), entry.id(), entry.partitions(), own);
    if (validateOnly) {
      return now(Outcome.done(changed));
    }
    // Shorter retention is what an operator turns to when the disk is full.
    Optional<TopicError> error = catalog.replaceFromReserve(catalog.content().with(changed));
    if (error.isPresent()) {
      return now(Outcome.refused(error.get()));
    }
    Topic after = new Topic(changed, published.settings(changed), before.partitions());
    return published.changed(before, after).thenApply(done -> Outcome.done(changed));
  }

  CompletableFuture<Outcome<TopicEntry>> addPartitions(
      String name, int partitions, boolean validateOnly) {
    return withTopic(name, topic -> addPartitions(topic, partitions, validateOnly));
  }

  private CompletableFuture<Outcome<TopicEntry>> addPartitions(
      Topic before, int partitions, boolean validateOnly) {
    int present = before.partitions().size();
    TopicEntry entry = new TopicEntry(before.name(), before.id(), partitions, before.entry().own());
    Optional<TopicError> error =
        partitions > present
            ? limitError(partitions - present)
            : Optional.of(
                TopicError.invalid(
                    "partitions",
                    "partition count %d must be more than the %d there are; partitions cannot be taken away"
                        .formatted(partitions, present)));
    if (error.isPresent() || validateOnly) {
      return now(answer(error, entry));
    }
    return open(
        entry,
        present,
        added -> {
          List<Partition> all = new ArrayList<>(before.partitions());
          all.addAll(added);
          Topic after = new Topic(entry, before.settings(), all);
          return published.changed(before, after).thenApply(done -> Outcome.done(entry));
        });
  }

  /** What a deletion leaves to be done outside of the queue. */
  record Deleted(TopicEntry entry, CompletableFuture<Void> closed) {}

  CompletableFuture<Outcome<Deleted>> delete(String name, boolean validateOnly) {
    return withTopic(
        name,
        topic -> {
          if (validateOnly) {
            CompletableFuture<Void> nothing = CompletableFuture.completedFuture(null);
            return now(Outcome.done(new Deleted(topic.entry(), nothing)));
          }
          Optional<TopicError> error =
              catalog.replaceFromReserve(catalog.content().deleting(topic.entry()));
          if (error.isEmpty()) {
            return now(Outcome.done(new Deleted(topic.entry(), published.deleted(topic))));
          }
          if (catalog.unsure().isPresent()) {
            // The next start may find it deleted: nothing more may be acknowledged in it.
            published.deleted(topic);
          }
          return now(Outcome.refused(error.get()));
        });
  }

  /** The bytes of these topics are gone. */
  CompletableFuture<Outcome<Integer>> forget(List<UUID> gone) {
    Optional<TopicError> error = catalog.replaceFromReserve(catalog.content().forgetting(gone));
    return now(answer(error, gone.size()));
  }

  private CompletableFuture<Outcome<TopicEntry>> open(
      TopicEntry entry,
      int from,
      Function<List<Partition>, CompletableFuture<Outcome<TopicEntry>>> whenDurable) {
    PartitionSettings settings = published.settings(entry);
    List<PartitionOpener.Wanted> wanted =
        IntStream.range(from, entry.partitions())
            .mapToObj(
                number -> new PartitionOpener.Wanted(new PartitionId(entry.id(), number), settings))
            .toList();
    return opener
        .open(wanted, new AtomicInteger(), () -> false)
        .thenApply(Outcome::done)
        .exceptionally(failure -> Outcome.refused(openError(failure)))
        .thenCompose(
            outcome ->
                switch (outcome) {
                  case Outcome.Refused<List<Partition>>(TopicError error) ->
                      now(Outcome.refused(error));
                  case Outcome.Done<List<Partition>>(List<Partition> partitions) -> {
                    Optional<TopicError> error = catalog.replace(catalog.content().with(entry));
                    yield error.isEmpty()
                        ? whenDurable.apply(partitions)
                        : PartitionOpener.close(partitions)
                            .handle((closed, ignored) -> Outcome.refused(error.get()));
                  }
                });
  }

  private <T> CompletableFuture<Outcome<T>> withTopic(
      String name, Function<Topic, CompletableFuture<Outcome<T>>> change) {
    Optional<TopicError> unsure = catalog.unsure();
    if (unsure.isPresent()) {
      return now(Outcome.refused(unsure.get()));
    }
    return published
        .now()
        .topic(name)
        .map(change)
        .orElseGet(() -> now(Outcome.refused(TopicError.unknownTopic(name))));
  }

  private Optional<TopicError> limitError(int more) {
    return stores
        .limitError(published.now().partitions() + more)
        .map(limit -> TopicError.of(ErrorCode.LIMIT_REACHED, limit));
  }

  private static TopicError openError(Throwable failure) {
    Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
    ErrorCode code =
        switch (cause) {
          case OpenFileLimitException e -> ErrorCode.LIMIT_REACHED;
          case DiskFullException e -> ErrorCode.DISK_FULL;
          case null, default -> ErrorCode.STORAGE_FAILED;
        };
    String reason = cause == null ? "unknown" : String.valueOf(cause.getMessage());
    return TopicError.of(
        code, "the partitions could not be opened (%s); nothing was changed".formatted(reason));
  }

  private static <T> Outcome<T> answer(Optional<TopicError> error, T value) {
    return error.<Outcome<T>>map(Outcome::refused).orElseGet(() -> Outcome.done(value));
  }

  private static <T> CompletableFuture<T> now(T value) {
    return CompletableFuture.completedFuture(value);
  }
}
