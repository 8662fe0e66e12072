package io.minikafka.broker;

/** Where somebody begins to look at the records of a partition. */
public sealed interface TailStart {
  /** At an offset, the log start to the high watermark. */
  record At(long offset) implements TailStart {}

  /** At so many offsets before the high watermark, or at the log start if that is later. */
  record Newest(int offsets) implements TailStart {}

  /** At the first record with that timestamp or a later one, ms; at the end if there is none. */
  record Since(long timestamp) implements TailStart {}
}
