package io.minikafka.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class LatencyRunTest {
  private static final long MS = TimeUnit.MILLISECONDS.toNanos(1);

  @Test
  void everyRecordBehindTheWarmUpIsCountedOnBothSides() throws Exception {
    LatencyRun run = new LatencyRun(new Loop(Integer.MAX_VALUE), new ProduceShape(100, 10, 1));

    // Every 5 ms a batch of ten: four of them to warm up, six that are measured.
    Work work = run.run(2_000, 20 * MS, 30 * MS);

    assertEquals(new Work(60, 6_000, 6 * 1_415, 30 * MS), work);
    assertEquals(60, run.scheduled().count());
    assertEquals(60, run.sent().count());
    assertEquals(60, run.acknowledged().count());
    // What is due cannot be sent earlier.
    assertTrue(run.scheduled().percentileUs(50) >= run.sent().percentileUs(50));
  }

  @Test
  void recordThatIsRefusedEndsTheRun() {
    LatencyRun run = new LatencyRun(new Loop(3), new ProduceShape(100, 1, 1));

    IOException failure = assertThrows(IOException.class, () -> run.run(1_000, 0, 3_600_000 * MS));

    assertTrue(failure.toString().contains("the disk is full"), failure::toString);
  }

  /** Gives back what is sent; refuses everything from one record on. */
  private static final class Loop implements Pipe {
    private static final byte[] END = {};

    private final int refusesFrom;
    private final BlockingQueue<byte[]> records = new LinkedBlockingQueue<>();
    private int sent;

    Loop(int refusesFrom) {
      this.refusesFrom = refusesFrom;
    }

    @Override
    public void open() {}

    @Override
    public void send(byte[] value, Answer answer) {
      if (sent++ >= refusesFrom) {
        answer.failed(new IOException("the disk is full"));
      } else {
        records.add(value);
        answer.acknowledged();
      }
    }

    @Override
    public void flush() {}

    @Override
    public boolean poll(Consumer<ByteBuffer> values) {
      try {
        byte[] next = records.take();
        if (next == END) {
          return false;
        }
        values.accept(ByteBuffer.wrap(next));
        return true;
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void wakeup() {
      records.add(END);
    }

    @Override
    public String durability() {
      return "";
    }

    @Override
    public void close() {}
  }
}
