package io.minikafka.broker;

import io.minikafka.Caller;
import io.minikafka.Counted;
import io.minikafka.PartitionId;
import io.minikafka.Timers;
import io.minikafka.broker.LogTargets.Target;
import io.minikafka.partition.Durability;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.Repair;
import io.minikafka.partition.RepairAction;
import io.minikafka.partition.SegmentDescription;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.topic.Topic;
import io.minikafka.topic.Topics;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;

/**
 * Everything an operator can ask about the logs of partitions, one method each.
 *
 * <p><b>Threads.</b> Any, event loops too: what touches the disk is done on the worker. Cancelling
 * an answer withdraws what has not begun.
 *
 * <p><b>Errors</b> are values; they name the field and the bound.
 */
public final class LogAdministration {
  /** Segments of a page when the caller does not say. */
  public static final int DEFAULT_PAGE_SIZE = 100;

  /** Most segments of a page. */
  public static final int MAX_PAGE_SIZE = 1000;

  /** Verifications at once: each has a window of 1 to 17 MiB, and reads as fast as it may. */
  static final int MAX_VERIFICATIONS = 2;

  /** Tails at once. */
  static final int MAX_TAILS = 20;

  private static final System.Logger LOG = System.getLogger(LogAdministration.class.getName());

  private final LogTargets targets;
  private final Executor worker;
  private final RecordAppends appends;

  private final Topics topics;
  private final Surroundings around;
  private final LogRepairs repairs;
  private final Places verifications = new Places(MAX_VERIFICATIONS);
  private final Places tails = new Places(MAX_TAILS);

  /**
   * What is needed from the surroundings.
   *
   * @param wallClock for timestamps of records that come without
   * @param verifyBytesPerSecond of one verification; 0 for no bound
   * @param cuts told of logs that end earlier than before
   */
  public record Surroundings(
      Executor worker,
      Timers timers,
      InstantSource wallClock,
      long verifyBytesPerSecond,
      ParkedFetches parkedFetches,
      Cuts cuts) {}

  /** Is told of partitions that end earlier than before. */
  public interface Cuts {
    /**
     * @return completes when no group has committed beyond the end any more, as far as groups are
     *     served now
     */
    CompletableFuture<Void> cut(PartitionId partition, long end);
  }

  public LogAdministration(Topics topics, Surroundings around) {
    this.topics = topics;
    this.targets = new LogTargets(topics);
    this.around = around;
    this.worker = around.worker;
    this.appends = new RecordAppends(around.wallClock);
    this.repairs = new LogRepairs(around.parkedFetches, around.cuts);
  }

  /**
   * Reads all bytes of some partitions and compares every checksum.
   *
   * @param topic empty for all
   * @param partition empty for all of the topic
   */
  public Result<Feed<VerifyReport>> verify(Caller caller, String topic, OptionalInt partition) {
    return switch (targets.some(topic, partition)) {
      case Result.Refused<List<Target>>(Refusal refusal) -> Result.refused(refusal);
      case Result.Done<List<Target>>(List<Target> all) ->
          verifications.take()
              ? Result.done(
                  new VerifyFeed(
                      all,
                      around.verifyBytesPerSecond,
                      worker,
                      around.timers,
                      verifications::giveBack))
              : full("verifications", verifications);
    };
  }

  /**
   * Records to be looked at.
   *
   * @param tail its numbers in their bounds
   */
  public Result<Feed<TailItem>> tail(Caller caller, String topic, int partition, Tail tail) {
    return switch (targets.one(topic, partition)) {
      case Result.Refused<Target>(Refusal refusal) -> Result.refused(refusal);
      case Result.Done<Target>(Target target) ->
          tails.take()
              ? Result.done(
                  new TailFeed(
                      target,
                      tail,
                      worker,
                      around.timers,
                      () -> topics.partition(target.partition().id()).isPresent(),
                      tails::giveBack))
              : full("tails", tails);
    };
  }

  private static <T> Result<T> full(String what, Places places) {
    return Result.refused(
        Refusal.of(
            ErrorCode.LIMIT_REACHED,
            "%d %s are under way, as many as may be at once; try again when one has ended"
                .formatted(places.limit(), what)));
  }

  /**
   * Gives up damage around an offset.
   *
   * @return what was done, or would be
   */
  public CompletableFuture<Result<Repair>> repair(
      Caller caller,
      String topic,
      int partition,
      RepairAction action,
      long offset,
      boolean validateOnly) {
    return switch (targets.one(topic, partition)) {
      case Result.Refused<Target>(Refusal refusal) -> now(Result.refused(refusal));
      case Result.Done<Target>(Target target) -> {
        CompletableFuture<Result<Repair>> answer =
            repairs.repair(target, action, offset, validateOnly);
        if (!validateOnly) {
          answer.thenAccept(result -> logRepair(caller, target, result));
        }
        yield answer;
      }
    };
  }

  private static void logRepair(Caller caller, Target target, Result<Repair> result) {
    if (result instanceof Result.Done<Repair>(Repair repair)) {
      log(
          caller,
          "partition %s was repaired (%s offsets %d to %d, copies %s)"
              .formatted(
                  target.text(),
                  repair.action() == RepairAction.CUT ? "cut" : "skipped",
                  repair.lostFrom(),
                  repair.lostTo() - 1,
                  repair.copies()));
    }
  }

