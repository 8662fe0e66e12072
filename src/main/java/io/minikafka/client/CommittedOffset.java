package io.minikafka.client;

import java.nio.charset.StandardCharsets;

/**
 * How far a group has come in a partition.
 *
 * @param offset the next to read; 0 or more
 * @param epoch log epoch of the record before it; 0 if unknown (it is filled in when the offset is
 *     the position)
 * @param metadata anything, for people; at most 65,536 bytes of UTF-8, and 4,096 if the server is
 *     not set otherwise. Version 0 has none
 */
public record CommittedOffset(long offset, int epoch, String metadata) {
  private static final int MAX_METADATA_BYTES = 1 << 16;

  public CommittedOffset {
    Bounds.within("committed offset", offset, 0, Long.MAX_VALUE);
    if (metadata.length() > MAX_METADATA_BYTES / 3) {
      int bytes = metadata.getBytes(StandardCharsets.UTF_8).length;
      Bounds.within("commit metadata bytes", bytes, 0, MAX_METADATA_BYTES);
    }
  }

  public static CommittedOffset of(long offset) {
    return new CommittedOffset(offset, 0, "");
  }
}
