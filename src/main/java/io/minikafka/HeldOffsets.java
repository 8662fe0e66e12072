package io.minikafka;

/**
 * Which offsets there are, in messages: both ends that are named are there, and what stands behind
 * them is named too, since a reader may wait there.
 */
public final class HeldOffsets {
  private HeldOffsets() {}

  /**
   * {@code offsets 5 to 9 (the next is 10)}, to be put behind "has".
   *
   * @param next behind the last one; no more than {@code first} if there are none
   */
  public static String inWords(long first, long next) {
    return next <= first
        ? "no records (the next offset is %d)".formatted(next)
        : "offsets %d to %d (the next is %d)".formatted(first, next - 1, next);
  }
}
