package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.it.BufferLeaks;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BufferLeaks.class)
class WatchTest {
  private static final int LEAST_BYTES = 16 << 10;

  private final NetSettings settings =
      new NetSettings(
          "127.0.0.1", 0, 1, 2 << 20, 100, 0, 30_000, 30_000, 1 << 20, 4 << 20, 16 << 10, 0);
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
  private final Open open = new Open();
  private final FrameDecoder decoder = new FrameDecoder(settings.maxFrameBytes(), open);
  private final Watch watch = new Watch(settings, decoder, 0);

  private long sentBytes;
  private long heldBytes = LEAST_BYTES;
  private boolean contended = true;
  private boolean shouldHurry;

  /** Lets everything in, until it does not. */
  private static final class Open implements FrameDecoder.Gate {
    boolean admits = true;

    @Override
    public int admit(int frameBytes, int hereBytes) {
      return admits ? 1000 : 0;
    }

    @Override
    public boolean grow(int moreBytes) {
      return admits;
    }

    @Override
    public boolean hasPlentyFor(int moreBytes) {
      return true;
    }

    @Override
    public boolean isMemoryShort() {
      return false;
    }

    @Override
    public boolean othersWait() {
      return false;
    }

    @Override
    public void clientGone() {}

    @Override
    public void badLength(int frameBytes) {}
  }

  @AfterEach
  void drop() {
    decoder.end();
    channel.finishAndReleaseAll();
  }

  /** Begins a frame, or goes on with it. */
  private void receive(int bytes) {
    if (channel.pipeline().get("frames") == null) {
      channel.pipeline().addLast("frames", decoder);
    }
    ByteBuf part = Unpooled.buffer();
    if (decoder.receivedBytes() == 0) {
      part.writeIntLE(settings.maxFrameBytes());
    }
    channel.writeInbound(part.writeZero(bytes));
  }

  private void answer(int bytes) {
    unsent.addMessage(Unpooled.wrappedBuffer(new byte[bytes]), bytes, channel.newPromise());
    unsent.addFlush();
  }

  private Optional<CloseReason> look(int second) {
    return watch.look(
        TimeUnit.SECONDS.toNanos(second),
        new Watch.Seen(true, 1, unsent, sentBytes, heldBytes, contended, shouldHurry));
  }

  @Test
  void whoTakesNextToNothingForASecondIsClosedWhereOthersWaitForWhatItHolds() {
    answer(100_000);
    assertEquals(Optional.empty(), look(1));
    unsent.removeBytes(LEAST_BYTES - 1);
    assertEquals(Optional.of(CloseReason.SLOW_READER), look(2));
  }

  @Test
  void whoTakesEnoughIsNotClosedHoweverItIsCounted() {
    answer(100_000);
    assertEquals(Optional.empty(), look(1));
    unsent.removeBytes(LEAST_BYTES);
    assertEquals(Optional.empty(), look(2));
    sentBytes += LEAST_BYTES;
    assertEquals(Optional.empty(), look(3));
    assertEquals(Optional.of(CloseReason.SLOW_READER), look(4));
  }

  @Test
  void whoHoldsNothingThatOthersWaitForMayBeSlow() {
    answer(100_000);
    assertEquals(Optional.empty(), look(1));
    heldBytes = LEAST_BYTES - 1;
    assertEquals(Optional.empty(), look(2));
    heldBytes = LEAST_BYTES;
    contended = false;
    assertEquals(Optional.empty(), look(3));
    contended = true;
    assertEquals(Optional.of(CloseReason.SLOW_READER), look(4));
  }

  @Test
  void whoHasTakenAllIsNotSlow() {
    assertEquals(Optional.empty(), look(1));
    assertEquals(Optional.empty(), look(2));
    answer(100_000);
    assertEquals(Optional.empty(), look(3));
  }

  @Test
  void frameThatTakesTenSecondsIsTooSlowWhereOthersWait() {
    receive(100);
    for (int second = 1; second <= 10; second++) {
      assertEquals(Optional.empty(), look(second));
      receive(LEAST_BYTES);
    }
    contended = false;
    assertEquals(Optional.empty(), look(11));
    contended = true;
    receive(LEAST_BYTES);
    assertEquals(Optional.of(CloseReason.SLOW_SENDER), look(12));
  }

  @Test
  void frameThatWaitsItselfIsTooSlowAsWell() {
    receive(100);
    open.admits = false;
    receive(LEAST_BYTES);
    for (int second = 1; second <= 10; second++) {
      assertEquals(Optional.empty(), look(second), "second " + second);
    }
    assertEquals(Optional.of(CloseReason.SLOW_SENDER), look(11));
  }

  @Test
  void frameThatTakesASecondIsTooSlowWhereItIsInTheWay() {
    shouldHurry = true;
    receive(100);
    assertEquals(Optional.empty(), look(1));
    assertFalse(watch.isFrameSlow());
    receive(LEAST_BYTES);
    assertEquals(Optional.of(CloseReason.SLOW_SENDER), look(2));
    assertTrue(watch.isFrameSlow());
    contended = false;
    assertEquals(Optional.empty(), look(3));
    shouldHurry = false;
    contended = true;
    receive(LEAST_BYTES);
    assertEquals(Optional.empty(), look(4));
  }
}
