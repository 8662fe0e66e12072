package io.minikafka.log;

import io.minikafka.record.RecordView;
import java.nio.ByteBuffer;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What compaction remembers of a key: the first 128 bits of its SHA-256. So long a part of so good
 * a hash is taken for the key itself: nobody can make two keys that share it, and by chance a log
 * would need 2⁶⁴ keys. One thread.
 */
final class KeyDigest {
  private static final int SHA_256_BYTES = 32;

  private final MessageDigest sha256;
  private final byte[] digest = new byte[SHA_256_BYTES];
  private final ByteBuffer words = ByteBuffer.wrap(digest);
  private byte[] key = new byte[256];

  KeyDigest() {
    try {
      sha256 = MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }

  /**
   * Takes the key of a record; {@link #high} and {@link #low} tell of it until the next call.
   *
   * @return false if the record has none
   */
  boolean take(RecordView view) {
    int bytes = view.keyBytes();
    if (bytes < 0) {
      return false;
    }
    if (key.length < bytes) {
      key = new byte[Math.max(bytes, 2 * key.length)];
    }
    view.copyKey(key);
    sha256.update(key, 0, bytes);
    try {
      sha256.digest(digest, 0, SHA_256_BYTES);
    } catch (DigestException e) {
      throw new AssertionError("the room is as large as the digest", e);
    }
    return true;
  }

  long high() {
    return words.getLong(0);
  }

  long low() {
    return words.getLong(8);
  }
}
