package io.minikafka.broker;

import io.minikafka.Caller;
import io.minikafka.Timers;
import io.minikafka.coordinator.Coordinator;
import io.minikafka.coordinator.Status;
import io.minikafka.partition.Partition;
import io.minikafka.topic.Topic;
import io.minikafka.topic.Topics;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Everything an operator can ask about the broker itself and about who is connected to it, one
 * method each.
 *
 * <p><b>Threads.</b> Any, event loops too: what looks at the disk is done on the worker. Answers
 * come on any thread.
 *
 * <p><b>Trials.</b> With {@code validateOnly} the answer is the one the change would have had, and
 * nothing changes.
 */
public final class BrokerAdministration {
  /** Connections of a page when the caller does not say. */
  public static final int DEFAULT_PAGE_SIZE = 100;

  /** Most connections of a page. */
  public static final int MAX_PAGE_SIZE = 1000;

  /** Groups wait for the disk: a description is not to wait for them when that stands still. */
  static final long GROUPS_WAIT_MS = 1_000;

  private static final System.Logger LOG = System.getLogger(BrokerAdministration.class.getName());

  private final BrokerFacts facts;
  private final Topics topics;
  private final Coordinator coordinator;
  private final Connections connections;
  private final Surroundings around;
  private final long madeNanos;

  /**
   * What it needs besides.
   *
   * @param disk measures; may block
   * @param http counts; at once
   */
  public record Surroundings(
      Supplier<DiskUse> disk, Supplier<HttpUse> http, Executor worker, Timers timers) {}

  /**
   * @param facts of a start that has just ended
   */
  public BrokerAdministration(
      BrokerFacts facts,
      Topics topics,
      Coordinator coordinator,
      Connections connections,
      Surroundings around) {
    this.facts = facts;
    this.topics = topics;
    this.coordinator = coordinator;
    this.connections = connections;
    this.around = around;
    this.madeNanos = around.timers.nanoTime();
  }

  public CompletableFuture<Result<BrokerDescription>> describe(Caller caller) {
    Status groups = coordinator.status();
    return groupCount(groups)
        .thenCombineAsync(
            CompletableFuture.supplyAsync(around.disk, around.worker),
            (count, disk) ->
                Result.done(new BrokerDescription(facts, uptime(), disk, counts(count), groups)),
            around.worker);
  }

  private CompletableFuture<OptionalInt> groupCount(Status groups) {
    if (!(groups instanceof Status.Serving)) {
      return CompletableFuture.completedFuture(OptionalInt.empty());
    }
    CompletableFuture<OptionalInt> count = new CompletableFuture<>();
    Timers.Timer limit =
        around.timers.after(
            TimeUnit.MILLISECONDS.toNanos(GROUPS_WAIT_MS),
            () -> count.complete(OptionalInt.empty()));
    coordinator
        .look(found -> OptionalInt.of(found.list().size()))
        .whenComplete(
            (found, refused) -> {
              limit.cancel();
              count.complete(refused == null ? found : OptionalInt.empty());
            });
    return count;
  }

  /** By the monotonic clock: the other one may have been set since. */
  private Duration uptime() {
    return Duration.ofNanos(facts.start().nanos() + around.timers.nanoTime() - madeNanos);
  }

  private BrokerDescription.Counts counts(OptionalInt groups) {
    List<Topic> known = topics.topics();
    int partitions = 0;
    int offline = 0;
    for (Topic topic : known) {
      partitions += topic.partitions().size();
      for (Partition partition : topic.partitions()) {
        offline += partition.snapshot().isOffline() ? 1 : 0;
      }
    }
    return new BrokerDescription.Counts(
        known.size(),
        partitions,
        offline,
        groups,
        connections.count(),
        connections.limit(),
        around.http.get());
  }

  /**
   * Connections by number.
   *
   * @param pageSize at most so many; 0 for {@link #DEFAULT_PAGE_SIZE}; more than {@link
   *     #MAX_PAGE_SIZE} is taken for that
   * @param after only those with a higher number
   */
  public CompletableFuture<Result<ConnectionPage>> connections(
      Caller caller, int pageSize, long after) {
    if (pageSize < 0) {
      return CompletableFuture.completedFuture(
          Result.refused(
              Refusal.invalid(
                  "page_size", "page_size is %d, must be 0 or more".formatted(pageSize))));
    }
    int size = pageSize == 0 ? DEFAULT_PAGE_SIZE : Math.min(pageSize, MAX_PAGE_SIZE);
    return connections
        .list(after, size + 1)
        .thenApply(
            found ->
                Result.done(
                    found.size() <= size
                        ? new ConnectionPage(found, OptionalLong.empty())
                        : new ConnectionPage(
                            found.subList(0, size), OptionalLong.of(found.get(size - 1).id()))));
  }

  /**
   * Ends a connection.
   *
   * @return how it was, or is
   */
  public CompletableFuture<Result<ConnectionDescription>> close(
      Caller caller, long id, boolean validateOnly) {
    return (validateOnly ? connections.describe(id) : connections.close(id))
        .thenApply(
            found -> {
              if (!validateOnly) {
                found.ifPresent(closed -> log(caller, closed));
              }
              return found.map(Result::done).orElseGet(() -> unknown(id));
            });
  }

  private static Result<ConnectionDescription> unknown(long id) {
    return Result.refused(
        Refusal.of(
            Refusal.Kind.NOT_FOUND,
            "UNKNOWN_CONNECTION",
            "there is no connection %d; it may have ended meanwhile".formatted(id)));
  }

  private static void log(Caller caller, ConnectionDescription closed) {
    LOG.log(
        System.Logger.Level.INFO,
        () ->
            "connection %d ('%s', from %s) was closed by %s at %s"
                .formatted(
                    closed.id(),
                    closed.clientName(),
                    closed.peer(),
                    caller.principal(),
                    caller.host()));
  }
}
