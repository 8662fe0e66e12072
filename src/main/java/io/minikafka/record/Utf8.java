package io.minikafka.record;

import java.nio.ByteBuffer;

/** Tells text from other bytes, without making a string of it. Stateless; any thread. */
final class Utf8 {
  private Utf8() {}

  /** Whether bytes {@code from} … {@code to} − 1 are UTF-8: shortest forms, no surrogates. */
  static boolean isWellFormed(ByteBuffer in, int from, int to) {
    int at = from;
    while (at < to) {
      int first = in.get(at++);
      if (first >= 0) {
        continue;
      }
      int following;
      int least;
      if ((first & 0xe0) == 0xc0) {
        following = 1;
        least = 0x80;
      } else if ((first & 0xf0) == 0xe0) {
        following = 2;
        least = 0x800;
      } else if ((first & 0xf8) == 0xf0) {
        following = 3;
        least = 0x10000;
      } else {
        return false;
      }
      if (to - at < following) {
        return false;
      }
      int character = first & (0x3f >> following);
      for (int i = 0; i < following; i++) {
        int next = in.get(at++);
        if ((next & 0xc0) != 0x80) {
          return false;
        }
        character = (character << 6) | (next & 0x3f);
      }
      boolean surrogate = character >= 0xd800 && character <= 0xdfff;
      if (character < least || character > Character.MAX_CODE_POINT || surrogate) {
        return false;
      }
    }
    return true;
  }
}
