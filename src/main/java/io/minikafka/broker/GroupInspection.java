package io.minikafka.broker;

import io.minikafka.Caller;
import io.minikafka.PartitionId;
import io.minikafka.Timers;
import io.minikafka.TopicPartition;
import io.minikafka.coordinator.Coordinator;
import io.minikafka.group.GroupChoice;
import io.minikafka.group.GroupDescription;
import io.minikafka.group.GroupDescription.MemberView;
import io.minikafka.group.GroupError;
import io.minikafka.group.GroupsPart;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.topic.Topics;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Everything an operator can ask about consumer groups; nothing here changes any.
 *
 * <p><b>Threads.</b> Any, event loops too: what is asked waits for its turn with the coordinator,
 * and what needs the disk is done on the worker. Answers come on any thread.
 *
 * <p><b>Bounds.</b> The coordinator is asked for so many groups at a time that nobody waits long
 * behind a look, and no more than these are held.
 *
 * <p><b>Errors</b> are values: no such group, a field out of its bounds, or groups are not served
 * now and why.
 */
public final class GroupInspection {
  /** Groups of a page when the caller does not say. */
  public static final int DEFAULT_PAGE_SIZE = 100;

  /** Most groups of a page. */
  public static final int MAX_PAGE_SIZE = 1000;

  /** Most groups to be watched by name. */
  public static final int MAX_WATCHED = 100;

  public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(1);
  public static final Duration MIN_INTERVAL = Duration.ofMillis(100);
  public static final Duration MAX_INTERVAL = Duration.ofHours(1);

  private static final int GROUPS_AT_ONCE = 500;

  private final Coordinator coordinator;
  private final Topics topics;
  private final GroupClients clients;
  private final Timers timers;
  private final InstantSource wallClock;
  private final LagLookup lags;

  /**
   * @param wallClock that of the append times
   * @param worker may block
   */
  public GroupInspection(
      Coordinator coordinator,
      Topics topics,
      GroupClients clients,
      Timers timers,
      InstantSource wallClock,
      Executor worker) {
    this.coordinator = coordinator;
    this.topics = topics;
    this.clients = clients;
    this.timers = timers;
    this.wallClock = wallClock;
    this.lags = new LagLookup(topics, wallClock, timers::nanoTime, worker);
  }

  /**
   * Groups by name.
   *
   * @param pageSize at most so many; 0 for {@link #DEFAULT_PAGE_SIZE}; more than {@link
   *     #MAX_PAGE_SIZE} is taken for that
   * @param after only names behind this one; empty for the beginning
   */
  public CompletableFuture<Result<GroupPage>> list(Caller caller, int pageSize, String after) {
    if (pageSize < 0) {
      return CompletableFuture.completedFuture(
          Result.refused(
              Refusal.invalid(
                  "page_size", "page_size is %d, must be 0 or more".formatted(pageSize))));
    }
    int size = pageSize == 0 ? DEFAULT_PAGE_SIZE : Math.min(pageSize, MAX_PAGE_SIZE);
    return gather(choice(Optional.empty()).behind(after), size, new ArrayList<>());
  }

  /** Asks again until the page is full, as one look gives only so many partitions. */
  private CompletableFuture<Result<GroupPage>> gather(
      GroupChoice choice, int size, List<GroupLag> gathered) {
    return page(choice.atMost(Math.min(GROUPS_AT_ONCE, size - gathered.size())))
        .thenCompose(
            result -> {
              if (!(result instanceof Result.Done<GroupPage>(GroupPage page))) {
                return CompletableFuture.completedFuture(result);
              }
              // Of a page only the sums are told.
              page.groups().forEach(group -> gathered.add(group.part(List.of())));
              return page.next().isEmpty() || gathered.size() == size
                  ? CompletableFuture.completedFuture(
                      Result.done(new GroupPage(List.copyOf(gathered), page.next())))
                  : gather(choice.behind(page.next()), size, gathered);
            });
  }

  /** All there is to say about one group. */
  public CompletableFuture<Result<GroupReport>> describe(Caller caller, String group) {
    return coordinator
        .describe(group)
        .thenCompose(
            found ->
                found
                    .map(this::report)
                    .orElseGet(
                        () ->
                            CompletableFuture.completedFuture(Result.refused(unknownGroup(group)))))
        .exceptionally(GroupInspection::refused);
  }

  private CompletableFuture<Result<GroupReport>> report(GroupDescription group) {
    return lags.of(List.of(group))
        .thenApply(
            lag ->
                Result.done(
                    new GroupReport(
                        lag.getFirst(),
                        group.members().stream().map(this::member).toList(),
                        group.rebalances())));
  }

