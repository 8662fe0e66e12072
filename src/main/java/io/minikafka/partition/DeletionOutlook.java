package io.minikafka.partition;

import java.util.OptionalLong;

/**
 * When retention may delete a record, as things stand: what is appended meanwhile, and changed
 * settings, move it.
 *
 * @param atMs wall clock, ms since the epoch, from which on retention by time takes it with its
 *     next look; past if that is due. Empty if time alone does not end it
 * @param afterBytes appended from now on, after which retention by size takes it; 0 if that is due.
 *     Empty if size does not bound the log
 */
public record DeletionOutlook(OptionalLong atMs, OptionalLong afterBytes) {
  /** Nothing deletes it. */
  public static final DeletionOutlook NONE =
      new DeletionOutlook(OptionalLong.empty(), OptionalLong.empty());
}
