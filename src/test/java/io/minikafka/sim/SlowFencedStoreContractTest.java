package io.minikafka.sim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.PartitionStores;
import io.minikafka.partition.StoreOfflineException;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** The seam holds for a store whose durability takes its time and whose owner can be fenced. */
class SlowFencedStoreContractTest extends PartitionStoreContract {
  private static final long DELAY_NANOS = 7_000_000;

  private final PlainStores.Fence fence = new PlainStores.Fence();

  @Override
  Stack stack() {
    return process ->
        new PlainStores(
            process.disk, process.directory, process.clock, process.forcer, DELAY_NANOS, fence);
  }

  @Test
  void ownerThatWasSucceededIsFenced() throws IOException {
    StoreBench bench = new StoreBench(stack());
    PartitionStore old = bench.open();
    bench.append(old, 2);
    old.flush();
    bench.settle();
    bench.append(old, 2);
    old.flush();
    PartitionStores others = stack().open(bench.process);
    PartitionStore successor =
        others.open(StoreBench.ID, StoreBench.settings(io.minikafka.partition.FlushPolicy.COMMIT));
    bench.settle();
    assertTrue(old.snapshot().isOffline());
    assertEquals(2, old.snapshot().durable());
    assertThrows(StoreOfflineException.class, () -> bench.append(old, 1));
    assertEquals("offline", bench.told.getLast());
    assertTrue(successor.snapshot().epoch() > old.snapshot().epoch());
    bench.append(successor, 1);
  }
}
