package io.minikafka.group;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** The last rebalances of one group. In memory only. */
final class History {
  /** Beyond so many reasons only their number is kept. */
  private static final int MAX_REASONS = 10;

  private final int max;

  /** Newest first. */
  private final Deque<Rebalance> ended = new ArrayDeque<>();

  private @Nullable Rebalance current;
  private long startedAtMs;

  History(int max) {
    this.max = max;
  }

  /**
   * Begins one; returns the one that was under way, which has ended with it.
   *
   * @param nowMs monotonic, for the duration
   */
  Optional<Rebalance> begin(
      long generation, List<String> reasons, int members, int moved, long nowMs, long wallMs) {
    Optional<Rebalance> superseded = end(nowMs, true);
    List<String> few = new ArrayList<>(reasons.subList(0, Math.min(MAX_REASONS, reasons.size())));
    if (reasons.size() > MAX_REASONS) {
      few.add("and %d more".formatted(reasons.size() - MAX_REASONS));
    }
    startedAtMs = nowMs;
    current =
        new Rebalance(
            generation, wallMs, List.copyOf(few), members, moved, OptionalLong.empty(), false);
    return superseded;
  }

  /** Every partition is with its owner; returns the rebalance that this ends, if one is open. */
  Optional<Rebalance> settle(long nowMs) {
    return end(nowMs, false);
  }

  private Optional<Rebalance> end(long nowMs, boolean superseded) {
    if (current == null) {
      return Optional.empty();
    }
    Rebalance done =
        new Rebalance(
            current.generation(),
            current.startedAtMs(),
            current.reasons(),
            current.members(),
            current.partitionsMoved(),
            superseded ? OptionalLong.empty() : OptionalLong.of(nowMs - startedAtMs),
            superseded);
    current = null;
    ended.addFirst(done);
    while (ended.size() > max) {
      ended.removeLast();
    }
    return Optional.of(done);
  }

  /** Newest first, the one under way included. */
  List<Rebalance> all() {
    List<Rebalance> all = new ArrayList<>();
    if (current != null) {
      all.add(current);
    }
    all.addAll(ended);
    return all;
  }
}
