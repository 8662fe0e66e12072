package io.minikafka.ops;

import io.micrometer.core.instrument.MeterRegistry;
import io.minikafka.coordinator.Coordinator;
import io.minikafka.coordinator.Status;
import io.minikafka.group.GroupSummary;
import java.util.List;

/**
 * How groups are, as of the last look: who measures must not wait for the coordinator. Any thread.
 */
public final class GroupGauges {
  private volatile Totals totals = new Totals(0, 0, 0);

  private record Totals(int groups, long members, long generations) {}

  /** Makes them visible, from now on. */
  public GroupGauges(MeterRegistry registry, Coordinator coordinator) {
    Meters meters = new Meters(registry);
    meters.gauge(MeterNames.GROUPS, () -> totals.groups);
    meters.gauge(MeterNames.GROUP_MEMBERS, () -> totals.members);
    meters.gauge(MeterNames.GROUP_GENERATIONS, () -> totals.generations);
    meters.gauge(MeterNames.COORDINATOR_MAILBOX, coordinator::mailboxDepth);
    meters.gauge(
        MeterNames.GROUPS_SERVED, () -> coordinator.status() instanceof Status.Serving ? 1 : 0);
  }

  /** Takes a new look. */
  public void update(List<GroupSummary> groups) {
    totals =
        new Totals(
            groups.size(),
            groups.stream().mapToLong(GroupSummary::members).sum(),
            groups.stream().mapToLong(GroupSummary::generation).sum());
  }
}
