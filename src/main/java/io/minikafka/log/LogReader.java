package io.minikafka.log;

import io.minikafka.codec.Blob;
import io.minikafka.codec.Bytes;
import io.minikafka.codec.Chain;
import io.minikafka.partition.ReadResult;
import io.minikafka.record.PartitionHash;
import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads a log by its published state, without a lock of the log. Any thread. */
final class LogReader {
  /** Segments in one answer, so that tiny segments do not pin descriptors without bound. */
  private static final int MAX_PARTS = 64;

  /** A state may be overtaken by retention, an index found wrong, damage found: then once more. */
  private static final int ATTEMPTS = 4;

  /** Who wants so few bytes, and gets one entry all the same, doubts it: it is checked before. */
  private static final int DOUBT_BYTES = 1;

  private final OpenLog log;

  LogReader(OpenLog log) {
    this.log = log;
  }

  /** See {@link io.minikafka.partition.PartitionStore#read}. */
  ReadResult read(long offset, int maxBytes, boolean atLeastOne, long limitOffset)
      throws IOException {
    for (int attempt = 1; ; attempt++) {
      LogState state = log.state();
      try {
        return read(state, offset, maxBytes, atLeastOne, limitOffset);
      } catch (DoubtException e) {
        if (e.inEntry) {
          log.checkWhole(e.view, offset);
        } else {
          log.lookAgain(e.view);
        }
        if (attempt == ATTEMPTS) {
          throw new IOException(
              "offset %d of %s: %s".formatted(offset, log.id(), e.getMessage()), e);
        }
      } catch (NoSuchFileException e) {
        if (attempt == ATTEMPTS) {
          throw e;
        }
      } catch (BadEntryException e) {
        if (attempt == ATTEMPTS) {
          throw new IOException(
              "offset %d of %s: %s".formatted(offset, log.id(), e.getMessage()), e);
        }
      }
    }
  }

