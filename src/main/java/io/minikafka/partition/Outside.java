package io.minikafka.partition;

import io.minikafka.PartitionId;

/**
 * Runs code that came in from outside the package: callbacks. Whatever it throws is logged and goes
 * no further, for the others that wait behind it are not to blame. Stateless; any thread.
 */
final class Outside {
  private static final System.Logger LOG = System.getLogger(Outside.class.getName());

  private Outside() {}

  static void run(PartitionId id, Runnable callback) {
    try {
      callback.run();
    } catch (RuntimeException | Error e) {
      LOG.log(System.Logger.Level.ERROR, "partition " + id + ": a callback failed", e);
    }
  }
}
