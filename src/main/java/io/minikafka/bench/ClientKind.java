package io.minikafka.bench;

import java.util.Locale;

/** Which client sends and reads. */
public enum ClientKind {
  /** The Java client, as applications use it. */
  API,
  /** Frames encoded before, over a plain socket. */
  RAW;

  String title() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** As the command line takes it. */
  @Override
  public String toString() {
    return title();
  }
}
