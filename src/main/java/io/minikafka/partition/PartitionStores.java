package io.minikafka.partition;

import io.minikafka.PartitionId;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * All stores of one broker, and the small values kept beside them. Safe from any thread; everything
 * may block.
 */
public interface PartitionStores extends Closeable {
  MetaStore meta();

  /**
   * Opens the store of a partition, recovering what is there; a partition never written opens empty
   * and costs nothing on disk until its first append. At most one open store a partition.
   *
   * <p>Damage does not make this fail: a partition that cannot be served opens offline, see {@link
   * PartitionStore.Snapshot#offline}.
   *
   * @throws IOException if the environment fails; the partition may then be tried again
   */
  PartitionStore open(PartitionId id, StoreSettings settings) throws IOException;

  /**
   * Why so many partitions in total cannot be kept open, naming the limit; empty if they can.
   *
   * @param partitions those that are there and those to come
   */
  Optional<String> limitError(long partitions);

  /**
   * Gives up the bytes of a topic whose stores are all closed. May be repeated after a crash. Bytes
   * still being sent to a reader stay readable until it has them.
   */
  void deleteTopic(UUID topicId) throws IOException;

  /** Topics of which there is, or was lately, anything here; whether they exist is not known. */
  Set<UUID> topicsFound() throws IOException;

  /**
   * Sets aside what belongs to none of these topics. Deletes nothing, and never fails for
   * strangeness: what cannot be moved is left and reported.
   */
  void setAsideUnknown(Set<UUID> known) throws IOException;

  /** Ends in good order after every store was closed: the next start needs no scan. */
  @Override
  void close() throws IOException;
}
