package io.minikafka.record;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.minikafka.codec.Bytes;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

/** What is done for each of millions of records makes no object for each. */
class AllocationTest {
  private static final int RECORDS = 1000;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final byte[] value = new byte[100];

  @Test
  void checkingABatchAllocatesNothingForARecord() {
    Bytes batch = batch(new BatchBuilder(1 << 18));
    assertFew(() -> assertInstanceOf(CheckedBatch.class, BatchCheck.version1(batch)).span());
  }

  @Test
  void buildingABatchAllocatesNothingForARecord() {
    BatchBuilder builder = new BatchBuilder(1 << 18);
    assertFew(
        () -> {
          builder.clear();
          append(builder);
          return builder.count();
        });
  }

  private Bytes batch(BatchBuilder builder) {
    append(builder);
    ByteBuffer blob = builder.version1();
    ByteBuffer copy = ByteBuffer.allocateDirect(blob.remaining()).order(ByteOrder.LITTLE_ENDIAN);
    return Bytes.of(copy.put(blob).flip());
  }

  private void append(BatchBuilder builder) {
    for (int i = 0; i < RECORDS; i++) {
      builder.append(1, null, value, List.of());
    }
  }

  /** The least of several runs: some are spent on classes, or while the compiler looks on. */
  private void assertFew(IntSupplier work) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 20; i++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      assertEquals(RECORDS, work.getAsInt());
      least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
    }
    assertTrue(least < RECORDS, least + " bytes for " + RECORDS + " records");
  }
}
