package io.minikafka.broker;

/**
 * The connections of the HTTP port at one moment: of this service, of probes, of what reads
 * metrics.
 *
 * @param connections how many are open
 * @param busy how many of them wait for an answer, or have a stream that is open
 * @param limit how many may be open
 */
public record HttpUse(int connections, int busy, int limit) {
  /** One part of so many is for those who ask and have their answer at once, such as probes. */
  private static final int PARTS = 4;

  /** How many of them may have streams. */
  public int streamLimit() {
    return limit - Math.max(1, limit / PARTS);
  }

  /** Whether a stream may begin: it keeps its connection, and nobody knows for how long. */
  public boolean hasRoomForStream() {
    return busy < streamLimit();
  }
}
