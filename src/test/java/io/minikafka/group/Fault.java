package io.minikafka.group;

/** A rule broken on purpose, from outside: the simulation must notice. */
interface Fault {
  Fault NONE = new Fault() {};

  /** What the rules see instead of what happened. */
  default GroupEvent bend(GroupEvent event, Groups groups, long nowMs) {
    return event;
  }

  /** An answer the rules gave. */
  default void saw(Answer answer) {}

  /** By how much the rules' clock is ahead when they see the event. */
  default long hurryMs(GroupEvent event) {
    return 0;
  }

  /** Whether the record reaches the log. */
  default boolean isWritten(GroupRecord record) {
    return true;
  }
}
