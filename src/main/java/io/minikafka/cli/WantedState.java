package io.minikafka.cli;

import io.minikafka.admin.v1.GroupState;
import java.util.Locale;

/** A state of groups, as the command line has it. */
enum WantedState {
  EMPTY(GroupState.GROUP_STATE_EMPTY),
  STABLE(GroupState.GROUP_STATE_STABLE),
  REBALANCING(GroupState.GROUP_STATE_REBALANCING);

  private final GroupState state;

  WantedState(GroupState state) {
    this.state = state;
  }

  boolean is(GroupState other) {
    return state == other;
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
