package io.minikafka.bench;

import java.util.Locale;

/** A topic's flush policy. */
public enum Policy {
  NONE,
  INTERVAL,
  COMMIT;

  /** As the topic's setting has it. */
  String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** What a single produce waits for at least. */
  FloorKey produceFloor(int frameBytes, int inFlight) {
    return this == COMMIT ? FloorKey.fsync(frameBytes) : FloorKey.sink(frameBytes, inFlight);
  }

  FloorKey latencyFloor(int frameBytes) {
    return this == COMMIT ? FloorKey.fsync(frameBytes) : FloorKey.ping(frameBytes);
  }

  /** As the command line takes it. */
  @Override
  public String toString() {
    return title();
  }
}
