package io.minikafka.record;

import io.minikafka.record.BatchCheck.Refused;
import io.minikafka.record.Entry.Problem;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One pass over the entries of a produced batch: checks each and sums up what the marker says. */
final class EntryWalk {
  private final int limit;

  int count;
  long maxTimestamp = Long.MIN_VALUE;
  int firstKeyless = -1;
  int entriesHash;

  /** The first thing that is wrong; the other fields then mean nothing. */
  @Nullable Refused refusal;

  /**
   * @param span what the request or its marker announces; the hash starts with it
   */
  EntryWalk(ByteBuffer in, int at, int limit, int span, boolean version1) {
    this.limit = limit;
    long hash = EntriesHash.start(span);
    Crc32c checksum = new Crc32c();
    int next = at;
    while (next < limit) {
      Problem problem = Entry.problem(in, next, limit);
      if (problem != Problem.NONE) {
        refusal = refuse(problem.text());
        return;
      }
      int kword = Entry.kword(in, next);
      if (kword < 0) {
        boolean legal =
            version1 && (kword == Entry.NULL_KEY || Entry.kind(kword) == Entry.KIND_ATTRIBUTED);
        if (!legal) {
          refusal =
              refuse(
                  version1
                      ? "a producer may send plain and attributed records only"
                      : "version 0 knows no null key and no extension entries");
          return;
        }
        if (kword != Entry.NULL_KEY && !Attributed.headerKeysAreText(in, next)) {
          refusal = refuse("a header's key is not UTF-8");
          return;
        }
      }
      if (firstKeyless < 0 && isKeyless(in, next, kword, version1)) {
        firstKeyless = count;
      }
      if (!Entry.checksumHolds(in, next, checksum)) {
        refusal = refuse("its checksum does not match its bytes");
        return;
      }
      hash = EntriesHash.add(hash, Entry.lengthAndCrc(in, next));
      maxTimestamp = Math.max(maxTimestamp, Entry.timestamp(in, next));
      next += Entry.bytes(in, next);
      count++;
    }
    entriesHash = EntriesHash.finish(hash);
    if (count == 0) {
      refusal = new Refused("a batch without records");
    }
  }

  /** Version 0 has no null key: who has none sends one of no bytes. */
  private static boolean isKeyless(ByteBuffer in, int at, int kword, boolean version1) {
    return kword >= 0
        ? kword == 0 && !version1
        : kword == Entry.NULL_KEY || in.getInt(at + Attributed.KEY_LENGTH) < 0;
  }

  CheckedBatch checked(
      ByteBuffer buffer, int markerAt, long producerId, short producerEpoch, int baseSequence) {
    return new CheckedBatch(
        buffer,
        markerAt,
        limit - markerAt,
        count,
        maxTimestamp,
        firstKeyless,
        producerId,
        producerEpoch,
        baseSequence);
  }

  private Refused refuse(String what) {
    return new Refused("record %d of the batch: %s".formatted(count, what));
  }
}
