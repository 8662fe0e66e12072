package io.minikafka.sim;

import io.minikafka.partition.AppendTimeLookup;

/** Where an entry lies in the one file of a {@link PlainStore}, and when it was appended. */
record EntryPlace(long offset, int span, int position, int bytes, long timestamp, long appendTime) {
  long next() {
    return offset + span;
  }

  boolean isRecordIn(long start, long limitOffset) {
    return span > 0 && offset >= start && next() <= limitOffset;
  }

  AppendTimeLookup appended() {
    return new AppendTimeLookup.Found(offset, appendTime);
  }
}