  /** See {@link io.minikafka.partition.PartitionStore#readHere}. */
  Optional<ReadResult> readHere(long offset, int maxBytes, boolean atLeastOne, long limitOffset)
      throws IOException {
    try {
      return Optional.of(read(log.state(), offset, maxBytes, atLeastOne, limitOffset));
    } catch (DoubtException | BadEntryException | NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Index and log do not agree in a segment, or there is damage in it. */
  private static final class DoubtException extends IOException {
    private static final long serialVersionUID = 1;
    final transient LogState.View view;

    /** Whether an entry's checksum is wrong, which a walk over headers does not find. */
    final boolean inEntry;

    DoubtException(LogState.View view, BadEntryException cause) {
      super(cause.getMessage(), cause);
      this.view = view;
      this.inEntry = false;
    }

    DoubtException(LogState.View view, RangeFinder.Range range) {
      super("position %d: the entry is not what was written".formatted(range.position()));
      this.view = view;
      this.inEntry = true;
    }
  }

  private ReadResult read(
      LogState state, long offset, int maxBytes, boolean atLeastOne, long limitOffset)
      throws IOException {
    if (!state.readable()) {
      return new ReadResult.Offline(state.offline());
    }
    long limit = Math.min(limitOffset, state.end());
    if (offset < state.start() || offset > limit) {
      return new ReadResult.OutOfRange(state.start(), limit);
    }
    if (offset == limit) {
      return new ReadResult.Entries(Bytes.EMPTY, offset);
    }
    Optional<DamageRange> damaged = state.damage().at(offset);
    if (damaged.isPresent()) {
      return new ReadResult.Damaged(damaged.get().from(), damaged.get().to());
    }
    Answer answer = new Answer(state, offset, maxBytes);
    try {
      answer.fill(atLeastOne, limit);
    } catch (NoSuchFileException | DoubtException | BadEntryException e) {
      if (answer.isEmpty()) {
        throw e;
      }
      // What was found before stands for itself; the next read begins where it went wrong.
    } catch (IOException | RuntimeException | Error e) {
      answer.release();
      throw e;
    }
    return answer.result();
  }

  /** The parts of one answer, one for each segment. */
  private final class Answer {
    private final LogState state;
    private final List<Blob> parts = new ArrayList<>(1);
    private long next;
    private int remainingBytes;

    Answer(LogState state, long offset, int maxBytes) {
      this.state = state;
      this.next = offset;
      this.remainingBytes = maxBytes;
    }

    void fill(boolean atLeastOne, long limit) throws IOException {
      for (int i = state.ordinalOf(next); i < state.viewCount() && next < limit; i++) {
        LogState.View view = state.view(i);
        boolean more =
            add(view, atLeastOne && parts.isEmpty(), limit)
                && parts.size() < MAX_PARTS
                && remainingBytes > 0
                && state.damage().at(next).isEmpty();
        if (!more) {
          return;
        }
      }
    }

    /**
     * @return whether it reached the end of the segment
     */
    private boolean add(LogState.View view, boolean atLeastOne, long limit) throws IOException {
      Segment segment = view.segment();
      log.used(segment);
      DiskFile file = segment.file().lease();
      boolean kept = false;
      try {
        RangeFinder.Range range =
            new RangeFinder(view, state.damage(), file)
                .find(next, remainingBytes, atLeastOne, limitIn(view, limit));
        if (range.bytes() == 0) {
          return false;
        }
        if (atLeastOne
            && remainingBytes <= DOUBT_BYTES
            && !FirstEntry.isGood(file, range, PartitionHash.of(log.id()))) {
          throw new DoubtException(view, range);
        }
        parts.add(segment.file().slice(file, range.position(), range.bytes()));
        kept = true;
        segment.hotBlocks().touch(range.position(), range.bytes());
        next = range.nextOffset();
        remainingBytes -= range.bytes();
        return next == view.nextOffset();
      } catch (BadEntryException e) {
        throw new DoubtException(view, e);
      } finally {
        if (!kept) {
          segment.file().unlease();
        }
      }
    }

    /** The asked limit, the next damage or the end of the segment, whichever is first. */
    private RangeFinder.Limit limitIn(LogState.View view, long limit) {
      Optional<DamageRange> damage = state.damage().next(next);
      if (damage.isPresent()
          && damage.get().from() <= Math.min(limit, view.nextOffset())
          && damage.get().segmentBase() == view.segment().baseOffset()) {
        return new RangeFinder.Limit(damage.get().from(), damage.get().fromPosition());
      }
      return limit >= view.nextOffset()
          ? new RangeFinder.Limit(view.nextOffset(), view.bytes())
          : new RangeFinder.Limit(limit, -1);
    }

    boolean isEmpty() {
      return parts.isEmpty();
    }

    void release() {
      parts.forEach(Blob::release);
    }

    ReadResult result() {
      if (parts.isEmpty()) {
        return new ReadResult.Entries(Bytes.EMPTY, next);
      }
      Blob blob = parts.size() == 1 ? parts.getFirst() : Chain.of(parts);
      return new ReadResult.Entries(blob, next);
    }
  }

  /** See {@link io.minikafka.partition.PartitionStore#readMayBlock}. */
  boolean mayBlock(long offset, int maxBytes) {
    LogState state = log.state();
    if (!state.readable() || offset < state.start() || offset >= state.end()) {
      return false;
    }
    int first = state.ordinalOf(offset);
    if (first < 0 || state.damage().at(offset).isPresent()) {
      // The answer is known: where a first segment is missing there is no file to ask.
      return false;
    }
    if (maxBytes <= DOUBT_BYTES) {
      return true;
    }
    long remaining = maxBytes;
    long next = offset;
    for (int i = first; i < state.viewCount() && remaining > 0; i++) {
      LogState.View view = state.view(i);
      int position = approximatePosition(view.segment(), next);
      if (position < 0) {
        return true;
      }
      int bytes = (int) Math.min(remaining, view.bytes() - position);
      if (!view.segment().hotBlocks().isHot(position, bytes)) {
        return true;
      }
      remaining -= bytes;
      next = view.nextOffset();
    }
    return false;
  }

  /** −1 if finding it out would need the disk. */
  private static int approximatePosition(Segment segment, long offset) {
    return switch (segment) {
      case ActiveSegment active -> {
        OffsetIndex index = active.indexes().offsets();
        yield index.positionOrZero(index.floorByOffset(offset));
      }
      case SealedSegment sealed -> sealed.approximatePosition(offset);
    };
  }
}
