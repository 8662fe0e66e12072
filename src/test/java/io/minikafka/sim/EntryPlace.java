package io.minikafka.sim;

/** Where an entry lies in the one file of a {@link PlainStore}, and when it was appended. */
record EntryPlace(long offset, int span, int position, int bytes, long timestamp, long appendTime) {
  long next() {
    return offset + span;
  }
}
