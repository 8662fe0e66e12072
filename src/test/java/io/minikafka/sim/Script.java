package io.minikafka.sim;

import io.minikafka.partition.StoreSettings;
import java.util.List;

/**
 * The same small life each time, for a crash at every point of it.
 *
 * @param settings of the topic it plays on, of two partitions
 */
record Script(StoreSettings settings, List<Step> steps) {
  enum Step {
    APPEND,
    APPEND_OTHER,
    SETTLE,
    /** Timers go off: forces, checkpoints, rolls by age, retention. */
    WAIT,
    TRIM,
    RESTART,
    /** The topic is deleted and another takes its place. */
    DELETE
  }
}
