package io.minikafka.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.minikafka.Caller;
import io.minikafka.broker.GroupInspection;
import io.minikafka.broker.GroupLag;
import io.minikafka.coordinator.Coordinator;
import io.minikafka.coordinator.Status;
import java.util.concurrent.CompletableFuture;

/**
 * How groups are, as of the last look: who measures must not wait for the coordinator, nor for a
 * disk. Any thread; one look at a time.
 */
public final class GroupGauges {
  private final LagMeters lags;

  private volatile Totals totals = new Totals(0, 0, 0);

  private record Totals(int groups, long members, long generations) {
    Totals and(GroupLag lag) {
      return new Totals(
          groups + 1, members + lag.summary().members(), generations + lag.summary().generation());
    }
  }

  /**
   * Makes them visible, from now on.
   *
   * @param maxPartitions of groups that have series of their own, and most groups that have one
   */
  public GroupGauges(MeterRegistry registry, Coordinator coordinator, int maxPartitions) {
    Meters meters = new Meters(registry);
    meters.gauge(MeterNames.GROUPS, () -> totals.groups);
    meters.gauge(MeterNames.GROUP_MEMBERS, () -> totals.members);
    meters.gauge(MeterNames.GROUP_GENERATIONS, () -> totals.generations);
    meters.gauge(MeterNames.COORDINATOR_MAILBOX, coordinator::mailboxDepth);
    meters.gauge(
        MeterNames.GROUPS_SERVED, () -> coordinator.status() instanceof Status.Serving ? 1 : 0);
    this.lags = new LagMeters(registry, maxPartitions);
  }

  /**
   * Takes a new look.
   *
   * @return completes when it has ended, always well: a look that failed shows in what is measured
   */
  public CompletableFuture<Void> look(GroupInspection inspection) {
    Looking looking = new Looking();
    lags.begin();
    return inspection
        .forEach(Caller.BROKER, looking::add)
        .handle(
            (refusal, failure) -> {
              if (failure == null && refusal.isEmpty()) {
                totals = looking.seen;
                lags.end();
              } else {
                lags.forget();
              }
              return null;
            });
  }

  /** What one look has seen so far. One thread at a time. */
  private final class Looking {
    private volatile Totals seen = new Totals(0, 0, 0);

    void add(GroupLag lag) {
      seen = seen.and(lag);
      lags.add(lag);
    }
  }
}
