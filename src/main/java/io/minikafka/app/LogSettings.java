package io.minikafka.app;

import io.minikafka.partition.FlushPolicy;
import io.smallrye.config.WithDefault;

/** Defaults of every topic, {@code minikafka.log.}; a topic's own setting wins. */
public interface LogSettings {
  /**
   * Size, in bytes, beyond which the active segment is sealed. More: fewer files, coarser
   * retention. Less: retention and recovery in smaller steps, more descriptors.
   */
  @WithDefault("67108864")
  int segmentBytes();

  /**
   * Age, in milliseconds, beyond which the active segment is sealed even when small, so that time
   * retention reaches it. More: old records may outlive their retention by as much. Less: more and
   * smaller files on quiet partitions.
   */
  @WithDefault("604800000")
  long segmentMs();

  /**
   * Bytes of log between two entries of the sparse index. More: smaller indexes, longer walks to an
   * offset. Less: the reverse.
   */
  @WithDefault("4096")
  int indexIntervalBytes();

  /**
   * Bytes a partition keeps; the oldest sealed segments go beyond it. -1 keeps everything. What
   * remains is between this and this plus one segment.
   */
  @WithDefault("-1")
  long retentionBytes();

  /** Milliseconds a record is kept at least before its segment may go; -1 keeps it for ever. */
  @WithDefault("-1")
  long retentionMs();

  /**
   * When an append is acknowledged: {@code commit} once it is on stable storage, {@code interval}
   * at once and forced each {@code flush-interval-ms}, {@code none} at once and forced when the
   * system likes (but see {@code storage.dirty-force-interval-ms}).
   */
  @WithDefault("commit")
  FlushPolicy flushPolicy();

  /**
   * Milliseconds between two forces under {@code interval}. More: fewer forces, more to lose at a
   * power failure. Less: the reverse.
   */
  @WithDefault("1000")
  long flushIntervalMs();

  /**
   * Bytes of the largest batch a producer may send, marker included. More: larger requests are held
   * in memory. Less: producers with larger records are refused.
   */
  @WithDefault("33554432")
  int maxMessageBytes();
}