  private MemberDescription member(MemberView view) {
    Optional<Caller> client = clients.on(view.connection());
    return new MemberDescription(
        view,
        client.map(Caller::clientName).orElse(""),
        client.map(Caller::host).orElse(""),
        view.owned().stream()
            .flatMap(
                owned ->
                    named(owned.partition())
                        .map(
                            name ->
                                new MemberDescription.Owned(
                                    name, owned.grant(), owned.letGoInMs())))
            .sorted(Comparator.comparing(MemberDescription.Owned::partition))
            .toList(),
        view.pending().stream().flatMap(this::named).sorted().toList());
  }

  /** None of a topic that is gone. */
  private Stream<TopicPartition> named(PartitionId id) {
    return topics.nameOf(id.topicId()).stream()
        .map(topic -> new TopicPartition(topic, id.partition()));
  }

  /**
   * The lag of groups, now and again and again.
   *
   * @param groups which, at most {@link #MAX_WATCHED}; empty for all. Those that do not exist are
   *     left out, also when they come or go meanwhile
   * @param interval between the beginnings of two looks; empty for {@link #DEFAULT_INTERVAL}
   */
  public Result<Feed<LagReport>> watch(
      Caller caller, List<String> groups, Optional<Duration> interval) {
    if (groups.size() > MAX_WATCHED) {
      return Result.refused(
          Refusal.invalid(
              "groups",
              "%d groups are named, at most %d can be watched; name none to watch all"
                  .formatted(groups.size(), MAX_WATCHED)));
    }
    Duration every = interval.orElse(DEFAULT_INTERVAL);
    if (every.compareTo(MIN_INTERVAL) < 0 || every.compareTo(MAX_INTERVAL) > 0) {
      return Result.refused(
          Refusal.invalid(
              "interval",
              "interval is %s ms, must be %d to %d ms"
                  .formatted(
                      milliseconds(every), MIN_INTERVAL.toMillis(), MAX_INTERVAL.toMillis())));
    }
    GroupChoice choice =
        choice(groups.isEmpty() ? Optional.empty() : Optional.of(new TreeSet<>(groups)));
    return Result.done(
        new LagFeed(after -> page(choice.behind(after)), timers, wallClock, every.toNanos()));
  }

  /** Exactly, however much it is: a long need not hold it. */
  private static String milliseconds(Duration length) {
    return BigDecimal.valueOf(length.getSeconds())
        .scaleByPowerOfTen(3)
        .add(BigDecimal.valueOf(length.getNano(), 6))
        .stripTrailingZeros()
        .toPlainString();
  }

  /**
   * Looks once at all groups, some at a time.
   *
   * @param each told of each group, in order, one at a time, on any thread
   * @return why not all were looked at; empty if they were
   */
  public CompletableFuture<Optional<Refusal>> forEach(Caller caller, Consumer<GroupLag> each) {
    return forEach(choice(Optional.empty()), each);
  }

  private CompletableFuture<Optional<Refusal>> forEach(
      GroupChoice choice, Consumer<GroupLag> each) {
    return page(choice)
        .thenCompose(
            result ->
                switch (result) {
                  case Result.Refused<GroupPage>(Refusal refusal) ->
                      CompletableFuture.completedFuture(Optional.of(refusal));
                  case Result.Done<GroupPage>(GroupPage page) -> {
                    page.groups().forEach(each);
                    yield page.next().isEmpty()
                        ? CompletableFuture.completedFuture(Optional.empty())
                        : forEach(choice.behind(page.next()), each);
                  }
                });
  }

  private static GroupChoice choice(Optional<NavigableSet<String>> names) {
    return new GroupChoice("", names, GROUPS_AT_ONCE, LagFeed.PARTITIONS_OF_A_REPORT);
  }

  /** One look at the groups that are chosen. */
  private CompletableFuture<Result<GroupPage>> page(GroupChoice choice) {
    return coordinator
        .describe(choice)
        .thenCompose(
            (GroupsPart part) ->
                lags.of(part.groups())
                    .thenApply(
                        lag -> Result.done(new GroupPage(lag, part.more() ? part.last() : ""))))
        .exceptionally(GroupInspection::refused);
  }

  /** The answer to whoever names a group that does not exist. */
  static Refusal unknownGroup(String group) {
    return Refusal.of(
        GroupError.UNKNOWN_GROUP, "there is no group '%s'".formatted(GroupAudit.echo(group)));
  }

  /**
   * @throws CompletionException if the failure is none that is expected
   */
  static <T> Result<T> refused(Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    if (cause instanceof RejectedExecutionException) {
      return Result.refused(Refusal.of(ErrorCode.SHUTTING_DOWN, "the broker is shutting down"));
    }
    return Result.refused(Refusal.of(Coordinator.RefusedException.of(cause).failed()));
  }
}
