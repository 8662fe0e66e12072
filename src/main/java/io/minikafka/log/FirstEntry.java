package io.minikafka.log;

import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import io.minikafka.record.Entry.Problem;
import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The check of one entry, with its marker if that stands before it. Stateless; blocks. */
final class FirstEntry {
  private FirstEntry() {}

  /**
   * Whether both are what was written, by their checksums.
   *
   * @param range of the one entry, and its marker
   */
  static boolean isGood(DiskFile file, RangeFinder.Range range, long partitionHash)
      throws IOException {
    ByteBuffer in = ByteBuffer.allocate(range.bytes()).order(ByteOrder.LITTLE_ENDIAN);
    if (file.read(in, range.position()) < range.bytes()) {
      return false;
    }
    in.flip();
    int at = 0;
    if (BatchMarker.isMarker(in, 0)) {
      if (BatchMarker.check(in, 0, in.limit()) == BatchMarker.Check.BAD
          || in.getLong(BatchMarker.PARTITION_HASH) != partitionHash) {
        return false;
      }
      at = BatchMarker.BYTES;
    }
    return Entry.problem(in, at, in.limit()) == Problem.NONE && Entry.checksumHolds(in, at);
  }
}
