package io.minikafka.admin;

import io.minikafka.broker.ConnectionDescription;
import io.minikafka.broker.Connections;
import java.time.Instant;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;

/** Connections that are there because the test says so. */
final class FakeConnections implements Connections {
  final NavigableMap<Long, ConnectionDescription> open = new ConcurrentSkipListMap<>();

  void add(long id) {
    open.put(
        id,
        new ConnectionDescription(
            id,
            "client-" + id,
            "10.0.0.1:" + id,
            Instant.ofEpochSecond(1_000, 5_000_000),
            OptionalInt.of(1),
            10,
            2_000,
            3_000,
            2,
            1,
            Optional.of(new ConnectionDescription.Member("orders", "m-" + id)),
            false));
  }

  @Override
  public int count() {
    return open.size();
  }

  @Override
  public int limit() {
    return 100;
  }

  @Override
  public CompletableFuture<List<ConnectionDescription>> list(long after, int limit) {
    return CompletableFuture.completedFuture(
        open.tailMap(after, false).values().stream().limit(limit).toList());
  }

  @Override
  public CompletableFuture<Optional<ConnectionDescription>> describe(long id) {
    return CompletableFuture.completedFuture(Optional.ofNullable(open.get(id)));
  }

  @Override
  public CompletableFuture<Optional<ConnectionDescription>> close(long id) {
    return CompletableFuture.completedFuture(Optional.ofNullable(open.remove(id)));
  }
}
