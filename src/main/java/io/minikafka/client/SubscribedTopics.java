package io.minikafka.client;

import io.minikafka.Timers;
import io.minikafka.protocol.ErrorCode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;

/**
 * Which topics a member subscribes to, and what they are called: groups of version 1 speak of ids.
 * A pattern is matched here, by what the server shows, and again from time to time.
 *
 * <p>What is wanted may be set by any thread; everything else is the heartbeat thread's.
 */
final class SubscribedTopics {
  /** Least time between two questions for the name of an id: it may be of a topic that is gone. */
  private static final long ASK_AGAIN_NANOS = 500_000_000;

  private final Timers timers;
  private final long refreshNanos;
  private final Doorbell bell;
  private volatile Wanted wanted;

  // The heartbeat thread's alone.
  private Wanted asked = new Wanted.Named(List.of());
  private Wanted known = new Wanted.Named(List.of());
  private List<String> topics = List.of();
  private Map<UUID, String> names = Map.of();
  private long askedNanos;
  private boolean unknownId;

  sealed interface Wanted {
    record Named(List<String> topics) implements Wanted {}

    record Matching(Pattern pattern) implements Wanted {}

    static Wanted named(Collection<String> topics) {
      return new Named(List.copyOf(new TreeSet<>(topics)));
    }
  }

  /**
   * @param bell rung when something else is wanted
   */
  SubscribedTopics(Timers timers, int refreshMs, Wanted wanted, Doorbell bell) {
    this.timers = timers;
    this.bell = bell;
    this.refreshNanos = refreshMs * 1_000_000L;
    this.wanted = wanted;
  }

  void want(Wanted now) {
    wanted = now;
    bell.ring();
  }

  /** To be joined with; sorted. */
  List<String> topics() {
    return topics;
  }

  Optional<String> name(UUID id) {
    return Optional.ofNullable(names.get(id));
  }

  /** A list had an id that {@link #name} does not know. */
  void sawUnknownId() {
    unknownId = true;
  }

  /** Nanoseconds until {@link #ask} is due; 0 or less: now. */
  long dueNanos() {
    Wanted now = wanted;
    if (!now.equals(known)) {
      return 0;
    }
    long sinceNanos = timers.nanoTime() - askedNanos;
    long due = Long.MAX_VALUE;
    if (unknownId) {
      due = ASK_AGAIN_NANOS - sinceNanos;
    }
    return now instanceof Wanted.Matching ? Math.min(due, refreshNanos - sinceNanos) : due;
  }

  /** Asks for what {@link #learn} is to be told. */
  CompletableFuture<List<TopicInfo>> ask(Session session) {
    askedNanos = timers.nanoTime();
    unknownId = false;
    asked = wanted;
    return switch (asked) {
      case Wanted.Named named -> described(session, named.topics());
      case Wanted.Matching matching ->
          session
              .dialect()
              .topics()
              .thenApply(
                  all ->
                      all.stream()
                          .filter(topic -> !topic.internal())
                          .filter(topic -> matching.pattern().matcher(topic.name()).matches())
                          .toList());
    };
  }

  void learn(List<TopicInfo> infos) {
    Map<UUID, String> now = new HashMap<>();
    infos.forEach(info -> now.put(info.id(), info.name()));
    names = now;
    topics =
        asked instanceof Wanted.Named named
            ? named.topics()
            : infos.stream().map(TopicInfo::name).sorted().toList();
    known = asked;
  }

  /** As many of them as there are. */
  private static CompletableFuture<List<TopicInfo>> described(Session session, List<String> names) {
    CompletableFuture<List<TopicInfo>> all = CompletableFuture.completedFuture(new ArrayList<>());
    if (session.dialect().version() == 0) {
      // Version 0 has names only.
      return all;
    }
    for (String name : names) {
      CompletableFuture<Optional<TopicInfo>> one =
          session
              .dialect()
              .topic(name)
              .thenApply(Optional::of)
              .exceptionallyCompose(
                  thrown ->
                      Failures.of(thrown) instanceof ServerException refusal
                              && refusal.error() == ErrorCode.UNKNOWN_TOPIC
                          ? CompletableFuture.completedFuture(Optional.empty())
                          : CompletableFuture.failedFuture(thrown));
      all =
          all.thenCombine(
              one,
              (infos, info) -> {
                info.ifPresent(infos::add);
                return infos;
              });
    }
    return all;
  }
}
