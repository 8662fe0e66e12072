package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.broker.BufferPool;
import io.minikafka.it.BufferLeaks;
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
  private static final int MOST_BYTES = 9_000;

  private final NetMemory memory = new NetMemory(LIMIT);
  private final List<Integer> granted = new ArrayList<>();

  private static IncomingFrame proven(int bytes) {
    return IncomingFrame.of(bytes, bytes, 0);
  }

  private static IncomingFrame unproven(int bytes) {
    return IncomingFrame.of(bytes, 0, 0);
  }

  private static IncomingFrame small() {
    return proven(100);
  }

  private static IncomingFrame large() {
    return proven(1 << 20);
  }

  private Reservation begin(IncomingFrame frame, int number, long bytes) {
    return memory.takeLater(frame, false, bytes, () -> granted.add(number));
  }

  private Reservation reserve(int number, long bytes) {
    return begin(small(), number, bytes);
  }

  private Reservation growLater(IncomingFrame frame, int number, long bytes) {
    return memory.takeLater(frame, true, bytes, () -> granted.add(number));
  }

  /** Takes it whether there is room or not, as if there had been. */
  private void fill(long bytes) {
    memory.release(-bytes);
  }

  @Test
  void reservesUpToTheLimit() {
    assertTrue(memory.tryTake(small(), 15_000));
    assertFalse(memory.tryTake(small(), 1_001));
    assertTrue(memory.tryTake(small(), 1_000));
  }

  @Test
  void frameLargerThanTheLimitIsServedWhileLittleIsInUse() {
    assertTrue(memory.tryTake(small(), 1_000));
    assertTrue(memory.tryTake(small(), 1_000_000));
    assertFalse(memory.tryTake(small(), 1));
  }

  @Test
  void whoWaitsIsServedInOrder() {
    fill(LIMIT + 1);
    reserve(1, 10_000);
    reserve(2, 10);
    assertFalse(memory.tryTake(small(), 1), "behind those who wait");
    assertEquals(List.of(), granted);
    memory.release(10_011);
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
    memory.addAnswers(8_000);
    fill(8_001);
    Reservation first = reserve(1, 15_000);
    reserve(2, 10);
    assertEquals(List.of(), granted);
    memory.cancel(first);
    memory.release(11);
    assertEquals(List.of(2), granted);
    assertEquals(LIMIT, memory.usedBytes());
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
    assertTrue(large.tryTake(large(), 5 << 20));
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
                  int bytes = 1 + random.nextInt(MOST_BYTES);
                  IncomingFrame frame = random.nextBoolean() ? proven(bytes) : unproven(bytes);
                  if (!memory.tryTake(frame, bytes)) {
                    CountDownLatch mine = new CountDownLatch(1);
                    Reservation reservation =
                        memory.takeLater(frame, false, bytes, mine::countDown);
                    if (random.nextInt(4) == 0) {
                      memory.cancel(reservation);
                      memory.frameEnded(frame);
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
                  if (memory.usedBytes() > LIMIT + MOST_BYTES) {
                    over.incrementAndGet();
                  }
                  memory.frameEnded(frame);
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
    IncomingFrame first = large();
    fill(15_000);
    assertFalse(memory.tryTake(first, 5_000));
    begin(large(), 9, 9_000);
    growLater(first, 1, 5_000);
    growLater(large(), 2, 5_000);
    assertEquals(List.of(9), granted, "nobody else wanted to");
    memory.frameEnded(first);
    assertEquals(List.of(9), granted, "it is not the one");
    assertTrue(memory.isContended());
  }

  @Test
  void framesGoBeyondTheLimitByOneAtATimeUntilWhatItTookIsBack() {
    IncomingFrame first = large();
    fill(15_000);
    growLater(first, 1, 5_000);
    growLater(large(), 2, 5_000);
    assertEquals(List.of(1), granted);
    assertTrue(memory.tryTake(first, 1_000), "it waits for nobody");

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
    assertTrue(room.begin(1 << 20, 1 << 20, 6_000) > 0);
    fill(11_000);
    assertFalse(room.grow(12_000));
    IncomingFrame next = large();
    growLater(next, 2, 6_000);
    assertEquals(List.of(), granted);

    room.end();

    assertEquals(List.of(2), granted);
    assertEquals(17_000, memory.usedBytes());
    memory.frameEnded(next);
    memory.release(17_000);
    assertTrue(memory.tryTake(large(), 14_000));
    assertFalse(memory.tryTake(small(), 2_001), "nothing is left of what it had been granted");
  }

  @Test
  void smallFramesHaveRoomWhereLargeOnesFillTheirs() {
    assertTrue(memory.tryTake(large(), 15_000));
    assertFalse(memory.tryTake(large(), 1_000));
    IncomingFrame beyond = large();
    growLater(beyond, 1, 50_000);
    growLater(large(), 2, 1_000);
    assertEquals(List.of(1), granted);

    assertTrue(memory.tryTake(small(), 1_000), "whatever large ones wait for");
    assertFalse(memory.tryTake(small(), 1));
    reserve(3, 2_000);
    assertEquals(List.of(1, 3), granted, "one of either size beyond the limit");
    reserve(4, 2_000);
    memory.release(2_000);
    assertEquals(List.of(1, 3, 4), granted);
  }

  @Test
  void answersKeepFramesOutOfHalfOfTheLimitUntilTheyFillItTwice() {
    memory.addAnswers(4_000);
    assertFalse(memory.hasManyAnswers());
    memory.addAnswers(8_000);
    assertTrue(memory.hasManyAnswers());
    assertTrue(memory.tryTake(small(), 8_000));
    assertFalse(memory.tryTake(small(), 1));
    memory.addAnswers(8_000);
    memory.release(4_000);
    assertFalse(memory.tryTake(small(), 1));
    assertEquals(24_000, memory.usedBytes());
    memory.release(4_000);
    memory.releaseAnswers(20_000);
    assertTrue(memory.tryTake(small(), 16_000));
  }

  @Test
  void roomThatAnswersGiveBackIsGrantedAtOnce() {
    memory.addAnswers(8_000);
    fill(8_001);
    reserve(1, 1_000);
    assertEquals(List.of(), granted);
    memory.releaseAnswers(1_001);
    assertEquals(List.of(1), granted);
  }

  @Test
  void whatIsNotProvenLeavesRoomToWhatIs() {
    assertTrue(memory.tryTake(unproven(1 << 20), 12_000));
    assertFalse(memory.tryTake(unproven(1 << 20), 1));
    assertTrue(memory.tryTake(unproven(100), 1_000));
    assertFalse(memory.tryTake(unproven(100), 1));
    assertTrue(memory.tryTake(large(), 2_000));
    assertFalse(memory.tryTake(large(), 1));
    assertTrue(memory.tryTake(small(), 1_000));
    assertFalse(memory.tryTake(small(), 1));
  }

  @Test
  void provenFramesGoBeforeOthersThatCameFirst() {
    IncomingFrame stands = unproven(1 << 20);
    fill(LIMIT);
    growLater(stands, 1, 10);
    growLater(unproven(1 << 20), 2, 1_000);
    begin(large(), 3, 1_000);
    growLater(large(), 4, 1_000);
    assertEquals(List.of(1), granted);
    memory.release(4_000);
    assertEquals(List.of(1, 4, 3), granted, "those that were begun first");
    memory.release(3_000);
    assertEquals(List.of(1, 4, 3, 2), granted);
  }

  @Test
  void whoGoesBeyondTheLimitIsOfEitherKindOrHasWaitedLongestInTurns() {
    List<IncomingFrame> frames =
        List.of(large(), proven(64 << 20), large(), unproven(32 << 20), large(), unproven(1 << 20));
    fill(LIMIT);
    for (int i = 0; i < frames.size(); i++) {
      begin(frames.get(i), i, 20_000);
    }
    for (int i : List.of(0, 5, 1, 2, 3, 4)) {
      assertTrue(memory.shouldHurry(frames.get(i)));
      memory.frameEnded(frames.get(i));
      assertFalse(memory.shouldHurry(frames.get(i)));
      memory.release(20_000);
    }
    assertEquals(List.of(0, 5, 1, 2, 3, 4), granted);
  }

  @Test
  void shortFramesGoBeforeLongOnesThatAreOnlyAnnounced() {
    fill(LIMIT + 1);
    growLater(unproven(64 << 20), 1, 10);
    begin(unproven(1 << 20), 2, 10);
    memory.release(5_000);
    assertEquals(List.of(2, 1), granted);
  }

  @Test
  void frameIsProvenWhenAllOfItIsHereOrItsClientHasSentAPartOfSoMuch() {
    assertTrue(IncomingFrame.of(1_000, 1_000, 0).isProven());
    assertFalse(IncomingFrame.of(1_000, 999, 0).isProven());
    assertFalse(IncomingFrame.of(32_000, 0, 1_999).isProven());
    assertTrue(IncomingFrame.of(32_000, 0, 2_000).isProven());
  }

  @Test
  void roomOfAClientCountsWhatItHasDelivered() {
    FrameRoom room = new FrameRoom(memory, Runnable::run, () -> {});
    assertEquals(10, room.begin(160_000, 0, 10));
    memory.release(room.handOver());
    fill(LIMIT);
    growLater(unproven(1 << 20), 1, 0);
    memory.release(3_000);
    assertEquals(0, new FrameRoom(memory, Runnable::run, () -> {}).begin(2_560_000, 0, 10));
    assertEquals(0, room.begin(2_560_001 + 16, 0, 10), "more than is believed");
    room.end();

    FrameRoom known = new FrameRoom(memory, Runnable::run, () -> {});
    known.begin(160_000, 160_000, 10);
    memory.release(known.handOver());
    assertEquals(10, known.begin(2_560_000, 0, 10), "proven by the one before");
    known.end();
  }

  @Test
  void slowFramesShouldHurryWhereTheyHoldHalfOfTheLimit() {
    FrameRoom one = new FrameRoom(memory, Runnable::run, () -> {});
    FrameRoom other = new FrameRoom(memory, Runnable::run, () -> {});
    one.begin(160_000, 0, 4_000);
    other.begin(160_000, 0, 4_000);
    one.markSlow();
    one.markSlow();
    other.markSlow();
    assertFalse(other.shouldHurry());
    assertTrue(other.grow(1));
    assertTrue(other.shouldHurry(), "what it grows by counts too");
    one.end();
    assertFalse(other.shouldHurry());
    memory.release(other.handOver());
    other.begin(160_000, 0, 10_000);
    assertFalse(other.shouldHurry(), "the next frame is not slow yet");
    other.end();
    assertEquals(0, memory.usedBytes());
  }
}
