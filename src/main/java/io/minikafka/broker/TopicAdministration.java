package io.minikafka.broker;

import io.minikafka.Caller;
import io.minikafka.Counted;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.topic.Outcome;
import io.minikafka.topic.SettingChange;
import io.minikafka.topic.SettingKey;
import io.minikafka.topic.Topic;
import io.minikafka.topic.TopicEntry;
import io.minikafka.topic.TopicError;
import io.minikafka.topic.Topics;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Everything a client or an operator can ask about topics, one method each.
 *
 * <p><b>Threads.</b> Any, event loops too: what looks at memory answers at once, what touches the
 * disk is done on the worker and answers later, on a thread of the worker. Cancelling an answer
 * withdraws what has not begun.
 *
 * <p><b>Trials.</b> With {@code validateOnly} the answer is the one the change would have had, as
 * far as can be told beforehand, and nothing changes.
 *
 * <p><b>Errors</b> are values; they name the field and the bound. Topics of the broker itself can
 * be looked at but not changed from here: {@link ErrorCode#FORBIDDEN}.
 */
public final class TopicAdministration {
  /** Topics of a page when the caller does not say. */
  public static final int DEFAULT_PAGE_SIZE = 100;

  /** Most topics of a page. */
  public static final int MAX_PAGE_SIZE = 1000;

  private static final System.Logger LOG = System.getLogger(TopicAdministration.class.getName());

  private final Topics topics;
  private final BrokerLimits limits;
  private final RecordDeletion recordDeletion;

  public TopicAdministration(Topics topics, Executor worker, BrokerLimits limits) {
    this.topics = topics;
    this.limits = limits;
    this.recordDeletion = new RecordDeletion(worker);
  }

  /**
   * @param partitions how many; outside of 1 … 10,000 is refused
   * @return the topic; without partitions and with an id of zeros if only validated
   */
  public CompletableFuture<Outcome<TopicDescription>> create(
      Caller caller,
      String name,
      long partitions,
      List<SettingChange> settings,
      boolean validateOnly) {
    return unlessNoFrameCarries(
        settings,
        () ->
            audited(
                caller,
                "created",
                validateOnly,
                topics.create(name, partitions, settings, validateOnly)));
  }

  /**
   * Topics by name.
   *
   * @param pageSize at most so many; 0 for {@link #DEFAULT_PAGE_SIZE}; more than {@link
   *     #MAX_PAGE_SIZE} is taken for that
   * @param after only names behind this one; empty for the beginning
   * @param internal whether the broker's own are listed too
   */
  public Outcome<TopicPage> list(Caller caller, int pageSize, String after, boolean internal) {
    if (pageSize < 0) {
      return Outcome.refused(
          TopicError.invalid(
              "page_size", "page_size is %d, must be 0 or more".formatted(pageSize)));
    }
    int size = pageSize == 0 ? DEFAULT_PAGE_SIZE : Math.min(pageSize, MAX_PAGE_SIZE);
    List<TopicEntry> found =
        topics.topics().stream()
            .map(Topic::entry)
            .filter(entry -> internal || !entry.isInternal())
            .filter(entry -> entry.name().compareTo(after) > 0)
            .limit(size + 1L)
            .toList();
    return Outcome.done(
        found.size() <= size
            ? new TopicPage(found, "")
            : new TopicPage(found.subList(0, size), found.get(size - 1).name()));
  }

  public Outcome<TopicDescription> describe(Caller caller, String name) {
    return topics
        .topic(name)
        .map(topic -> Outcome.done(describe(topic)))
        .orElseGet(() -> Outcome.refused(TopicError.unknownTopic(name)));
  }

  /**
   * Deletes a topic with all its records.
   *
   * @return what is, or would be, deleted; without partitions
   */
  public CompletableFuture<Outcome<TopicDescription>> delete(
      Caller caller, String name, boolean validateOnly) {
    return unlessInternal(
        name, () -> audited(caller, "deleted", validateOnly, topics.delete(name, validateOnly)));
  }

  /**
   * Changes the topic's own settings, all or none.
   *
   * @return the topic; if only validated, with the settings it would have and without partitions
   */
  public CompletableFuture<Outcome<TopicDescription>> updateConfig(
      Caller caller, String name, List<SettingChange> changes, boolean validateOnly) {
    return unlessInternal(
        name,
        () ->
            unlessNoFrameCarries(
                changes,
                () ->
                    audited(
                        caller,
                        "altered",
                        validateOnly,
                        topics.alter(name, changes, validateOnly))));
  }

  /**
   * @param partitions how many there shall be in all: more than there are
   */
  public CompletableFuture<Outcome<TopicDescription>> addPartitions(
      Caller caller, String name, long partitions, boolean validateOnly) {
    return unlessInternal(
        name,
        () ->
            audited(
                caller,
                "given partitions",
                validateOnly,
                topics.addPartitions(name, partitions, validateOnly)));
  }

  /**
   * Deletes the oldest records of some partitions of a topic, up to an offset of each.
   *
   * @param starts at least one, each partition once; an offset below the log start changes nothing,
   *     one above the high watermark is refused
   * @return the log starts now, in the order they were asked for. Refused with {@link
   *     ErrorCode#STORAGE_FAILED} after a part was done: the message says which
   */
  public CompletableFuture<Outcome<List<LogStart>>> deleteRecords(
      Caller caller, String name, List<LogStart> starts, boolean validateOnly) {
    return unlessInternal(
        name,
        () -> {
          Optional<Topic> topic = topics.topic(name);
          if (topic.isEmpty()) {
            return now(Outcome.refused(TopicError.unknownTopic(name)));
          }
          CompletableFuture<Outcome<List<LogStart>>> answer =
              recordDeletion.delete(topic.get(), starts, validateOnly);
          if (!validateOnly) {
            answer.thenAccept(
                outcome -> {
                  if (outcome instanceof Outcome.Done<List<LogStart>>(List<LogStart> done)) {
                    log(caller, "cut to " + done, topic.get().entry());
                  }
                });
          }
          return answer;
        });
  }

  private <T> CompletableFuture<Outcome<T>> unlessInternal(
      String name, Supplier<CompletableFuture<Outcome<T>>> change) {
    boolean internal = topics.topic(name).map(Topic::isInternal).orElse(false);
    return internal
        ? now(
            Outcome.refused(
                ErrorCode.FORBIDDEN,
                "topic '%s' belongs to the broker and cannot be changed".formatted(name)))
        : change.get();
  }

  /** A topic must not promise to take batches that no request can bring. */
  private <T> CompletableFuture<Outcome<T>> unlessNoFrameCarries(
      List<SettingChange> changes, Supplier<CompletableFuture<Outcome<T>>> change) {
    SettingKey key = SettingKey.MAX_MESSAGE_BYTES;
    int limit = limits.maxBatchBytes();
    return changes.stream()
        .filter(asked -> asked.key().equals(key.key()))
        .flatMap(asked -> asked.value().stream())
        .filter(value -> key.valueError(value).isEmpty() && Long.parseLong(value) > limit)
        .findFirst()
        .map(
            value ->
                now(
                    Outcome.<T>refused(
                        TopicError.invalid(
                            "settings." + key.key(),
                            ("%s is %s, must be at most %d to fit in a frame of %d bytes"
                                    + " (minikafka.net.max-frame-bytes) with %d to spare")
                                .formatted(
                                    key.key(),
                                    value,
                                    limit,
                                    limits.maxFrameBytes(),
                                    BrokerLimits.FRAME_ROOM_BYTES)))))
        .orElseGet(change);
  }

  /** The answer to a change, described; and a line in the log if it was one. */
  private CompletableFuture<Outcome<TopicDescription>> audited(
      Caller caller,
      String what,
      boolean validateOnly,
      CompletableFuture<Outcome<TopicEntry>> change) {
    CompletableFuture<Outcome<TopicDescription>> answer =
        change.thenApply(
            outcome ->
                switch (outcome) {
                  case Outcome.Refused<TopicEntry>(TopicError error) -> Outcome.refused(error);
                  case Outcome.Done<TopicEntry>(TopicEntry entry) -> {
                    if (!validateOnly) {
                      log(caller, what, entry);
                    }
                    yield Outcome.done(describe(entry, validateOnly));
                  }
                });
    answer.whenComplete(
        (outcome, failure) -> {
          if (answer.isCancelled()) {
            change.cancel(false);
          }
        });
    return answer;
  }

  private TopicDescription describe(TopicEntry entry, boolean validateOnly) {
    Optional<Topic> live = validateOnly ? Optional.empty() : topics.topic(entry.id());
    return live.map(this::describe)
        .orElseGet(
            () ->
                new TopicDescription(
                    entry, entry.own().inForce(topics.defaultsOf(entry)), List.of()));
  }

  private TopicDescription describe(Topic topic) {
    return new TopicDescription(
        topic.entry(),
        topic.entry().own().inForce(topics.defaultsOf(topic.entry())),
        topic.partitions().stream().map(PartitionDescription::of).toList());
  }

  private static void log(Caller caller, String what, TopicEntry entry) {
    String host = caller.host().isEmpty() ? "the broker" : caller.host();
    LOG.log(
        System.Logger.Level.INFO,
        () ->
            "topic '%s' (id %s, %s, settings %s) was %s by %s at %s"
                .formatted(
                    entry.name(),
                    entry.id(),
                    Counted.of(entry.partitions(), "partition"),
                    entry.own(),
                    what,
                    caller.principal(),
                    host));
  }

  private static <T> CompletableFuture<T> now(T value) {
    return CompletableFuture.completedFuture(value);
  }
}
