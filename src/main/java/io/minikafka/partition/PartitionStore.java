package io.minikafka.partition;

import io.minikafka.Pressure;
import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Where the batches of one partition are kept. The local log is one; a replicated store could be
 * another. Everything is in offsets.
 *
 * <p><b>Threads.</b> {@link #append} and {@link #appendMayBlock}: one thread at a time, with a
 * happens-before edge between one caller and the next ({@link Partition} sees to it). All else: any
 * thread, without waiting for an append.
 *
 * <p><b>Failures.</b> An {@link IOException} of {@link #append} leaves the log as it was. When the
 * store can no longer keep its promises (a failed force, a failed repair after a failed write) it
 * goes offline: {@link Snapshot#offline} says why, every later append fails with {@link
 * StoreOfflineException}, and {@link Listener#onOffline} is called once.
 */
public interface PartitionStore extends Closeable {

  /** The newest published state; one volatile read. */
  Snapshot snapshot();

  /**
   * Whether an append of so many bytes could wait for more than a page-cache write, for example for
   * a segment that has not been made ahead. If so, it must not run on an event loop.
   */
  boolean appendMayBlock(int bytes);

  /**
   * Writes batches whose offsets follow {@code snapshot().end()} without a gap, all or none. When
   * it returns they are written (a crash of the process keeps them), not yet durable.
   *
   * @param batches at least one, stamped; the store only reads them and keeps none
   * @throws NoRoomException no room: nothing was written
   */
  void append(List<StampedBatch> batches) throws IOException;

  /**
   * Asks that everything below the present end becomes durable, soon and together with what others
   * ask for. Returns at once; {@link Listener#onDurable} tells.
   */
  void flush();

  /**
   * The same for several who will be waiting, which a store may use to tell how many more are worth
   * waiting for.
   *
   * @param appends how many
   */
  default void flush(int appends) {
    flush();
  }

  /**
   * Reads entries. The answer starts at the first entry of span &gt; 0 that reaches beyond {@code
   * offset}, with its marker if that stands directly before it, ends at an entry boundary, never
   * with a marker, and holds nothing at or above {@code limitOffset}.
   *
   * <p>Who asks for one byte at most, and for at least one entry, doubts it: its checksums are
   * compared before it is given.
   *
   * @param offset {@code start ≤ offset ≤ limitOffset}, else {@link ReadResult.OutOfRange}
   * @param maxBytes bound of the answer
   * @param atLeastOne whether the first entry (with its marker) is given even if it exceeds {@code
   *     maxBytes}
   * @param limitOffset usually the high watermark; a batch boundary
   */
  ReadResult read(long offset, int maxBytes, boolean atLeastOne, long limitOffset)
      throws IOException;

  /**
   * Whether reading there may have to wait for the disk, because the bytes were neither written nor
   * read lately. If so, it must not run on an event loop.
   */
  boolean readMayBlock(long offset, int maxBytes);

  /**
   * {@link #read} for an event loop, where {@link #readMayBlock} says that it need not wait.
   *
   * @return empty if something there is not as it should be: what that is takes a look at the disk,
   *     so {@link #read} is to be called where it may block
   */
  default Optional<ReadResult> readHere(
      long offset, int maxBytes, boolean atLeastOne, long limitOffset) throws IOException {
    return Optional.of(read(offset, maxBytes, atLeastOne, limitOffset));
  }

  /**
   * The first record whose timestamp is at least {@code timestamp}, below {@code limitOffset}; may
   * block.
   */
  TimeLookup offsetForTime(long timestamp, long limitOffset) throws IOException;

  /** The record of the largest timestamp below {@code limitOffset}; may block. */
  TimeLookup latestTimestamp(long limitOffset) throws IOException;

  /**
   * When the first record at or behind {@code offset} was appended, of those below {@code
   * limitOffset}; may block.
   */
  default AppendTimeLookup appendTime(long offset, long limitOffset) throws IOException {
    return new AppendTimeLookup.Unknown();
  }

  /**
   * When retention may delete the record at {@code offset}, which is in the log; may block. Not
   * before the batches it shares a segment with, and only by the settings in force.
   */
  default DeletionOutlook deletionOutlook(long offset) throws IOException {
    return DeletionOutlook.NONE;
  }

  /**
   * Moves the log start up to {@code offset} (never down) and gives up what lies below, durably;
   * may block.
   *
   * @param offset at most the durable offset
   */
  void trimTo(long offset) throws IOException;

  /** What the partition takes up, without waiting for the disk; empty if the store cannot tell. */
  default Optional<LogStats> stats() {
    return Optional.empty();
  }

  /** What is known to be damaged, in offset order; never waits. */
  default List<DamagedRange> damage() {
    return List.of();
  }

  /**
   * Some of the pieces the log is kept in, oldest first; may block.
   *
   * @param from only those whose base offset is not below it
   * @param most how many at most
   * @return empty if there are none, or the store has no such pieces
   */
  default List<SegmentDescription> segments(long from, int most) throws IOException {
    return List.of();
  }

  /** Begins to compare every checksum; whoever asks steps and closes it. Does not block. */
  default LogCheck check() {
    return LogCheck.NOTHING;
  }

  /**
   * Gives up what is damaged around an offset, so that all else is served; blocks, and trims wait
   * meanwhile. A cut moves the end and is ordered with the appends by the caller: none is under way
   * until it returns, or it would be of an end that is gone ({@link Partition} sees to it). All or
   * nothing, also over a crash, and a copy of the bytes that go is put aside before.
   *
   * @param offset in a damaged range
   * @param validateOnly to be told what would be done
   * @throws IOException if the environment fails; what was done then is told by {@link #snapshot}
   */
  default RepairResult repair(RepairAction action, long offset, boolean validateOnly)
      throws IOException {
    return RepairResult.notDamaged(offset);
  }

  /** The bound on bytes written but not yet durable that this store shares with others. */
  Pressure pressure();

  /** New settings, in force from the next append on. */
  void configure(StoreSettings settings);

  /** Tells of progress. Set once, before the first append. */
  void listen(Listener listener);

  /** Makes everything durable if it can, and ends; may block. */
  @Override
  void close() throws IOException;

  /**
   * One consistent state of a store: {@code start ≤ durable ≤ end}.
   *
   * @param epoch the log epoch; rises whenever the log is opened or cut
   * @param start log start offset: the first that can be read
   * @param durable all below it is on stable storage
   * @param end log end offset: the next to be assigned
   * @param lastAppendTime of the newest batch, ms; {@code Long.MIN_VALUE} if the log is empty
   * @param offline empty, or why nothing can be appended any more
   */
  record Snapshot(
      int epoch, long start, long durable, long end, long lastAppendTime, String offline) {
    public boolean isOffline() {
      return !offline.isEmpty();
    }

    /** The same, of a partition that takes no more appends. */
    Snapshot withOffline(String reason) {
      return new Snapshot(epoch, start, durable, end, lastAppendTime, reason);
    }
  }

  /** Progress, in order; called on whichever thread made it, never under a lock of the store. */
  interface Listener {
    /** The durable offset rose to {@code durable}. */
    void onDurable(long durable);

    /** The log start moved up to {@code start}. */
    void onStart(long start);

    /** See {@link PartitionStore}. */
    void onOffline(String reason);

    /**
     * A repair has changed the end of the log: it ends at {@code end}, which may be lower than
     * before, and can be appended to (again). Called once the snapshot says so.
     */
    default void onRepaired(long end) {}
  }
}
