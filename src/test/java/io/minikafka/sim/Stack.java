package io.minikafka.sim;

import io.minikafka.log.DirectorySettings;
import io.minikafka.log.LogDirectory;
import io.minikafka.partition.PartitionStores;
import io.minikafka.storage.Disk;
import java.io.IOException;
import java.util.function.UnaryOperator;

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

  /** The local log, with everything small: few descriptors, short intervals. */
  static Stack local() {
    return local(disk -> disk);
  }

  /** The same on a disk that does something differently. */
  static Stack local(UnaryOperator<Disk> change) {
    DirectorySettings settings =
        new DirectorySettings(
            20_000,
            2,
            5_000,
            3_000,
            500,
            4,
            2_000,
            64 << 10,
            Integer.MAX_VALUE,
            100,
            10_000,
            300,
            0);
    return process ->
        LogDirectory.open(
            process.directory,
            settings,
            new LogDirectory.Surroundings(
                change.apply(process.disk),
                process.clock,
                process.clock,
                process.worker,
                process.forcer,
                process.observer,
                process::mustEnd));
  }
}
