package io.minikafka.broker;

import io.minikafka.codec.Blob;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.CorruptEntryException;
import io.minikafka.record.Crc32c;
import io.minikafka.record.Entry;
import io.minikafka.record.RecordView;
import io.minikafka.record.V0Entries;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Turns entries of a log into what version 0 knows, in the memory they were copied to: what is left
 * out makes room, and a converted record is never longer than it was.
 *
 * <p>What changes gets a new checksum, and a version 0 client sees no markers: nobody behind this
 * can tell damaged bytes any more. So everything is checked here, as a client of version 1 would.
 */
final class V0Conversion {
  private static final ByteBuffer NO_SCRATCH = ByteBuffer.allocate(0);

  private final Crc32c checksum = new Crc32c();
  private final ByteBuffer bytes;
  private final int limit;
  private final long partitionHash;
  private final long fromOffset;

  /** Where the next entry begins; -1 before the first. */
  private long nextOffset = -1;

  /** Offsets may skip: in a compacted batch, and as long as no marker says which kind it is. */
  private boolean maySkip = true;

  /** A copy of the one entry that is being converted, which may overlap with where it goes. */
  private ByteBuffer scratch = NO_SCRATCH;

  private V0Conversion(ByteBuffer bytes, int limit, long partitionHash, long fromOffset) {
    this.bytes = bytes;
    this.limit = limit;
    this.partitionHash = partitionHash;
    this.fromOffset = fromOffset;
  }

  /**
   * @param entries whole entries; released by this
   * @param partitionHash of the partition whose log they are of
   * @param fromOffset records below it are left out
   * @return plain records, maybe none; up to the first entry that is corrupt
   * @throws CorruptEntryException if there is no record before one that is corrupt
   */
  static BufferPool.Loan convert(Blob entries, long partitionHash, long fromOffset, BufferPool pool)
      throws IOException {
    BufferPool.Loan loan;
    try {
      loan = pool.take(entries.length());
    } catch (RuntimeException | Error e) {
      entries.release();
      throw e;
    }
    try {
      ByteBuffer bytes = loan.buffer();
      entries.copyTo(bytes);
      loan.cutTo(new V0Conversion(bytes, entries.length(), partitionHash, fromOffset).convert());
      return loan;
    } catch (IOException | RuntimeException | Error e) {
      loan.release();
      throw e;
    } finally {
      entries.release();
    }
  }

  /** Bytes that came out. */
  private int convert() {
    int out = 0;
    int at = 0;
    int runAt = 0;
    while (at < limit) {
      String objection = objection(at);
      if (!objection.isEmpty()) {
        out = move(runAt, at, out);
        if (out == 0) {
          throw new CorruptEntryException(Math.max(nextOffset, fromOffset), objection);
        }
        return out;
      }
      int next = at + Entry.bytes(bytes, at);
      int kword = Entry.kword(bytes, at);
      boolean asItIs = kword >= 0 && Entry.offset(bytes, at) >= fromOffset;
      if (!asItIs) {
        out = move(runAt, at, out);
        runAt = next;
        boolean record = kword == Entry.NULL_KEY || Entry.kind(kword) == Entry.KIND_ATTRIBUTED;
        if (record && Entry.offset(bytes, at) >= fromOffset) {
          out = convertOne(at, next, out);
        }
      }
      at = next;
    }
    return move(runAt, at, out);
  }

  /** What speaks against the entry; empty if nothing does. Moves on over it. */
  private String objection(int at) {
    Entry.Problem problem = Entry.problem(bytes, at, limit);
    if (problem != Entry.Problem.NONE) {
      return problem.text();
    }
    long offset = Entry.offset(bytes, at);
    int span = Entry.span(bytes, at);
    if (offset < 0 || offset + span < 0) {
      return "an impossible offset " + offset;
    }
    if (nextOffset >= 0 && (maySkip ? offset < nextOffset : offset != nextOffset)) {
      return "the entry found there carries offset " + offset;
    }
    // One that nobody gets must not be in the way of those behind it.
    if (offset + span <= fromOffset && span > 0) {
      nextOffset = offset + span;
      return "";
    }
    if (!Entry.checksumHolds(bytes, at, checksum)) {
      return "its checksum does not match its bytes";
    }
    if (span == 0) {
      String ofMarker = objectionToMarker(at);
      if (!ofMarker.isEmpty()) {
        return ofMarker;
      }
    }
    nextOffset = offset + span;
    return "";
  }

  private String objectionToMarker(int at) {
    switch (BatchMarker.check(bytes, at, limit)) {
      case BAD -> {
        return "a marker without its magic";
      }
      case UNKNOWN_VERSION -> maySkip = true;
      case GOOD -> {
        BatchMarker marker = BatchMarker.read(bytes, at);
        if (marker.partitionHash() != partitionHash) {
          return "the batch belongs to another partition";
        }
        if (marker.baseOffset() != marker.offset()) {
          return "the marker found there is of offset " + marker.baseOffset();
        }
        maySkip = (marker.flags() & BatchMarker.FLAG_COMPACTED) != 0;
      }
    }
    return "";
  }

  private int move(int from, int to, int out) {
    if (from != out && from < to) {
      bytes.put(out, bytes, from, to - from);
    }
    return out + to - from;
  }

  private int convertOne(int from, int to, int out) {
    if (scratch.capacity() < to - from) {
      scratch = ByteBuffer.allocate(to - from).order(ByteOrder.LITTLE_ENDIAN);
    }
    scratch.put(0, bytes, from, to - from);
    ByteBuffer target = bytes.duplicate().order(ByteOrder.LITTLE_ENDIAN).limit(to).position(out);
    V0Entries.convert(new RecordView(scratch, 0), target);
    return target.position();
  }
}
