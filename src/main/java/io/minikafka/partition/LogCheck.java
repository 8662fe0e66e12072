package io.minikafka.partition;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;

/**
 * A reading of all bytes of a store that compares every checksum, a little at a time. What is
 * appended meanwhile is looked at as far as the check still comes there; what retention takes is
 * passed over.
 *
 * <p>One thread at a time, but {@link #close}: any, also while a step reads.
 */
public interface LogCheck extends Closeable {
  /** Of a store that has nothing to be compared. */
  LogCheck NOTHING =
      new LogCheck() {
        @Override
        public List<Finding> step(int bytes) {
          return List.of();
        }

        @Override
        public boolean isDone() {
          return true;
        }

        @Override
        public long checkedBytes() {
          return 0;
        }

        @Override
        public long totalBytes() {
          return 0;
        }

        @Override
        public void close() {}
      };

  /** Something that was found. */
  sealed interface Finding {
    /**
     * Damage. It is known to the store from now on, and reads into it are refused.
     *
     * @param isNew whether it was not known before
     */
    record Damaged(DamagedRange range, boolean isNew) implements Finding {}

    /** Offsets that a repair skipped: nothing is wrong, and nothing is there. */
    record Skipped(long from, long to) implements Finding {}

    /**
     * A piece that could not be read to its end, which says nothing about its bytes.
     *
     * @param segmentBase its base offset
     */
    record Unreadable(long segmentBase, String what) implements Finding {}

    /**
     * Nothing can be appended, whatever the bytes are like, and perhaps nothing read.
     *
     * @param reason what the snapshot says
     */
    record Offline(String reason) implements Finding {}
  }

  /**
   * Reads on; blocks.
   *
   * @param bytes how much, give or take a batch; a search for the end of damage may take more
   * @return what was found, in offset order; empty also after the end
   * @throws IOException if it was closed, or the store cannot be read at all
   */
  List<Finding> step(int bytes) throws IOException;

  /** Whether all was read. */
  boolean isDone();

  /** Bytes that were read. */
  long checkedBytes();

  /** Bytes that are to be read in all, as far as is known by now. */
  long totalBytes();

  /** Ends it; a step under way ends at its next reading. */
  @Override
  void close();
}
