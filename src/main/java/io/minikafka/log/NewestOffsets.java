package io.minikafka.log;

/**
 * The newest offset of each key, in a bounded room: 24 bytes for each of so many slots, of which
 * three quarters are used. Keys are known by their {@link KeyDigest}. One thread.
 */
final class NewestOffsets {
  /** Two words of digest and the offset. */
  static final int SLOT_BYTES = 24;

  private static final int STRIDE = 3;

  /** Slots are counted in an int, and lie in one array. */
  private static final int MOST_SLOTS = Integer.MAX_VALUE / STRIDE - 8;

  /** Digest and offset + 1; an offset of 0 stands in a slot nobody took. */
  private final long[] words;

  private final int slots;
  private final int mostKeys;
  private int keys;

  /**
   * @param budgetBytes not exceeded, but for room for one key
   * @param expectedKeys more room than these need is not taken
   */
  NewestOffsets(long budgetBytes, long expectedKeys) {
    long wanted = expectedKeys > Long.MAX_VALUE / 4 ? Long.MAX_VALUE : expectedKeys * 4 / 3 + 2;
    long bounded = Math.min(budgetBytes / SLOT_BYTES, MOST_SLOTS);
    slots = (int) Math.max(2, Math.min(wanted, bounded));
    mostKeys = Math.max(1, (int) (slots * 3L / 4));
    words = new long[slots * STRIDE];
  }

  void clear() {
    java.util.Arrays.fill(words, 0);
    keys = 0;
  }

  int keys() {
    return keys;
  }

  /**
   * Notes that the key of a digest has a record at an offset above all noted before.
   *
   * @return false if there is no room for another key; nothing was noted then
   */
  boolean note(KeyDigest digest, long offset) {
    int at = find(digest);
    if (words[at + 2] == 0) {
      if (keys == mostKeys) {
        return false;
      }
      keys++;
      words[at] = digest.high();
      words[at + 1] = digest.low();
    }
    words[at + 2] = offset + 1;
    return true;
  }

  /** The newest offset that was noted for the key; −1 if none was. */
  long newest(KeyDigest digest) {
    return words[find(digest) + 2] - 1;
  }

  /** The slot of the key, or the free one that it would get. */
  private int find(KeyDigest digest) {
    long high = digest.high();
    long low = digest.low();
    int slot = (int) Long.remainderUnsigned(low, slots);
    while (true) {
      int at = slot * STRIDE;
      if (words[at + 2] == 0 || (words[at] == high && words[at + 1] == low)) {
        return at;
      }
      slot = slot + 1 == slots ? 0 : slot + 1;
    }
  }
}
