package io.minikafka.group;

import io.minikafka.PartitionId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs {@link Groups} as the coordinator does: records of steps become durable later and together,
 * answers leave only then, and a crash loses what was not durable. Beside it stands what must be
 * true of owners and commits, worked out from the grant log and the accepted commits alone.
 */
final class SimBroker {
  private final GroupLimits limits;
  private final Fault fault;
  private final Consumer<Answer> network;

  private Groups groups;
  private final List<GroupRecord> log = new ArrayList<>();
  private final Deque<Step> waiting = new ArrayDeque<>();
  private long deadlineMs = Long.MAX_VALUE;

  /** As of the last event; as of the last durable step. */
  GrantLedger owners = new GrantLedger();

  private GrantLedger durableOwners = new GrantLedger();

  Map<PartitionId, Long> commits = new HashMap<>();
  private Map<PartitionId, Long> durableCommits = new HashMap<>();

  /** What an undo must put back. */
  Map<PartitionId, Before> resets = new HashMap<>();

  private Map<PartitionId, Before> durableResets = new HashMap<>();

  /**
   * A partition of the last reset.
   *
   * @param set what it set
   * @param before what was committed before
   */
  record Before(long set, Optional<Long> before) {
    Before cutAt(long end) {
      return new Before(Math.min(set, end), before.map(offset -> Math.min(offset, end)));
    }
  }

  SimBroker(GroupLimits limits, Fault fault, Consumer<Answer> network) {
    this.limits = limits;
    this.fault = fault;
    this.network = network;
    this.groups = new Groups(limits);
  }

  static GroupLimits limits(int joinWindowMs) {
    GroupLimits usual = GroupLimits.DEFAULTS;
    return new GroupLimits(
        usual.maxGroups(),
        usual.maxMembers(),
        usual.maxTopics(),
        usual.maxNameLength(),
        usual.maxMetadataBytes(),
        usual.minSessionMs(),
        usual.maxSessionMs(),
        joinWindowMs,
        usual.offsetsRetentionMs(),
        usual.maxRebalances());
  }

  Groups groups() {
    return groups;
  }

  long deadlineMs() {
    return deadlineMs;
  }

  /** The answers of this step, though they have not left yet. */
  List<Answer> on(GroupEvent event, long nowMs, long wallMs) {
    Step step = groups.on(fault.bend(event, groups, nowMs), nowMs + fault.hurryMs(event), wallMs);
    step.answers().forEach(fault::saw);
    take(step);
    return step.answers();
  }

  private void take(Step step) {
    step.news().forEach(owners::apply);
    waiting.add(step);
    deadlineMs = step.nextDeadlineMs();
  }

  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  void flush() {
    while (!waiting.isEmpty()) {
      Step step = waiting.poll();
      step.records().stream().filter(fault::isWritten).forEach(log::add);
      step.answers().forEach(network);
    }
    durableOwners = owners.copy();
    durableCommits = new HashMap<>(commits);
    durableResets = new HashMap<>(resets);
  }

  /** Loses what was not durable, and starts anew from the log, compacted or not. */
  void restart(boolean compacted, TopicsView topics, long nowMs, long wallMs) {
    List<GroupRecord> before = waiting.isEmpty() ? groups.snapshot() : List.of();
    boolean comparable = waiting.isEmpty();
    waiting.clear();
    owners = durableOwners.copy();
    commits = new HashMap<>(durableCommits);
    resets = new HashMap<>(durableResets);
    if (compacted) {
      Map<GroupRecord.Key, GroupRecord> newest = new LinkedHashMap<>();
      for (GroupRecord record : log) {
        newest.remove(record.key());
        newest.put(record.key(), record);
      }
      log.clear();
      newest.values().stream()
          .filter(record -> !(record instanceof GroupRecord.Tombstone))
          .forEach(log::add);
    }
    groups = new Groups(limits);
    log.stream().map(SimBroker::throughBytes).forEach(groups::replay);
    List<GroupRecord> after = groups.snapshot();
    if (comparable && !before.equals(after)) {
      throw new AssertionError("replayed " + after + "\nlive was " + before);
    }
    take(groups.opened(topics, nowMs, wallMs));
  }

  private static GroupRecord throughBytes(GroupRecord record) {
    return GroupRecordCodec.read(GroupRecordCodec.key(record), GroupRecordCodec.value(record));
  }
}
