package io.minikafka.net;

/** A frame that is coming in, as those see it who share out memory. Compared by identity. */
final class IncomingFrame {
  /** One of no more is small. */
  static final int SMALL_BYTES = 16 << 10;

  /** A client is believed a frame so many times as large as all it has sent. */
  private static final int CREDIT = 16;

  private final int bytes;
  private final boolean proven;

  private IncomingFrame(int bytes, boolean proven) {
    this.bytes = bytes;
    this.proven = proven;
  }

  /**
   * @param bytes what it announces
   * @param hereBytes what has come of it
   * @param deliveredBytes of all whole frames before it
   */
  static IncomingFrame of(int bytes, long hereBytes, long deliveredBytes) {
    return new IncomingFrame(bytes, hereBytes >= bytes || deliveredBytes >= bytes / CREDIT);
  }

  int bytes() {
    return bytes;
  }

  /** It has come as a whole, or its client is known to send what it announces. */
  boolean isProven() {
    return proven;
  }

  boolean isSmall() {
    return bytes <= SMALL_BYTES;
  }
}
