package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.broker.BufferPool;
import io.minikafka.it.BufferLeaks;
import io.minikafka.net.NetMemory.Reservation;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BufferLeaks.class)
class NetMemoryTest {
  private static final int LIMIT = 16_000;

  private final NetMemory memory = new NetMemory(LIMIT);
  private final List<Integer> granted = new ArrayList<>();

  private Reservation reserve(int number, long bytes) {
    return memory.reserve(bytes, () -> granted.add(number));
  }

  @Test
  void reservesUpToTheLimit() {
    assertTrue(memory.tryReserve(15_000));
    assertFalse(memory.tryReserve(1_001));
    assertTrue(memory.tryReserve(1_000));
  }

  @Test
  void frameLargerThanTheLimitIsServedWhileLittleIsInUse() {
    assertTrue(memory.tryReserve(1_000));
    assertTrue(memory.tryReserve(1_000_000));
    assertFalse(memory.tryReserve(1));
  }

  @Test
  void whoWaitsIsServedInOrder() {
    memory.add(LIMIT);
    reserve(1, 10_000);
    reserve(2, 10);
    assertFalse(memory.tryReserve(1), "behind those who wait");
    memory.release(9_000);
    assertEquals(List.of(), granted);
    memory.release(1_010);
    assertEquals(List.of(1, 2), granted);
    assertEquals(LIMIT, memory.usedBytes());
  }

  @Test
  void reservationThatFitsIsGrantedAtOnce() {
    reserve(1, 10);
    assertEquals(List.of(1), granted);
  }

  @Test
  void whoGivesUpMakesWay() {
    memory.add(LIMIT);
    Reservation first = reserve(1, 15_000);
    reserve(2, 10);
    memory.release(2_000);
    assertEquals(List.of(), granted);
    memory.cancel(first);
    assertEquals(List.of(2), granted);
    assertEquals(LIMIT - 2_000 + 10, memory.usedBytes());
  }

  @Test
  void grantThatNobodyWantsAnyMoreIsGivenBack() {
    Reservation granted = reserve(1, 10);
    memory.cancel(granted);
    assertEquals(0, memory.usedBytes());
    memory.cancel(granted);
    assertEquals(0, memory.usedBytes());
  }

  @Test
  void oneAnswerLeavesRoomForOthers() {
    NetMemory large = new NetMemory(8 << 20);
    assertEquals(1 << 20, large.room());
    large.add(7 << 20);
    assertEquals(128 << 10, large.room());
    large.add(10 << 20);
    assertEquals(NetMemory.LEAST_ROOM_BYTES, large.room());
  }

  @Test
  void loanIsCountedUntilItIsReleased() {
    BufferPool.Loan loan = memory.take(100);
    assertEquals(100, memory.usedBytes());
    loan.buffer().putLong(0, 17);
    loan.cutTo(8);
    assertEquals(8, loan.length());
    ByteBuffer copy = ByteBuffer.allocate(8).order(java.nio.ByteOrder.LITTLE_ENDIAN);
    try {
      loan.copyTo(copy);
    } catch (java.io.IOException e) {
      throw new AssertionError(e);
    }
    assertEquals(17, copy.getLong(0));
    loan.release();
    loan.release();
    assertEquals(0, memory.usedBytes());
  }

  @Test
  void nobodyWaitsForEverWhateverTheThreadsDo() throws Exception {
    Long only = Long.getLong("seed");
    long base = only == null ? System.nanoTime() : only;
    int threads = 4;
    int rounds = 20_000;
    CountDownLatch done = new CountDownLatch(threads);
    AtomicLong over = new AtomicLong();
    for (int i = 0; i < threads; i++) {
      Random random = new Random(base + i);
      Thread.ofPlatform()
          .start(
              () -> {
                for (int round = 0; round < rounds; round++) {
                  long bytes = 1 + random.nextInt(9_000);
                  if (!memory.tryReserve(bytes)) {
                    CountDownLatch mine = new CountDownLatch(1);
                    Reservation reservation = memory.reserve(bytes, mine::countDown);
                    if (random.nextInt(4) == 0) {
                      memory.cancel(reservation);
                      continue;
                    }
                    try {
                      if (!mine.await(20, TimeUnit.SECONDS)) {
                        return;
                      }
                    } catch (InterruptedException e) {
                      return;
                    }
                  }
                  if (memory.usedBytes() > LIMIT) {
                    over.incrementAndGet();
                  }
                  memory.release(bytes);
                }
                done.countDown();
              });
    }
    assertTrue(done.await(60, TimeUnit.SECONDS), "somebody waits; replay with -Dseed=" + base);
    assertEquals(0, memory.usedBytes());
    assertEquals(0, over.get());
  }

  @Test
  void oneFrameThatWasBegunMayAlwaysGoOnAndTheNextWhenItIsWhole() {
    NetMemory small = new NetMemory(16_000);
    Object first = new Object();
    Object second = new Object();
    assertTrue(small.tryReserve(16_000));
    assertFalse(small.tryGrow(first, 1_000));
    List<String> order = new ArrayList<>();
    small.reserve(1, () -> order.add("new"));
    small.growLater(first, 1_000, () -> order.add("first"));
    small.growLater(second, 1_000, () -> order.add("second"));
    assertEquals(List.of("first"), order);
    assertTrue(small.isContended());

    assertFalse(small.tryGrow(second, 1_000));
    assertTrue(small.tryGrow(first, 5_000));
    small.frameEnded(first);
    assertEquals(List.of("first", "second"), order);
    assertEquals(23_000, small.usedBytes());

    small.release(8_000);
    assertEquals("new", order.getLast());
    assertFalse(small.isContended());
  }
}
