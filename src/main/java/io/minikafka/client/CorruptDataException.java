package io.minikafka.client;

import io.minikafka.TopicPartition;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What the server sent is not what the format says: a checksum does not match, an entry is cut, or
 * offsets have a hole or an overlap. The message names what was expected and what was found.
 *
 * <p>The next {@code poll} asks for this place once more, in a way that makes the server check it:
 * what is damaged there is then a {@link DamagedRangeException}, which names where to go on, and
 * what only came wrong is delivered.
 */
public final class CorruptDataException extends FetchException {
  private static final long serialVersionUID = 1;
  static final long UNKNOWN = -1;
  private final long offset;
  private final long batchEnd;

  CorruptDataException(
      TopicPartition partition, long offset, String message, @Nullable Throwable cause) {
    this(partition, offset, UNKNOWN, message, cause);
  }

  CorruptDataException(
      TopicPartition partition,
      long offset,
      long batchEnd,
      String message,
      @Nullable Throwable cause) {
    super(partition, message, cause);
    this.offset = offset;
    this.batchEnd = batchEnd;
  }

  /** The first offset that is not good; everything below it was delivered. */
  public long offset() {
    return offset;
  }

  /**
   * Where the batch ends that is not good: who seeks there leaves out {@link #offset} and what is
   * behind it in that batch. Empty if it is not known, because the batch's marker did not come or
   * is not good either.
   */
  public OptionalLong goOnAt() {
    return batchEnd == UNKNOWN ? OptionalLong.empty() : OptionalLong.of(batchEnd);
  }
}
