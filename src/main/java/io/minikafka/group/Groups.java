package io.minikafka.group;

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
  private final GroupLimits limits;

  public Groups(GroupLimits limits) {
    this.limits = limits;
  }

  /** Takes one record of the offsets log; the very same change that {@link #on} makes for it. */
  public void replay(GroupRecord record) {
    throw new UnsupportedOperationException(limits + " " + record);
  }

  /**
   * Ends the replay: every member is alive with what it owned for one full session from now, and
   * nothing moves. Commits of topics that are gone are dropped.
   *
   * @param nowMs monotonic
   * @param wallMs wall clock, ms since the epoch
   * @return a step like any other; its records come before those of all events
   */
  public Step opened(TopicsView topics, long nowMs, long wallMs) {
    throw new UnsupportedOperationException();
  }

  /**
   * Decides about an event and changes the state accordingly.
   *
   * @param nowMs monotonic; never less than in the call before
   * @param wallMs wall clock, ms since the epoch: for what is written down
   */
  public Step on(GroupEvent event, long nowMs, long wallMs) {
    throw new UnsupportedOperationException();
  }

  /** All groups, by name. */
  public List<GroupSummary> list() {
    throw new UnsupportedOperationException();
  }

  /** One group; empty if there is none of that name. */
  public Optional<GroupDescription> describe(String group, long nowMs) {
    throw new UnsupportedOperationException();
  }
}
