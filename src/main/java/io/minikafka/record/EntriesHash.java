package io.minikafka.record;

/**
 * Binds entries to the marker before them: covers the length and checksum of each, in order, and
 * how many offsets they take. Not cryptographic; together with the entries' own checksums it tells
 * a batch whose parts do not belong together.
 */
public final class EntriesHash {
  private EntriesHash() {}

  public static long start(int span) {
    return span;
  }

  /**
   * @param lengthAndCrc the u64 at byte 8 of the next entry
   */
  public static long add(long hash, long lengthAndCrc) {
    return Long.rotateLeft(hash ^ lengthAndCrc, 27) * 0x9E3779B97F4A7C15L;
  }

  public static int finish(long hash) {
    return (int) (hash ^ hash >>> 32);
  }
}
