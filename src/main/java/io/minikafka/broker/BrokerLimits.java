package io.minikafka.broker;

/**
 * What one request, or all of a kind together, may take of the broker.
 *
 * @param maxFrameBytes of a request; an answer keeps to it too, except that the first entry of a
 *     fetch always comes whole
 * @param maxFetchBytes of entries in one fetch answer, whatever it asks
 * @param maxFetchWaitMs a fetch waits at most, whatever it asks
 * @param maxParkedFetches that wait at once
 * @param maxRequestTopics that one request for metadata may name
 */
public record BrokerLimits(
    int maxFrameBytes,
    int maxFetchBytes,
    long maxFetchWaitMs,
    int maxParkedFetches,
    int maxRequestTopics) {
  /** Partitions that one request may name. */
  public static final int MAX_PARTITIONS_A_REQUEST = 100_000;

  /** Bytes of a frame around the batch of a produce: header, topic name, marker. */
  public static final int FRAME_ROOM_BYTES = 4 << 10;

  /** The largest batch that a frame can carry. */
  int maxBatchBytes() {
    return maxFrameBytes - FRAME_ROOM_BYTES;
  }

  /** How many partitions a request may name if each takes {@code answerBytes} in the answer. */
  int maxPartitions(int answerBytes) {
    return Math.min(MAX_PARTITIONS_A_REQUEST, maxFrameBytes / 2 / answerBytes);
  }
}
