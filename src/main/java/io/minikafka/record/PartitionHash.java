package io.minikafka.record;

import io.minikafka.PartitionId;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/**
 * What a marker says about the partition it belongs to: the first 8 bytes of SHA-256(topic id ‖ u32
 * partition), so that a block which strayed in from another file is recognised.
 */
public final class PartitionHash {
  private PartitionHash() {}

  public static long of(PartitionId id) {
    byte[] input =
        ByteBuffer.allocate(20)
            .putLong(id.topicId().getMostSignificantBits())
            .putLong(id.topicId().getLeastSignificantBits())
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(id.partition())
            .array();
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(input);
      return ByteBuffer.wrap(digest).order(ByteOrder.LITTLE_ENDIAN).getLong();
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("every JDK has SHA-256", e);
    }
  }
}
