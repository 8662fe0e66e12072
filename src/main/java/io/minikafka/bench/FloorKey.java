package io.minikafka.bench;

/**
 * One floor of the machine.
 *
 * @param frameBytes of each frame, piece, turn or write
 * @param window frames under way; 1 where there is no choice
 */
public record FloorKey(Kind kind, int frameBytes, int window) {
  /** What is done. */
  public enum Kind {
    /** Frames over loopback, into a file. */
    SINK,
    /** Pieces of a file over loopback, by sendfile. */
    SOURCE,
    /** There and back over loopback. */
    PING,
    /** Write and force. */
    FSYNC
  }

  static FloorKey sink(int frameBytes, int window) {
    return new FloorKey(Kind.SINK, frameBytes, window);
  }

  static FloorKey source(int pieceBytes) {
    return new FloorKey(Kind.SOURCE, pieceBytes, 1);
  }

  static FloorKey ping(int frameBytes) {
    return new FloorKey(Kind.PING, frameBytes, 1);
  }

  static FloorKey fsync(int frameBytes) {
    return new FloorKey(Kind.FSYNC, frameBytes, 1);
  }

  String inWords() {
    return switch (kind) {
      case SINK -> "sink of %d B, %d in flight".formatted(frameBytes, window);
      case SOURCE -> "source of %d B".formatted(frameBytes);
      case PING -> "ping of %d B".formatted(frameBytes);
      case FSYNC -> "write and fsync of %d B".formatted(frameBytes);
    };
  }
}
