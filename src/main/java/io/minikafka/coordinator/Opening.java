package io.minikafka.coordinator;

import io.minikafka.group.GroupEvent;
import io.minikafka.group.GroupLimits;
import io.minikafka.group.GroupRecord;
import io.minikafka.group.GroupRecord.MemberKey;
import io.minikafka.group.Groups;
import io.minikafka.group.Step;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionStore;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongUnaryOperator;

/**
 * Groups as the offsets log says they are, opened, and what has to be written before they are
 * served: that they were opened, and the commits that lay beyond what recovery left of their logs.
 *
 * @param steps in order; to be durable before anything is answered
 * @param nowMs when they were opened, on the monotonic clock
 */
record Opening(Groups groups, List<Step> steps, Status.Loaded loaded, long nowMs) {
  private static final System.Logger LOG = System.getLogger(Opening.class.getName());

  /**
   * Reads the log; blocks.
   *
   * @param run of the groups given up because nothing of their last records was written
   * @throws IOException if it cannot be read to its end; the message is for the operator
   * @throws RuntimeException if its records contradict each other
   */
  static Opening of(
      Partition offsetsLog,
      GroupLimits limits,
      Surroundings around,
      Optional<Groups.Run> run,
      LongUnaryOperator toMs)
      throws IOException {
    long began = around.timers().nanoTime();
    Loader.Result result = Loader.load(offsetsLog, limits, true);
    try {
      return open(result, around, run, began, toMs);
    } catch (RuntimeException e) {
      if (result.loaded().missing().isEmpty()) {
        throw e;
      }
      LOG.log(
          Level.WARNING,
          "what is left of the damaged offsets log contradicts itself; its members must join again",
          e);
    }
    return open(Loader.load(offsetsLog, limits, false), around, run, began, toMs);
  }

  private static Opening open(
      Loader.Result result,
      Surroundings around,
      Optional<Groups.Run> run,
      long beganNanos,
      LongUnaryOperator toMs) {
    long nanos = around.timers().nanoTime();
    long nowMs = toMs.applyAsLong(nanos);
    long wallMs = around.wallClock().millis();
    Groups groups = result.groups();
    List<Step> steps = new ArrayList<>();
    steps.add(tombstones(result.leftOut()));
    steps.add(groups.opened(around.topics().view(), run, nowMs, wallMs));
    for (Partition one : around.topics().partitions()) {
      PartitionStore.Snapshot opened = one.snapshot();
      if (!opened.isOffline()) {
        // What recovery cut lay above this end, in whichever epoch it was written.
        GroupEvent event = new GroupEvent.PartitionOpened(one.id(), epoch -> opened.end());
        steps.add(groups.on(event, nowMs, wallMs));
      }
    }
    Status.Loaded read = result.loaded();
    return new Opening(
        groups,
        steps,
        new Status.Loaded(
            read.groups(), read.records(), read.bytes(), nanos - beganNanos, read.missing()),
        nowMs);
  }

  private static Step tombstones(List<MemberKey> members) {
    List<GroupRecord> records = new ArrayList<>();
    members.forEach(member -> records.add(new GroupRecord.Tombstone(member)));
    return new Step(records, List.of(), List.of(), Long.MAX_VALUE);
  }
}
