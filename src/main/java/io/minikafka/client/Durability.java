package io.minikafka.client;

/** When the server answers a produce, and what its answer promises. */
public enum Durability {
  /**
   * As the topic's flush policy says. In an acknowledgement: the server speaks version 0 and does
   * not say more.
   */
  TOPIC_POLICY,
  /** In the operating system's cache: survives a killed broker, not a power loss. */
  WRITTEN,
  /** On stable storage. */
  FLUSHED;

  private static final Durability[] BY_CODE = values();

  int code() {
    return ordinal();
  }

  static Durability of(int code) {
    return code >= 0 && code < BY_CODE.length ? BY_CODE[code] : TOPIC_POLICY;
  }
}
