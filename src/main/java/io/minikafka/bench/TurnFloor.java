package io.minikafka.bench;

/** A floor that measures single turns, besides how many go in a second. */
interface TurnFloor extends Load {
  /** Of all turns since the last {@code forget}. */
  Latencies turns();

  /** Those so far were the warm-up. */
  default void forget() {
    turns().clear();
  }
}
