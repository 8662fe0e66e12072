package io.minikafka.group;

/** Something that has a deadline. It stands in {@link Deadlines} at most once. */
abstract sealed class Timed permits Group, Member {
  /** Where it stands in the queue; {@link Long#MAX_VALUE} if it does not. Of {@link Deadlines}. */
  long queuedAtMs = Long.MAX_VALUE;

  /** Order among equals. Of {@link Deadlines}. */
  long turn;

  /** When it wants to be looked at next; {@link Long#MAX_VALUE} for never. */
  abstract long wakeAtMs();
}
