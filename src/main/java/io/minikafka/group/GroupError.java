package io.minikafka.group;

/**
 * Why a request was refused. The protocol has a number for the first nine; the others are answers
 * of the control plane.
 */
public enum GroupError {
  /** No such topic, or no such partition of it. */
  UNKNOWN_TOPIC,
  /** A commit that is negative or beyond the log end. */
  OFFSET_OUT_OF_RANGE,
  /** A field is empty, too long, malformed or out of its bounds; the message names it. */
  INVALID_REQUEST,
  /** Nobody of that id is a member of the group: join again, under a new id. */
  UNKNOWN_MEMBER,
  /** A commit under a grant or a generation that is not the one that holds now. */
  ILLEGAL_GENERATION,
  /** The member must join again to learn what is its own now. */
  REBALANCE_IN_PROGRESS,
  /** A commit of a partition that the member does not own. */
  NOT_OWNER,
  /** Another process took the static member's place. Final: do not join again. */
  FENCED_INSTANCE,
  /** A bound of the broker; the message names it. */
  LIMIT_REACHED,
  /** No group of that name. */
  UNKNOWN_GROUP,
  /** The group has members, and the act needs it to be empty or to be forced. */
  GROUP_IN_USE,
  /** What a plan or a reset rests on has changed since; the message says what. */
  STATE_MOVED,
  /** The group's offsets were never reset, or that was undone already. */
  NOTHING_TO_UNDO
}
