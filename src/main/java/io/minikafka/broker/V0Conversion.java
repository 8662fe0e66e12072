package io.minikafka.broker;

import io.minikafka.codec.Blob;
import io.minikafka.record.CorruptEntryException;
import io.minikafka.record.Entry;
import io.minikafka.record.RecordView;
import io.minikafka.record.V0Entries;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Turns entries of a log into what version 0 knows, in the memory they were copied to: what is left
 * out makes room, and a converted record is never longer than it was.
 */
final class V0Conversion {
  private static final ByteBuffer NO_SCRATCH = ByteBuffer.allocate(0);

  private final ByteBuffer bytes;
  private final int limit;
  private final long fromOffset;

  /** A copy of the one entry that is being converted, which may overlap with where it goes. */
  private ByteBuffer scratch = NO_SCRATCH;

  private V0Conversion(ByteBuffer bytes, int limit, long fromOffset) {
    this.bytes = bytes;
    this.limit = limit;
    this.fromOffset = fromOffset;
  }

  /**
   * @param entries whole entries; released by this
   * @param fromOffset records below it are left out
   * @return plain records, maybe none
   * @throws CorruptEntryException if the log gave what cannot even be walked
   */
  static BufferPool.Loan convert(Blob entries, long fromOffset, BufferPool pool)
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
      loan.cutTo(new V0Conversion(bytes, entries.length(), fromOffset).convert());
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
      Entry.Problem problem = Entry.problem(bytes, at, limit);
      if (problem != Entry.Problem.NONE) {
        throw new CorruptEntryException(fromOffset, problem.text());
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
