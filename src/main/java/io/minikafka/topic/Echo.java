package io.minikafka.topic;

/** What somebody sent, as an error may repeat it: printable and short. Stateless. */
final class Echo {
  private static final int MAX_CHARS = 60;

  private Echo() {}

  static String of(String text) {
    StringBuilder out = new StringBuilder();
    text.codePoints()
        .limit(MAX_CHARS)
        .map(c -> Character.isISOControl(c) ? '?' : c)
        .forEach(out::appendCodePoint);
    return out.length() < text.length() ? out + "…" : out.toString();
  }
}
