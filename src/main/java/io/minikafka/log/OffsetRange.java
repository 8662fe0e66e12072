package io.minikafka.log;

/** Offsets {@code from} … {@code to} − 1. */
record OffsetRange(long from, long to) {
  boolean holds(long offset) {
    return from <= offset && offset < to;
  }
}
