package io.minikafka.log;

import io.minikafka.PartitionId;
import java.io.IOException;
import java.util.Optional;

/** Brings one partition's files into a state that can be served. Any thread, one per partition. */
interface Recoverer {
  /**
   * @param known what the newest valid checkpoint says; empty if it does not know the partition
   * @param clean whether that checkpoint was the last thing a broker did here
   * @param indexIntervalBytes for indexes that have to be built
   * @throws IOException if the environment fails; damage and strangeness are in the answer
   */
  RecoveredLog recover(
      PartitionId id, Optional<CheckpointEntry> known, boolean clean, int indexIntervalBytes)
      throws IOException;
}
