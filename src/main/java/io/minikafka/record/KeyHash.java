package io.minikafka.record;

/** FNV-1a, 32-bit: which partition a key belongs to, the same in every client. Stateless. */
public final class KeyHash {
  private static final int BASIS = 0x811c9dc5;
  private static final int PRIME = 0x01000193;

  private KeyHash() {}

  public static int fnv1a(byte[] key) {
    int hash = BASIS;
    for (byte b : key) {
      hash = (hash ^ (b & 0xff)) * PRIME;
    }
    return hash;
  }

  /** The hash, unsigned, modulo the number of partitions. */
  public static int partition(byte[] key, int partitions) {
    return Integer.remainderUnsigned(fnv1a(key), partitions);
  }
}
