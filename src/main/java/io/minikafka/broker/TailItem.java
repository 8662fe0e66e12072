package io.minikafka.broker;

import io.minikafka.codec.Bytes;
import io.minikafka.record.Header;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** What comes along when somebody looks at the records of a partition. */
public sealed interface TailItem {
  /**
   * A record.
   *
   * @param timestamp as the producer set it, ms
   * @param appendTime by the broker's clock, ms; empty for the records of a batch that was begun in
   *     its middle
   * @param key empty for null
   * @param value empty for null
   */
  record Record(
      long offset,
      long timestamp,
      OptionalLong appendTime,
      Optional<Bytes> key,
      Optional<Bytes> value,
      List<Header> headers)
      implements TailItem {}

  /**
   * Offsets {@code from} … {@code to} − 1 have no records.
   *
   * @param lost whether a repair skipped damage there; else compaction emptied them
   */
  record Gap(long from, long to, boolean lost) implements TailItem {}
}
