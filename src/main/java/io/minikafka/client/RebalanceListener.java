package io.minikafka.client;

import io.minikafka.TopicPartition;
import java.util.Set;

/**
 * Hears which partitions a member of a group gets and gives. Called inside {@link Consumer#poll},
 * {@link Consumer#unsubscribe} and {@link Consumer#close} only, on the thread that calls them, so
 * never while the application works on records. Only what changes is told: partitions that stay are
 * read on without a pause.
 *
 * <p>The consumer may be used in it (positions, seeks, commits), but not polled, closed or
 * subscribed anew. What a callback throws comes out of {@code poll}; the partitions have moved all
 * the same.
 */
public interface RebalanceListener {
  /** Listens to nothing. */
  RebalanceListener NONE = new RebalanceListener() {};

  /**
   * These are this member's from now on. Reading begins at the committed offset, without one where
   * the reset policy says; {@code seek} says otherwise.
   */
  default void onAssigned(Set<TopicPartition> partitions) {}

  /**
   * These go to somebody else when this returns; until then they are still this member's, and may
   * be committed. The other member begins at what is committed by then.
   */
  default void onRevoked(Set<TopicPartition> partitions) {}

  /**
   * These are this member's no more, perhaps for a while already, and others may be reading them:
   * the session ended before it could be renewed, or this member was put out of the group, or the
   * committed offsets were reset from outside. Nothing can be committed for them; what was read
   * since the last commit comes again to whoever has them.
   */
  default void onLost(Set<TopicPartition> partitions) {}
}
