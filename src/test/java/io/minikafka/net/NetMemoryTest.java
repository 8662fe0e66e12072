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
    return memory.beginLater(new Object(), bytes, true, () -> granted.add(number));
  }

  private Reservation growLater(Object frame, int number, long bytes) {
    return memory.growLater(frame, bytes, () -> granted.add(number));
  }

  /** Takes it whether there is room or not, as if there had been. */
  private void fill(long bytes) {
    memory.release(-bytes);
  }

  @Test
  void reservesUpToTheLimit() {
    assertTrue(memory.tryBegin(15_000, true));
    assertFalse(memory.tryBegin(1_001, true));
    assertTrue(memory.tryBegin(1_000, true));
  }

  @Test
  void frameLargerThanTheLimitIsServedWhileLittleIsInUse() {
    assertTrue(memory.tryBegin(1_000, true));
    assertTrue(memory.tryBegin(1_000_000, true));
    assertFalse(memory.tryBegin(1, true));
  }

  @Test
  void whoWaitsIsServedInOrder() {
    fill(LIMIT);
    reserve(1, 10_000);
    reserve(2, 10);
    assertFalse(memory.tryBegin(1, true), "behind those who wait");
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
    fill(LIMIT);
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
    assertEquals(512 << 10, large.room());
    large.addAnswers(2 << 20);
    assertEquals(256 << 10, large.room());
    assertTrue(large.tryBegin(5 << 20, false));
    assertEquals(128 << 10, large.room());
    large.addAnswers(10 << 20);
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
                  if (!memory.tryBegin(bytes, true)) {
                    CountDownLatch mine = new CountDownLatch(1);
                    Reservation reservation = memory.beginLater(mine, bytes, true, mine::countDown);
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
  void oneFrameThatWasBegunMayGoBeyondTheLimitWhateverItIsThatFillsIt() {
    Object first = new Object();
    fill(15_000);
    assertFalse(memory.tryGrow(first, 5_000));
    memory.beginLater(new Object(), 9_000, false, () -> granted.add(9));
    growLater(first, 1, 5_000);
    growLater(new Object(), 2, 5_000);
    assertEquals(List.of(9), granted, "nobody else wanted to");
    memory.frameEnded(first);
    assertEquals(List.of(9), granted, "it is not the one");
    assertTrue(memory.isContended());
  }

  @Test
  void framesGoBeyondTheLimitByOneAtATimeUntilWhatItTookIsBack() {
    Object first = new Object();
    fill(15_000);
    growLater(first, 1, 5_000);
    growLater(new Object(), 2, 5_000);
    assertEquals(List.of(1), granted);
    assertTrue(memory.tryGrow(first, 1_000), "it waits for nobody");

    memory.frameEnded(first);
    assertEquals(List.of(1), granted, "it is whole, and has to be answered");
    assertEquals(21_000, memory.usedBytes());
    memory.release(6_000);
    assertEquals(List.of(1, 2), granted);
    assertFalse(memory.isContended());
  }

  @Test
  void whoClosesWhileItWaitsIsNotGrantedWhatItGivesBack() {
    FrameRoom room = new FrameRoom(memory, Runnable::run, () -> {});
    assertTrue(room.begin(6_000, false) > 0);
    fill(11_000);
    assertFalse(room.grow(12_000));
    Object next = new Object();
    growLater(next, 2, 6_000);
    assertEquals(List.of(), granted);

    room.end();

    assertEquals(List.of(2), granted);
    assertEquals(17_000, memory.usedBytes());
    memory.frameEnded(next);
    memory.release(17_000);
    assertTrue(memory.tryBegin(14_000, false));
    assertFalse(memory.tryBegin(2_001, true), "nothing is left of what it had been granted");
  }

  @Test
  void smallFramesHaveRoomWhereLargeOnesFillTheirs() {
    assertTrue(memory.tryBegin(14_000, false));
    assertFalse(memory.tryBegin(1_000, false));
    assertFalse(memory.tryGrow(new Object(), 1_000));
    Object beyond = new Object();
    growLater(beyond, 1, 50_000);
    growLater(new Object(), 2, 1_000);
    assertEquals(List.of(1), granted);

    assertTrue(memory.tryBegin(2_000, true), "whatever large ones wait for");
    assertFalse(memory.tryBegin(1, true));
    reserve(3, 2_000);
    memory.release(2_000);
    assertEquals(List.of(1, 3), granted);
  }

  @Test
  void answersKeepFramesOutOfHalfOfTheLimitUntilTheyFillItTwice() {
    memory.addAnswers(4_000);
    assertFalse(memory.hasManyAnswers());
    memory.addAnswers(8_000);
    assertTrue(memory.hasManyAnswers());
    assertTrue(memory.tryBegin(8_000, true));
    assertFalse(memory.tryBegin(1, true));
    memory.addAnswers(8_000);
    memory.release(4_000);
    assertFalse(memory.tryBegin(1, true));
    assertEquals(24_000, memory.usedBytes());
    memory.release(4_000);
    memory.releaseAnswers(20_000);
    assertTrue(memory.tryBegin(16_000, true));
  }

  @Test
  void roomThatAnswersGiveBackIsGrantedAtOnce() {
    memory.addAnswers(8_000);
    fill(8_000);
    reserve(1, 1_000);
    assertEquals(List.of(), granted);
    memory.releaseAnswers(1_000);
    assertEquals(List.of(1), granted);
  }
}
