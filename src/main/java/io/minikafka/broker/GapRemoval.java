package io.minikafka.broker;

import io.minikafka.codec.Blob;
import io.minikafka.record.BatchMarker;
import io.minikafka.record.EntriesHash;
import io.minikafka.record.Entry;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Takes the gaps out of entries for a client that does not read them; it sees offsets skip. A batch
 * that ended with one gets a marker that fits what is left of it. Stateless.
 */
final class GapRemoval {
  private GapRemoval() {}

  /**
   * @param entries whole entries; released by this
   * @return what is left of them, maybe nothing; bytes that are no entries stay as they are
   */
  static BufferPool.Loan copy(Blob entries, BufferPool pool) throws IOException {
    BufferPool.Loan loan;
    try {
      loan = pool.take(entries.length());
    } catch (RuntimeException | Error e) {
      entries.release();
      throw e;
    }
    try {
      entries.copyTo(loan.buffer());
      loan.cutTo(remove(loan.buffer(), entries.length()));
      return loan;
    } catch (IOException | RuntimeException | Error e) {
      loan.release();
      throw e;
    } finally {
      entries.release();
    }
  }

  /**
   * In place.
   *
   * @return how many bytes are left
   */
  private static int remove(ByteBuffer in, int limit) {
    int out = 0;
    int markerAt = -1;
    int batchEnd = 0;
    int at = 0;
    while (at < limit && Entry.problem(in, at, limit) == Entry.Problem.NONE) {
      int bytes = Entry.bytes(in, at);
      if (Entry.kind(Entry.kword(in, at)) == Entry.KIND_GAP) {
        if (markerAt >= 0 && at < batchEnd) {
          fit(in, markerAt, out);
        }
      } else {
        if (BatchMarker.isMarker(in, at)) {
          markerAt = out;
          batchEnd = at + bytes + Math.max(0, in.getInt(at + BatchMarker.ENTRIES_BYTES));
        }
        in.put(out, in, at, bytes);
        out += bytes;
      }
      at += bytes;
    }
    in.put(out, in, at, limit - at);
    return out + limit - at;
  }

  private static void fit(ByteBuffer in, int markerAt, int to) {
    int from = markerAt + BatchMarker.BYTES;
    long hash = EntriesHash.start(in.getInt(markerAt + BatchMarker.SPAN));
    for (int at = from; at < to; at += Entry.bytes(in, at)) {
      hash = EntriesHash.add(hash, in.getLong(at + Entry.LENGTH));
    }
    in.putInt(markerAt + BatchMarker.ENTRIES_BYTES, to - from);
    in.putInt(markerAt + BatchMarker.ENTRIES_HASH, EntriesHash.finish(hash));
    Entry.stampChecksum(in, markerAt);
  }
}
