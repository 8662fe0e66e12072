package io.minikafka.sim;

import io.minikafka.partition.PartitionStores;
import java.io.IOException;

/** Which stores a {@link World} runs on; opened anew for each process. */
interface Stack {
  PartitionStores open(Process process) throws IOException;

  /** The plain stores: the yardstick of the tests themselves. */
  static Stack plain() {
    return process ->
        new PlainStores(
            process.disk,
            process.directory,
            process.clock,
            process.forcer,
            0,
            new PlainStores.Fence());
  }
}
