package io.minikafka.broker;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Plans that may still be applied, by their tokens: each for a while, each once. Any thread.
 *
 * <p>Bounds: {@link #MAX_PLANS} and, over all of them, {@link #MAX_PARTITIONS}; for a new one the
 * oldest go. So nobody who plans without end costs more than some megabytes.
 */
final class ResetPlans {
  static final Duration LIFE = Duration.ofMinutes(10);
  static final int MAX_PLANS = 100;
  static final int MAX_PARTITIONS = 50_000;

  private final InstantSource clock;
  private final Supplier<String> tokens;

  /** Guarded by this; the oldest first. */
  private final Map<String, Kept> plans = new LinkedHashMap<>();

  /** Guarded by this. */
  private int partitions;

  private static final class Kept {
    final OffsetPlan plan;
    boolean taken;

    Kept(OffsetPlan plan) {
      this.plan = plan;
    }
  }

  /**
   * @param tokens makes one that nobody can guess, each time another
   */
  ResetPlans(InstantSource clock, Supplier<String> tokens) {
    this.clock = clock;
    this.tokens = tokens;
  }

  /** Keeps the plan that is made of a token and the time until which it is kept. */
  synchronized OffsetPlan keep(Draft draft) {
    OffsetPlan plan = draft.plan(tokens.get(), clock.instant().plus(LIFE));
    partitions += plan.partitions().size();
    plans.put(plan.token(), new Kept(plan));
    Iterator<Kept> oldest = plans.values().iterator();
    for (Kept next = oldest.next(); next.plan != plan && mustGo(next.plan); next = oldest.next()) {
      oldest.remove();
      partitions -= next.plan.partitions().size();
    }
    return plan;
  }

  /** All of a plan but what its keeping adds. */
  interface Draft {
    OffsetPlan plan(String token, Instant expiresAt);
  }

  private boolean mustGo(OffsetPlan oldest) {
    return plans.size() > MAX_PLANS || partitions > MAX_PARTITIONS || isOver(oldest);
  }

  private boolean isOver(OffsetPlan plan) {
    return !clock.instant().isBefore(plan.expiresAt());
  }

  /** The plan, if it can be applied now. */
  synchronized Optional<OffsetPlan> look(String token) {
    return Optional.ofNullable(find(token)).map(kept -> kept.plan);
  }

  /** The same, and nobody else gets it any more, unless it is {@link #giveBack given back}. */
  synchronized Optional<OffsetPlan> take(String token) {
    Kept kept = find(token);
    if (kept == null) {
      return Optional.empty();
    }
    kept.taken = true;
    return Optional.of(kept.plan);
  }

  private @Nullable Kept find(String token) {
    Kept kept = plans.get(token);
    return kept == null || kept.taken || isOver(kept.plan) ? null : kept;
  }

  /** It was not applied, and still can be. */
  synchronized void giveBack(OffsetPlan plan) {
    Kept kept = plans.get(plan.token());
    if (kept != null) {
      kept.taken = false;
    }
  }

  /** It is of no more use. */
  synchronized void drop(OffsetPlan plan) {
    if (plans.remove(plan.token()) != null) {
      partitions -= plan.partitions().size();
    }
  }
}
