package io.minikafka.net;

import static java.util.stream.Collectors.groupingBy;

import io.minikafka.broker.ConnectionDescription;
import io.minikafka.broker.Connections;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The open connections of a data port by number, for those who look at them. A connection's figures
 * are its event loop's own, which is asked for them: so they cost it nothing while nobody looks.
 *
 * <p>Any thread.
 */
final class ConnectionTable implements Connections {
  private final NavigableMap<Long, Connection> open = new ConcurrentSkipListMap<>();
  private final IntSupplier count;
  private final int limit;

  /**
   * @param count how many are let in
   */
  ConnectionTable(IntSupplier count, int limit) {
    this.count = count;
    this.limit = limit;
  }

  void add(long id, Connection connection) {
    open.put(id, connection);
  }

  void remove(long id) {
    open.remove(id);
  }

  @Override
  public int count() {
    return count.getAsInt();
  }

  @Override
  public int limit() {
    return limit;
  }

  @Override
  public CompletableFuture<List<ConnectionDescription>> list(long after, int limit) {
    // One visit to each event loop, whatever number of connections it has.
    Collection<List<Connection>> byLoop =
        open.tailMap(after, false).values().stream()
            .limit(limit)
            .collect(groupingBy(Connection::eventLoop))
            .values();
    List<CompletableFuture<List<ConnectionDescription>>> parts =
        byLoop.stream()
            .map(
                some ->
                    onLoop(
                        some.getFirst().eventLoop(),
                        List.<ConnectionDescription>of(),
                        () ->
                            some.stream()
                                .map(Connection::describe)
                                .flatMap(Optional::stream)
                                .toList()))
            .toList();
    return CompletableFuture.allOf(parts.toArray(CompletableFuture<?>[]::new))
        .thenApply(
            done ->
                parts.stream()
                    .flatMap(part -> part.join().stream())
                    .sorted(Comparator.comparingLong(ConnectionDescription::id))
                    .toList());
  }

  @Override
  public CompletableFuture<Optional<ConnectionDescription>> describe(long id) {
    return with(id, Connection::describe);
  }

  @Override
  public CompletableFuture<Optional<ConnectionDescription>> close(long id) {
    return with(
        id,
        connection -> {
          Optional<ConnectionDescription> before = connection.describe();
          connection.close(CloseReason.BY_OPERATOR);
          return before;
        });
  }

  private CompletableFuture<Optional<ConnectionDescription>> with(
      long id, Function<Connection, Optional<ConnectionDescription>> work) {
    return Stream.ofNullable(open.get(id))
        .map(
            found ->
                onLoop(
                    found.eventLoop(),
                    Optional.<ConnectionDescription>empty(),
                    () -> work.apply(found)))
        .findFirst()
        .orElseGet(() -> CompletableFuture.completedFuture(Optional.empty()));
  }

  /** What an event loop says; {@code gone} if it has ended, and every connection with it. */
  private static <T> CompletableFuture<T> onLoop(Executor loop, T gone, Supplier<T> work) {
    try {
      return CompletableFuture.supplyAsync(work, loop);
    } catch (RejectedExecutionException e) {
      return CompletableFuture.completedFuture(gone);
    }
  }
}
