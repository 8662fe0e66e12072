package io.minikafka.group;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * All consumer groups of a broker, as a state machine: an event and the time go in, records,
 * answers and news come out. Deterministic: the same calls give the same steps.
 *
 * <p>Life: made empty; {@link #replay} for each record of the offsets log in order; {@link #opened}
 * once, when requests may come; then {@link #on} for each event. One thread at a time. Whoever
 * cannot append the records of a step throws the object away, fails the requests that wait, and
 * makes a new one from the log: it never goes on with state that is not in the log.
 *
 * <p>Every refusal is a value. A record that contradicts others, or a call out of order, is a bug
 * and throws.
 */
public final class Groups {
  private final GroupTable table;
  private boolean open;

  public Groups(GroupLimits limits) {
    this.table = new GroupTable(limits);
  }

  /** How far ids and numbers of one opening have come. Immutable. */
  public static final class Run {
    private final long opening;
    private final long idsMade;
    private final long numbersMade;

    private Run(long opening, long idsMade, long numbersMade) {
      this.opening = opening;
      this.idsMade = idsMade;
      this.numbersMade = numbersMade;
    }
  }

  /** Takes one record of the offsets log; the very same change that {@link #on} makes for it. */
  public void replay(GroupRecord record) {
    if (open) {
      throw new IllegalStateException("the replay is over");
    }
    table.apply(record);
  }

  /**
   * Ends the replay: every member is alive with what it owned for one full session from now, and
   * nothing moves, unless topics changed meanwhile. Commits of topics that are gone are dropped.
   *
   * @param nowMs monotonic
   * @param wallMs wall clock, ms since the epoch
   * @return a step like any other; its records come before those of all events
   * @throws IllegalStateException if the records contradict each other
   */
  public Step opened(TopicsView topics, long nowMs, long wallMs) {
    return opened(topics, Optional.empty(), nowMs, wallMs);
  }

  /**
   * The same, going on with a run of this process whose last records were not written for certain:
   * ids and numbers follow those it made, so that nothing must be written only to begin.
   *
   * @param run what {@link #run} said of the groups that are thrown away; empty at a start, or when
   *     nobody knows what was written
   */
  public Step opened(TopicsView topics, Optional<Run> run, long nowMs, long wallMs) {
    if (open) {
      throw new IllegalStateException("opened twice");
    }
    open = true;
    Turn turn = new Turn(table, nowMs, wallMs);
    table.topics = topics;
    run.filter(earlier -> earlier.opening == table.opening)
        .ifPresentOrElse(
            earlier -> table.follow(earlier.idsMade, earlier.numbersMade),
            () -> turn.write(new GroupRecord.Opening(table.opening + 1)));
    for (Group group : List.copyOf(table.groups.values())) {
      group.check();
      new TopicRules(turn).dropGone(group);
      group.members.values().forEach(member -> revive(member, nowMs));
      Balance.retarget(group, topics);
      if (group.wouldGrantTwice()) {
        turn.begin(group).reasons.add("topics changed while the broker was down");
      }
    }
    return finished(turn);
  }

  /** No list of an earlier run can pass for one of this run: each is answered with the current. */
  private void revive(Member member, long nowMs) {
    member.leaseEndMs = nowMs + member.saved.sessionMs();
    member.heardAtMs = nowMs;
    member.number = table.nextNumber();
    member.listChanged = false;
    member.heard = true;
    table.deadlines.watch(member);
  }

  /**
   * Decides about an event and changes the state accordingly.
   *
   * @param nowMs monotonic; never less than in the call before
   * @param wallMs wall clock, ms since the epoch: for what is written down
   */
  public Step on(GroupEvent event, long nowMs, long wallMs) {
    if (!open) {
      throw new IllegalStateException("the replay is not over");
    }
    Turn turn = new Turn(table, nowMs, wallMs);
    switch (event) {
      case GroupEvent.Join join -> new Joins(turn).on(join);
      case GroupEvent.Heartbeat beat -> new Heartbeats(turn).on(beat);
      case GroupEvent.Heartbeat0 beat -> new Version0(turn).on(beat);
      case GroupEvent.Leave leave -> new Departures(turn).on(leave);
      case GroupEvent.Commit commit -> new OffsetRules(turn).on(commit);
      case GroupEvent.Commit0 commit -> new OffsetRules(turn).on(commit);
      case GroupEvent.FetchOffsets fetch -> new OffsetRules(turn).on(fetch);
      case GroupEvent.FetchOffset0 fetch -> new OffsetRules(turn).on(fetch);
      case GroupEvent.Disconnected gone -> new Departures(turn).on(gone);
      case GroupEvent.ConnectionHeld held -> table.hold(held.connection(), nowMs);
      case GroupEvent.ConnectionFreed freed -> table.free(freed.connection(), nowMs);
      case GroupEvent.TopicsChanged changed -> new TopicRules(turn).on(changed);
      case GroupEvent.PartitionOpened opened -> new OffsetRules(turn).on(opened);
      case GroupEvent.Tick tick -> tick(turn);
      case GroupEvent.Stalled stalled ->
          table.forEachMember(member -> GroupTable.extend(member, stalled.stalledMs()));
      case GroupEvent.Sweep sweep -> new AdminRules(turn).on(sweep);
      case GroupEvent.SetOffsets set -> new ResetRules(turn).on(set);
      case GroupEvent.UndoReset undo -> new ResetRules(turn).on(undo);
      case GroupEvent.DeleteOffsets delete -> new AdminRules(turn).on(delete);
      case GroupEvent.DeleteGroup delete -> new AdminRules(turn).on(delete);
    }
    return finished(turn);
  }

  private void tick(Turn turn) {
    // All that is due is taken out first: what becomes due by dealing with it waits for a tick.
    List<Timed> due = new ArrayList<>();
    for (Optional<Timed> next = table.deadlines.due(turn.nowMs);
        next.isPresent();
        next = table.deadlines.due(turn.nowMs)) {
      due.add(next.get());
    }
    for (Timed timed : due) {
      switch (timed) {
        case Group group -> {
          group.windowEndsAtMs = Long.MAX_VALUE;
          turn.begin(group).rebalanceDue |= !group.joining.isEmpty();
        }
        case Member member -> new Departures(turn).due(member);
      }
    }
  }

  private Step finished(Turn turn) {
    // Finishing one group touches no other.
    List.copyOf(turn.begun()).forEach(group -> new Balance(turn).finish(group));
    return turn.done();
  }

  /** For groups that go on where these are given up. */
  public Run run() {
    return new Run(table.opening, table.idsMade, table.numbersMade());
  }

  /** All groups, by name. */
  public List<GroupSummary> list() {
    return table.groups.values().stream().map(Views::summary).toList();
  }

  /** Some groups, by name. */
  public GroupsPart describe(GroupChoice choice, long nowMs) {
    List<GroupDescription> described = new ArrayList<>();
    int partitions = 0;
    for (Group group : table.groupsOf(choice)) {
      if (described.size() == choice.mostGroups()
          || (partitions >= choice.mostPartitions() && !described.isEmpty())) {
        return new GroupsPart(described, true);
      }
      GroupDescription description = Views.description(group, nowMs);
      partitions += description.commits().size();
      partitions += description.members().stream().mapToInt(view -> view.owned().size()).sum();
      described.add(description);
    }
    return new GroupsPart(described, false);
  }

  /** One group; empty if there is none of that name. */
  public Optional<GroupDescription> describe(String group, long nowMs) {
    return table.group(group).map(found -> Views.description(found, nowMs));
  }

  /** Why no group can be called that; empty if one can. */
  public Optional<String> nameError(String group) {
    return Checks.name("group", group, false, table.limits).map(GroupResult.Refused::message);
  }

  /** Where a group is; empty if there is none of that name. */
  public Optional<GroupPositions> positions(String group) {
    return table.group(group).map(Views::positions);
  }

  /** The whole persistent state: what a replay of all records so far would make. */
  List<GroupRecord> snapshot() {
    return table.snapshot();
  }
}