  /**
   * Segments of a partition, oldest first.
   *
   * @param pageSize at most so many; 0 for {@link #DEFAULT_PAGE_SIZE}; more than {@link
   *     #MAX_PAGE_SIZE} is taken for that
   * @param from none whose base offset is below it
   */
  public CompletableFuture<Result<SegmentPage>> segments(
      Caller caller, String topic, int partition, int pageSize, long from) {
    if (pageSize < 0) {
      return now(
          Result.refused(
              Refusal.invalid(
                  "page_size", "page_size is %d, must be 0 or more".formatted(pageSize))));
    }
    int size = pageSize == 0 ? DEFAULT_PAGE_SIZE : Math.min(pageSize, MAX_PAGE_SIZE);
    return switch (targets.one(topic, partition)) {
      case Result.Refused<Target>(Refusal refusal) -> now(Result.refused(refusal));
      case Result.Done<Target>(Target target) ->
          CompletableFuture.supplyAsync(() -> page(target, size, from), worker);
    };
  }

  private static Result<SegmentPage> page(Target target, int size, long from) {
    try {
      List<SegmentDescription> found = target.partition().segments(from, size + 1);
      return Result.done(
          found.size() <= size
              ? new SegmentPage(found, OptionalLong.empty())
              : new SegmentPage(
                  found.subList(0, size), OptionalLong.of(found.get(size).baseOffset())));
    } catch (IOException e) {
      return Result.refused(
          Refusal.of(
              ErrorCode.STORAGE_FAILED,
              "the segments of %s cannot be looked at: %s"
                  .formatted(target.text(), e.getMessage())));
    }
  }

  /**
   * Appends a few records.
   *
   * @param partition empty if the keys decide
   * @return one for each record, in their order; refused if none of them was appended
   */
  public CompletableFuture<Result<List<AppendedRecord>>> append(
      Caller caller,
      String topic,
      OptionalInt partition,
      List<NewRecord> records,
      Durability wanted,
      boolean validateOnly) {
    return onTopic(
        topic,
        found -> {
          if (found.isInternal()) {
            return now(
                Result.refused(
                    Refusal.of(
                        ErrorCode.FORBIDDEN,
                        "topic '%s' belongs to the broker and cannot be written"
                            .formatted(topic))));
          }
          if (partition.isPresent()
              && LogTargets.in(found, partition.getAsInt())
                  instanceof Result.Refused<Target>(Refusal refusal)) {
            return now(Result.refused(refusal));
          }
          CompletableFuture<Result<List<AppendedRecord>>> answer =
              appends.append(found, partition, records, wanted, validateOnly);
          if (!validateOnly) {
            answer.thenAccept(result -> logAppend(caller, found, result));
          }
          return answer;
        });
  }

  private static void logAppend(Caller caller, Topic topic, Result<List<AppendedRecord>> result) {
    if (result instanceof Result.Done<List<AppendedRecord>>(List<AppendedRecord> all)) {
      long done = all.stream().filter(AppendedRecord.Done.class::isInstance).count();
      log(caller, "%s appended to topic '%s'".formatted(Counted.of(done, "record"), topic.name()));
    }
  }

  /**
   * Makes what was appended durable.
   *
   * @param topic empty for all; then only partitions with something to be done are answered
   * @param partition empty for all of the topic
   * @return by topic and number, when it is done or can no longer be
   */
  public CompletableFuture<Result<List<FlushedPartition>>> flush(
      Caller caller, String topic, OptionalInt partition) {
    return switch (targets.some(topic, partition)) {
      case Result.Refused<List<Target>>(Refusal refusal) -> now(Result.refused(refusal));
      case Result.Done<List<Target>>(List<Target> all) -> {
        List<Target> wanted =
            topic.isEmpty()
                ? all.stream().filter(target -> isDirty(target.partition().snapshot())).toList()
                : all;
        List<CompletableFuture<FlushedPartition>> flushed =
            wanted.stream().map(LogAdministration::flush).toList();
        yield CompletableFuture.allOf(flushed.toArray(CompletableFuture<?>[]::new))
            .thenApply(done -> Result.done(flushed.stream().map(CompletableFuture::join).toList()));
      }
    };
  }

  private static boolean isDirty(PartitionStore.Snapshot now) {
    return now.durable() < now.end();
  }

  private static CompletableFuture<FlushedPartition> flush(Target target) {
    long end = target.partition().snapshot().end();
    return target
        .partition()
        .flush()
        .thenApply(
            ended -> {
              PartitionStore.Snapshot now = target.partition().snapshot();
              String error =
                  now.durable() >= end
                      ? ""
                      : now.isOffline() ? now.offline() : "the partition was closed";
              return new FlushedPartition(
                  target.topic().name(), target.number(), now.durable(), error);
            });
  }

  private <T> CompletableFuture<Result<T>> onTopic(
      String name, Function<Topic, CompletableFuture<Result<T>>> question) {
    return switch (targets.topic(name)) {
      case Result.Refused<Topic>(Refusal refusal) -> now(Result.refused(refusal));
      case Result.Done<Topic>(Topic topic) -> question.apply(topic);
    };
  }

  private static void log(Caller caller, String what) {
    String host = caller.host().isEmpty() ? "the broker" : caller.host();
    LOG.log(
        System.Logger.Level.INFO,
        () -> "%s, by %s at %s".formatted(what, caller.principal(), host));
  }

  private static <T> CompletableFuture<T> now(T value) {
    return CompletableFuture.completedFuture(value);
  }
}
