package io.minikafka.coordinator;

import io.minikafka.group.GroupResult;

/** What comes of asking the coordinator. Immutable. */
public sealed interface GroupReply {
  /** The rules answered, and all they based it on is on stable storage. */
  record Answered(GroupResult result) implements GroupReply {}

  /**
   * It was not carried out, or nobody knows whether it was.
   *
   * @param message one sentence for people
   */
  record Failed(Cause cause, String message) implements GroupReply {}

  /** Why. */
  enum Cause {
    /** No room on the disk for what had to be written; nothing was changed. */
    DISK_FULL,
    /**
     * The offsets log failed, or cannot be read; whether the request was carried out is unknown.
     */
    STORAGE_FAILED,
    /** The broker failed. */
    INTERNAL,
    /** The offsets log is being read; it may be tried again. */
    LOADING,
    /** The broker shuts down. */
    SHUTTING_DOWN
  }
}
