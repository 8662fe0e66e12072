package io.minikafka.client;

/** Checks of settings whose errors name the setting, its value and its bounds. */
final class Bounds {
  private Bounds() {}

  static int within(String setting, int value, int least, int most) {
    return (int) within(setting, (long) value, least, most);
  }

  static long within(String setting, long value, long least, long most) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          "%s %d is outside %d … %d".formatted(setting, value, least, most));
    }
    return value;
  }
}
