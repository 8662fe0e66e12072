package io.minikafka.app;

import io.smallrye.config.WithConverter;
import io.smallrye.config.WithDefault;

/** How the data directory is written and looked after, {@code minikafka.storage.}. */
public interface StorageSettings {
  /**
   * Bytes written and not yet forced, over the data directory, beyond which producing sockets are
   * not read from; policy {@code none} is exempt. More: higher bursts, longer forces. Less: an even
   * pace.
   */
  @WithDefault("268435456")
  long unflushedBytes();

  /**
   * Threads that force files. More: more logs are forced side by side, on devices that can. Less:
   * fewer, larger forces.
   */
  @WithDefault("4")
  int forcers();

  /**
   * Milliseconds after which a file with unforced bytes is forced under any policy. More: more to
   * lose, longer recovery. Less: more forces.
   */
  @WithDefault("30000")
  long dirtyForceIntervalMs();

  /**
   * Milliseconds between two looks for segments to roll by age or to delete. More: they stay
   * longer. Less: more looking.
   */
  @WithDefault("30000")
  long retentionCheckIntervalMs();

  /**
   * Milliseconds after a partition went idle within which its checkpoint is written. More: fewer
   * small writes. Less: shorter recovery.
   */
  @WithDefault("1000")
  long checkpointIntervalMs();

  /**
   * Sealed segments held open for reading at once. More: more descriptors. Less: old data is opened
   * anew more often.
   */
  @WithDefault("512")
  int openSealedSegments();

  /**
   * Bytes of torn tails that recovery keeps copies of before it cuts them, over the data directory;
   * of what is beyond it no copy is made. More: more to look at after a crash. Less: more room.
   */
  @WithDefault("1073741824")
  long quarantineBytes();

  /**
   * Memory, in bytes, for the keys that a compaction knows at a time, 32 for each; one log is
   * compacted at a time. More: a log with many keys is read and written fewer times. Less: more
   * heap for everything else.
   */
  @WithDefault("67108864")
  long compactionMemoryBytes();

  /**
   * Bytes that compaction reads and writes in a second; 0 for as many as it can. More: room is made
   * sooner. Less: it disturbs those who produce and fetch less.
   */
  @WithDefault("0")
  long compactionBytesPerSecond();

  /**
   * Bytes that one verification of logs reads in a second; 0 for as many as it can. More: it is
   * done sooner. Less: it disturbs those who produce and fetch less.
   */
  @WithDefault("67108864")
  long verifyBytesPerSecond();

  /**
   * Memory for the indexes of sealed segments, in bytes. More: old data is found without reading
   * its index again. Less: more heap for everything else.
   */
  @WithDefault("67108864")
  long indexCacheBytes();

  /**
   * Bytes touched last that are taken to be in the page cache, so that reading them does not wait
   * for the disk; 0 takes half of the memory that the heap leaves. More: a read may hold up an
   * event loop after all. Less: reads go to a worker, and are copied, without need.
   */
  @WithDefault("0")
  long hotBytes();

  /**
   * Threads for everything else that may wait for the disk: cold reads, segments, deletion. More:
   * slow reads wait less for each other. Less: fewer threads.
   */
  @WithDefault("16")
  int workers();

  /**
   * Partitions that are recovered at the same time at start. More: a faster start, on devices that
   * can. Less: a start that leaves the machine alone.
   */
  @WithDefault("4")
  int parallelRecoveries();

  /**
   * Whether to start although the catalog of topics is missing while there are records of some: all
   * topics are then forgotten and their directories set aside. For one start, after the file is
   * known to be lost.
   */
  @WithDefault("false")
  @WithConverter(TrueOrFalse.class)
  boolean acceptMissingCatalog();
}
