package io.minikafka.log;

import io.minikafka.record.BatchMarker;
import io.minikafka.record.Entry;
import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Tells by one small read whether a file is a segment of this log with this base offset: it begins
 * with a marker of the partition, or with what compaction left of one. Stateless.
 */
final class FirstEntries {
  /** Of a gap without a batch. */
  private static final int GAP_BYTES = Entry.HEADER_BYTES + 16;

  private FirstEntries() {}

  /**
   * @param bytes of the file
   */
  static boolean belong(DiskFile file, int bytes, long baseOffset, LogRules rules)
      throws IOException {
    ByteBuffer in =
        ByteBuffer.allocate(Math.min(bytes, GAP_BYTES + BatchMarker.BYTES))
            .order(ByteOrder.LITTLE_ENDIAN);
    file.read(in, 0);
    in.flip();
    if (in.limit() < GAP_BYTES || Entry.offset(in, 0) != baseOffset) {
      return false;
    }
    if (BatchMarker.isMarker(in, 0)) {
      return isOfThisLog(in, 0, rules) && BatchMarker.read(in, 0).baseOffset() == baseOffset;
    }
    // A gap comes first, and never two.
    return Entry.bytes(in, 0) == GAP_BYTES
        && (bytes == GAP_BYTES || isOfThisLog(in, GAP_BYTES, rules));
  }

  private static boolean isOfThisLog(ByteBuffer in, int at, LogRules rules) {
    return BatchMarker.check(in, at, in.limit()) == BatchMarker.Check.GOOD
        && BatchMarker.read(in, at).partitionHash() == rules.partitionHash();
  }
}
