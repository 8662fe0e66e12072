package io.minikafka.bench;

import java.util.Collection;

/**
 * What one repetition did.
 *
 * @param records that were acknowledged or read; frames of a floor
 * @param valueBytes of their values
 * @param wireBytes of the frames that carried them
 * @param nanos from its begin to the last answer
 */
record Work(long records, long valueBytes, long wireBytes, long nanos) {
  double recordsPerSecond() {
    return records * 1e9 / nanos;
  }

  double mbPerSecond() {
    return valueBytes * 1e3 / nanos;
  }

  double wireMbPerSecond() {
    return wireBytes * 1e3 / nanos;
  }

  /** What several did side by side in {@code nanos}. */
  static Work together(Collection<Work> parts, long nanos) {
    long records = 0;
    long valueBytes = 0;
    long wireBytes = 0;
    for (Work part : parts) {
      records += part.records;
      valueBytes += part.valueBytes;
      wireBytes += part.wireBytes;
    }
    return new Work(records, valueBytes, wireBytes, nanos);
  }
}
