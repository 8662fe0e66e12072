package io.minikafka.log;

import java.util.ArrayList;
import java.util.List;

/**
 * What a log's compactions have seen, and when: how far the log was compacted, and for each
 * tombstone since when it may be waiting to go. Immutable; any thread.
 *
 * <p>One entry stands for all compactions that ended within a thirty-second of {@code
 * delete.retention.ms}, under the time of the last: so there are few, and no tombstone goes early.
 *
 * @param runs by rising {@link Run#to}
 */
record CompactionHistory(List<Run> runs) {
  static final CompactionHistory NONE = new CompactionHistory(List.of());

  /** More come together only where {@code delete.retention.ms} is changed again and again. */
  static final int MOST_RUNS = 64;

  private static final int PARTS = 32;

  /**
   * Compactions close together.
   *
   * @param to they saw all below this offset for the first time, from the run before on
   * @param firstMs when the first of them ended
   * @param lastMs when the last of them ended
   * @param tombstones of the stretch that are still there
   */
  record Run(long to, long firstMs, long lastMs, long tombstones) {}

  /** All below was compacted; the first dirty offset. */
  long cleanTo() {
    return runs.isEmpty() ? 0 : runs.getLast().to;
  }

  /** Ordinal of the run that saw an offset first; as many as there are runs if none did. */
  int ordinalOf(long offset) {
    int ordinal = 0;
    while (ordinal < runs.size() && runs.get(ordinal).to <= offset) {
      ordinal++;
    }
    return ordinal;
  }

  /** Whether a tombstone has waited long enough since it was seen first. */
  boolean mayGo(long offset, long nowMs, long retentionMs) {
    int ordinal = ordinalOf(offset);
    return ordinal < runs.size() && isOver(runs.get(ordinal), nowMs, retentionMs);
  }

  /** Whether there is any tombstone that may go. */
  boolean hasDue(long nowMs, long retentionMs) {
    return runs.stream().anyMatch(run -> run.tombstones > 0 && isOver(run, nowMs, retentionMs));
  }

  private static boolean isOver(Run run, long nowMs, long retentionMs) {
    return nowMs - run.lastMs >= retentionMs;
  }

  /**
   * After one more compaction.
   *
   * @param to all below was seen by it
   * @param tombstones that are left, by the ordinal of the run that saw them first; the last number
   *     is of those that nobody had seen
   */
  CompactionHistory after(long to, long nowMs, long retentionMs, long[] tombstones) {
    List<Run> next = new ArrayList<>();
    for (int i = 0; i < runs.size(); i++) {
      Run run = runs.get(i);
      add(next, new Run(run.to, run.firstMs, run.lastMs, tombstones[i]), nowMs, retentionMs);
    }
    if (to > cleanTo()) {
      add(next, new Run(to, nowMs, nowMs, tombstones[runs.size()]), nowMs, retentionMs);
    }
    while (next.size() > MOST_RUNS) {
      Run second = next.remove(1);
      next.set(0, joined(next.getFirst(), second));
    }
    return new CompactionHistory(List.copyOf(next));
  }

  private static void add(List<Run> runs, Run run, long nowMs, long retentionMs) {
    if (!runs.isEmpty()) {
      Run before = runs.getLast();
      boolean close = Math.abs(run.lastMs - before.firstMs) <= retentionMs / PARTS;
      boolean over = isOver(before, nowMs, retentionMs) && isOver(run, nowMs, retentionMs);
      if (close || over) {
        runs.set(runs.size() - 1, joined(before, run));
        return;
      }
    }
    runs.add(run);
  }

  private static Run joined(Run before, Run run) {
    return new Run(
        run.to,
        Math.min(before.firstMs, run.firstMs),
        Math.max(before.lastMs, run.lastMs),
        before.tombstones + run.tombstones);
  }
}
