package io.minikafka.app;

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
}
