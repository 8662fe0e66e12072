package io.minikafka.log;

import io.minikafka.partition.AppendTimeLookup;
import io.minikafka.partition.TimeLookup;
import java.io.IOException;
import java.nio.file.NoSuchFileException;

/**
 * Finds records by their timestamps, and the append times of records: the time index names the
 * stretch of a segment, the markers in it the batch, the headers in that the record. Any thread;
 * blocks.
 */
final class LogTimes {
  private static final int ATTEMPTS = 4;

  private final OpenLog log;

  LogTimes(OpenLog log) {
    this.log = log;
  }

  /** See {@link io.minikafka.partition.PartitionStore#offsetForTime}. */
  TimeLookup firstAtOrAfter(long timestamp, long limitOffset) throws IOException {
    return retrying(state -> firstAtOrAfter(state, timestamp, limitOffset));
  }

  /** See {@link io.minikafka.partition.PartitionStore#latestTimestamp}. */
  TimeLookup latest(long limitOffset) throws IOException {
    return retrying(
        state -> {
          long largest = Long.MIN_VALUE;
          for (int i = 0; i < state.viewCount(); i++) {
            largest = Math.max(largest, largestIn(state, state.view(i), limitOffset));
          }
          return largest == Long.MIN_VALUE
              ? TimeLookup.NONE
              : firstAtOrAfter(state, largest, limitOffset);
        });
  }

  /** See {@link io.minikafka.partition.PartitionStore#appendTime}. */
  AppendTimeLookup appended(long offset, long limitOffset) throws IOException {
    return retrying(
        state -> appended(state, Math.max(offset, state.start()), limitOffset),
        new AppendTimeLookup.Unknown());
  }

  private AppendTimeLookup appended(LogState state, long offset, long limitOffset)
      throws IOException {
    AppendTimeLookup first = new AppendTimeLookup.None();
    for (int i = Math.max(0, state.ordinalOf(offset));
        i < state.viewCount() && first instanceof AppendTimeLookup.None;
        i++) {
      LogState.View view = state.view(i);
      if (!isOutside(state, view, limitOffset) && view.nextOffset() > offset) {
        TimeIndex times = view.segment().indexes().times();
        log.used(view.segment());
        try (TimeScan scan = new TimeScan(log, state, view, times, times.floorByOffset(offset))) {
          first = scan.appended(offset, limitOffset);
        }
      }
    }
    long passed =
        first instanceof AppendTimeLookup.Found(long found, long time) ? found : limitOffset;
    boolean overDamage =
        state.damage().ranges().stream()
            .anyMatch(range -> range.from() < passed && range.to() > offset);
    return overDamage ? new AppendTimeLookup.Unknown() : first;
  }

  private interface Lookup<T> {
    T in(LogState state) throws IOException;
  }

  private TimeLookup retrying(Lookup<TimeLookup> lookup) throws IOException {
    return retrying(lookup, TimeLookup.NONE);
  }

  private <T> T retrying(Lookup<T> lookup, T unreadable) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        LogState state = log.state();
        return state.readable() ? lookup.in(state) : unreadable;
      } catch (NoSuchFileException | BadEntryException e) {
        // Retention overtook the state, or an index was wrong and has been rebuilt.
        if (attempt == ATTEMPTS) {
          throw new IOException("lookup by time in %s: %s".formatted(log.id(), e.getMessage()), e);
        }
      }
    }
  }

  private TimeLookup firstAtOrAfter(LogState state, long timestamp, long limitOffset)
      throws IOException {
    for (int i = 0; i < state.viewCount(); i++) {
      LogState.View view = state.view(i);
      if (isOutside(state, view, limitOffset)) {
        continue;
      }
      TimeIndex times = view.segment().indexes().times();
      log.used(view.segment());
      int reaching = times.firstReaching(timestamp);
      if (view.segment() instanceof SealedSegment && reaching == times.count()) {
        continue;
      }
      // Everything up to the end of the batch before is older.
      try (TimeScan scan = new TimeScan(log, state, view, times, reaching - 1)) {
        TimeLookup found = scan.first(timestamp, limitOffset);
        if (!found.equals(TimeLookup.NONE)) {
          return found;
        }
      }
    }
    return TimeLookup.NONE;
  }

  private long largestIn(LogState state, LogState.View view, long limitOffset) throws IOException {
    if (isOutside(state, view, limitOffset)) {
      return Long.MIN_VALUE;
    }
    TimeIndex times = view.segment().indexes().times();
    log.used(view.segment());
    boolean whole = view.segment().baseOffset() >= state.start();
    int last = whole ? times.floorByOffset(limitOffset - 1) : -1;
    long largest = last < 0 ? Long.MIN_VALUE : times.maxTimestamp(last);
    boolean all = view.segment() instanceof SealedSegment && last == times.count() - 1;
    if (whole && all) {
      return largest;
    }
    try (TimeScan scan = new TimeScan(log, state, view, times, last)) {
      return Math.max(largest, scan.largest(limitOffset));
    }
  }

  private static boolean isOutside(LogState state, LogState.View view, long limitOffset) {
    return view.bytes() == 0
        || view.nextOffset() <= state.start()
        || view.segment().baseOffset() >= limitOffset;
  }
}
