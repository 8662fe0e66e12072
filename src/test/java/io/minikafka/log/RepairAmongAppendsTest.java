package io.minikafka.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.EngineObserver;
import io.minikafka.codec.Bytes;
import io.minikafka.partition.AppendResult;
import io.minikafka.partition.Durability;
import io.minikafka.partition.Partition;
import io.minikafka.partition.PartitionSettings;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.RepairAction;
import io.minikafka.record.BatchBuilder;
import io.minikafka.record.BatchCheck;
import io.minikafka.record.CheckedBatch;
import io.minikafka.sim.SimDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A log that is cut while the partition over it is appended to. */
class RepairAmongAppendsTest {
  private final SimDisk disk = new SimDisk(5);
  private final List<AppendResult> answers = new ArrayList<>();
  private Runnable onClock = () -> {};

  private long nanoTime() {
    onClock.run();
    return 0;
  }

  private static CheckedBatch batch(String... values) {
    BatchBuilder builder = new BatchBuilder(64);
    for (String value : values) {
      builder.append(1, null, value.getBytes(StandardCharsets.UTF_8), List.of());
    }
    ByteBuffer bytes = builder.version1();
    ByteBuffer copy = ByteBuffer.allocate(bytes.remaining()).order(ByteOrder.LITTLE_ENDIAN);
    return assertInstanceOf(
        CheckedBatch.class, BatchCheck.version1(Bytes.of(copy.put(bytes).flip())));
  }

  @Test
  void aCutInTheMiddleOfAnAppendLeavesAPartitionThatGoesOnAtTheNewEnd() throws IOException {
    LogBench bench = new LogBench(Path.of("/data"), disk);
    PartitionStore store = bench.open(LogBench.segments(1600));
    Partition partition =
        new Partition(
            LogBench.ID,
            store,
            new PartitionSettings(LogBench.segments(1600), 1 << 20),
            new Partition.Surroundings(
                () -> Instant.ofEpochMilli(bench.millis),
                this::nanoTime,
                bench.worker,
                EngineObserver.NONE),
            risen -> {});
    for (int i = 0; i < 8; i++) {
      bench.append(store, 5, 100);
    }
    bench.forcers.release();
    byte[] bytes = disk.bytes(bench.logFile(10));
    bytes[bytes.length / 2 + 300] ^= 4;
    disk.replace(bench.logFile(10), bytes);
    RepairRig.verified(store);
    int[] readings = {0};
    onClock =
        () -> {
          // The second is behind the look at the end, before the append.
          if (++readings[0] == 2) {
            try {
              var _ = partition.repair(RepairAction.CUT, 15, false);
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          }
        };
    partition.append(batch("under way"), Durability.WRITTEN, answers::add);
    partition.append(batch("behind"), Durability.FLUSHED, answers::add);
    bench.worker.release();
    partition.append(batch("later"), Durability.FLUSHED, answers::add);
    bench.worker.release();
    bench.forcers.release();
    bench.worker.release();
    assertEquals("", partition.snapshot().offline());
    assertTrue(readings[0] >= 2);
    assertEquals(
        List.of(40L, 15L, 16L),
        answers.stream()
            .map(answer -> assertInstanceOf(AppendResult.Appended.class, answer).baseOffset())
            .toList());
    bench.restart(store);
    PartitionStore again = bench.open(LogBench.segments(1600));
    assertEquals(17, again.snapshot().end());
    assertEquals(List.of("behind", "later"), LogBench.readAll(again, 15, 1 << 20));
    assertEquals(List.of(), again.damage());
    again.close();
    bench.close();
  }
}
