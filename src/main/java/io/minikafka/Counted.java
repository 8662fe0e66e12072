package io.minikafka;

import java.util.Locale;

/** A count with its word in messages: {@code 1 record}, {@code 2 records}. */
public final class Counted {
  private Counted() {}

  /**
   * @param what one of them; more of them get an {@code s}
   */
  public static String of(long count, String what) {
    return count + " " + inNumber(count, what);
  }

  /** The same with its thousands set apart, for counts that people read. */
  public static String grouped(long count, String what) {
    return String.format(Locale.ROOT, "%,d %s", count, inNumber(count, what));
  }

  private static String inNumber(long count, String what) {
    return count == 1 ? what : what + "s";
  }
}
