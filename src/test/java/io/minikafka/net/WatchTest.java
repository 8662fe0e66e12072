package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class WatchTest {
  private static final int LEAST_BYTES = 16 << 10;

  private final NetSettings settings = DataPortHarness.settings(100);
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final ChannelOutboundBuffer unsent = channel.unsafe().outboundBuffer();
  private final FrameDecoder decoder = new FrameDecoder(settings.maxFrameBytes(), new Open());
  private final Watch watch = new Watch(settings, decoder, 0);

  private long sentBytes;
  private long heldBytes = LEAST_BYTES;
  private boolean contended = true;

  /** Lets everything in. */
  private static final class Open implements FrameDecoder.Gate {
    @Override
    public int admit(int frameBytes, int hereBytes) {
      return frameBytes;
    }

    @Override
    public boolean grow(int moreBytes) {
      return true;
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
    channel.finishAndReleaseAll();
  }

  private void answer(int bytes) {
    unsent.addMessage(Unpooled.wrappedBuffer(new byte[bytes]), bytes, channel.newPromise());
    unsent.addFlush();
  }

  private Optional<CloseReason> look(int second) {
    return watch.look(
        TimeUnit.SECONDS.toNanos(second),
        new Watch.Seen(true, 1, unsent, sentBytes, heldBytes, contended));
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
}
