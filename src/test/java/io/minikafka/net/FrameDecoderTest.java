package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.it.BufferLeaks;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(BufferLeaks.class)
class FrameDecoderTest {
  private static final int MAX_FRAME_BYTES = 16 << 20;

  private final HandGate gate = new HandGate();
  private final FrameDecoder decoder = new FrameDecoder(MAX_FRAME_BYTES, gate);
  private final EmbeddedChannel channel = new EmbeddedChannel(decoder);

  private static final class HandGate implements FrameDecoder.Gate {
    final List<Integer> asked = new ArrayList<>();
    final List<Integer> bad = new ArrayList<>();
    boolean open = true;
    boolean mayGrow = true;
    int firstBytes = 256 << 10;
    long grown;
    int steps;
    boolean plenty;
    boolean othersWait;
    int gone;
    private boolean one;

    void letInOne() {
      one = true;
    }

    @Override
    public int admit(int frameBytes, int hereBytes) {
      asked.add(frameBytes);
      boolean admitted = open || one;
      one = false;
      return admitted ? Math.min(frameBytes, firstBytes) : 0;
    }

    @Override
    public boolean grow(int moreBytes) {
      grown += mayGrow ? moreBytes : 0;
      steps++;
      return mayGrow;
    }

    @Override
    public boolean hasPlentyFor(int moreBytes) {
      return plenty;
    }

    @Override
    public boolean isMemoryShort() {
      return !plenty;
    }

    @Override
    public boolean othersWait() {
      return othersWait;
    }

    @Override
    public void clientGone() {
      gone++;
    }

    @Override
    public void badLength(int frameBytes) {
      bad.add(frameBytes);
    }
  }

  private static byte[] frame(byte[] content) {
    return Wire.concat(Wire.body().u32(content.length).bytes(), content);
  }

  private void feed(byte[] bytes) {
    channel.writeInbound(channel.alloc().directBuffer().writeBytes(bytes));
  }

  private ByteBuf rest() {
    return Objects.requireNonNull(decoder.restOfLargeFrame());
  }

  /** The next frame's bytes; none if there is no frame. */
  private byte[] next() {
    ByteBuf frame = channel.readInbound();
    if (frame == null) {
      return new byte[0];
    }
    assertEquals(FrameDecoder.HEADROOM_BYTES, frame.readerIndex());
    byte[] content = new byte[frame.readableBytes()];
    frame.readBytes(content).release();
    return content;
  }

  @Test
  void aFrameThatMayNotGrowIsHeldAndGoesOnWhenItMay() {
    byte[] content = new byte[100_000];
    new Random(1).nextBytes(content);
    byte[] sent = frame(content);
    gate.firstBytes = 1000;
    gate.mayGrow = false;

    feed(Arrays.copyOf(sent, 60_000));
    assertTrue(decoder.isHeld());
    assertFalse(channel.config().isAutoRead());
    feed(Arrays.copyOfRange(sent, 60_000, sent.length));
    gate.mayGrow = true;
    decoder.resume();

    assertArrayEquals(content, next());
    assertEquals(99_000, gate.grown);
    assertTrue(channel.config().isAutoRead());
  }

  @Test
  void framesComeOutAsTheyWentInHoweverTheyAreCut() {
    Long only = Long.getLong("seed");
    long base = only == null ? System.nanoTime() : only;
    for (int round = 0; round < (only == null ? 60 : 1); round++) {
      Random random = new Random(base + round);
      List<byte[]> frames = new ArrayList<>();
      byte[][] all = new byte[1 + random.nextInt(20)][];
      for (int i = 0; i < all.length; i++) {
        int bytes = random.nextInt(10) == 0 ? random.nextInt(1 << 20) : random.nextInt(300);
        byte[] content = new byte[6 + bytes];
        random.nextBytes(content);
        frames.add(content);
        all[i] = frame(content);
      }
      byte[] stream = Wire.concat(all);
      int most = 1 + random.nextInt(random.nextBoolean() ? 20 : 200_000);
      if (stream.length / most > 500) {
        most = stream.length / 500;
      }
      for (int at = 0; at < stream.length; ) {
        ByteBuf into = random.nextInt(4) == 0 ? null : decoder.restOfLargeFrame();
        ByteBuf read = into == null ? channel.alloc().directBuffer(most) : into;
        int bytes = Math.min(1 + random.nextInt(most), stream.length - at);
        read.writeBytes(stream, at, Math.min(bytes, read.writableBytes()));
        at += read.readableBytes();
        channel.writeInbound(read);
      }
      for (byte[] content : frames) {
        assertArrayEquals(content, next(), "replay with -Dseed=" + (base + round));
      }
      assertEquals(0, next().length);
      assertEquals(0, decoder.unfinishedFrame());
    }
  }

  /** Whoever reads has no room for anything else there. */
  @Test
  void theRestOfALargeFrameIsReadIntoTheFrameAndNoFurther() {
    byte[] content = new byte[100_000];
    new Random(1).nextBytes(content);
    byte[] sent = frame(content);
    assertNull(decoder.restOfLargeFrame());
    feed(Arrays.copyOf(sent, 10_000));

    ByteBuf rest = rest();
    assertEquals(sent.length - 10_000, rest.writableBytes());
    assertEquals(rest.capacity(), rest.maxCapacity());
    rest.writeBytes(sent, 10_000, rest.writableBytes());
    channel.writeInbound(rest);

    assertArrayEquals(content, next());
    assertNull(decoder.restOfLargeFrame());
    assertTrue(decoder.lastWasLarge());
    feed(frame(new byte[10]));
    assertFalse(decoder.lastWasLarge());
    next();
  }

  @Test
  void littleIsNotWorthAReadOfItsOwn() {
    byte[] sent = frame(new byte[100_000]);
    feed(Arrays.copyOf(sent, sent.length - FrameDecoder.LARGE_BYTES + 1));
    assertNull(decoder.restOfLargeFrame());
    feed(new byte[FrameDecoder.LARGE_BYTES - 1]);
    assertEquals(100_000, next().length);
  }

  @Test
  void aFrameThatMayNotGrowIsNotReadInto() {
    byte[] sent = frame(new byte[100_000]);
    gate.firstBytes = 1000;
    gate.mayGrow = false;
    feed(Arrays.copyOf(sent, 1004));
    assertNull(decoder.restOfLargeFrame());
    assertFalse(decoder.isHeld(), "nothing has come that there is no room for");

    feed(Arrays.copyOfRange(sent, 1004, 5000));
    assertTrue(decoder.isHeld());
    gate.mayGrow = true;
    decoder.resume();
    feed(Arrays.copyOfRange(sent, 5000, sent.length));
    assertEquals(100_000, next().length);
  }

  /** Else a client that sends no more would be told of as one that is held back. */
  @Test
  void roomForAReadThatMayBringNothingIsNotAskedFor() {
    gate.firstBytes = 1000;
    feed(Arrays.copyOf(frame(new byte[100_000]), 1004));

    assertNull(decoder.restOfLargeFrame());
    assertEquals(0, gate.grown);
    decoder.end();
  }

  @Test
  void aReadOfNothingAndAnEndInTheMidstOfOneLoseNoMemory() {
    byte[] sent = frame(new byte[100_000]);
    feed(Arrays.copyOf(sent, 1000));
    rest().release();
    ByteBuf rest = rest();
    rest.writeZero(10);
    decoder.end();
    channel.writeInbound(rest);
    assertNull(decoder.restOfLargeFrame());
    // What was lost is found after the last test.
  }

  @Test
  void impossibleLengthsEndItWithoutAskingTheGate() {
    for (int length : new int[] {0, 5, MAX_FRAME_BYTES + 1, Integer.MAX_VALUE, -1}) {
      HandGate asked = new HandGate();
      EmbeddedChannel other = new EmbeddedChannel(new FrameDecoder(MAX_FRAME_BYTES, asked));
      byte[] bytes = Wire.concat(Wire.body().u32(length).bytes(), new byte[100]);
      other.writeInbound(Unpooled.copiedBuffer(bytes));
      other.writeInbound(Unpooled.copiedBuffer(frame(new byte[10])));
      assertEquals(List.of(length), asked.bad);
      assertEquals(List.of(), asked.asked);
      assertTrue(other.inboundMessages().isEmpty());
    }
  }

  @Test
  void announcedBytesTakeNoMemoryUntilTheyCome() {
    UnpooledByteBufAllocator allocator = announceTheLargest();
    assertEquals(List.of(MAX_FRAME_BYTES), gate.asked);
    assertTrue(decoder.unfinishedFrame() > 0);
    assertEquals(0, allocator.metric().usedDirectMemory());
    feedAllWatching(allocator, 2.5);
    assertEquals(0, allocator.metric().usedDirectMemory());
  }

  @Test
  void whereMemoryIsPlentyAFrameGrowsInFewSteps() {
    gate.firstBytes = 2 << 20;
    gate.plenty = true;
    UnpooledByteBufAllocator allocator = announceTheLargest();
    feedAllWatching(allocator, 8);
    assertEquals(1, gate.steps);
    assertEquals(0, allocator.metric().usedDirectMemory());
  }

  /** Plenty is what there is now, and not what there was when the frame began. */
  @Test
  void whereMemoryIsPlentyNoMoreAFrameDoubles() {
    gate.firstBytes = 2 << 20;
    UnpooledByteBufAllocator allocator = announceTheLargest();
    feedAllWatching(allocator, 2.5);
    assertEquals(3, gate.steps);
  }

  /** What was asked for is what is counted, whatever there is by then. */
  @Test
  void aStepThatWasRefusedIsTheSameWhenItIsAllowed() {
    byte[] sent = frame(new byte[1 << 20]);
    gate.firstBytes = 64 << 10;
    gate.mayGrow = false;
    feed(Arrays.copyOf(sent, 100_000));
    gate.mayGrow = true;
    gate.plenty = true;
    decoder.resume();
    assertEquals(64 << 10, gate.grown, FrameDecoder.HEADROOM_BYTES);
    feed(Arrays.copyOfRange(sent, 100_000, sent.length));
    assertEquals(1 << 20, next().length);
  }

  /** Netty reads all there is from a client that has ended, whether reading is on or off. */
  @Test
  void whatAClientThatHasEndedSentIsNotHeldWithoutBound() {
    gate.open = false;
    byte[] sent = frame(new byte[300_000]);
    feed(Arrays.copyOf(sent, 1000));
    assertTrue(decoder.isHeld());
    feed(Arrays.copyOfRange(sent, 1000, 50_000));
    assertEquals(0, gate.gone);
    feed(Arrays.copyOfRange(sent, 50_000, 200_000));
    feed(Arrays.copyOfRange(sent, 200_000, sent.length));
    assertEquals(1, gate.gone);
    assertEquals(0, next().length);
  }

  private UnpooledByteBufAllocator announceTheLargest() {
    UnpooledByteBufAllocator allocator = new UnpooledByteBufAllocator(true);
    channel.config().setAllocator(allocator);
    channel.writeInbound(Unpooled.wrappedBuffer(Wire.body().u32(MAX_FRAME_BYTES).bytes()));
    return allocator;
  }

  private void feedAllWatching(UnpooledByteBufAllocator allocator, double mostForOneThatCame) {
    for (int came = 0; came < MAX_FRAME_BYTES; ) {
      int bytes = Math.min(100_000, MAX_FRAME_BYTES - came);
      channel.writeInbound(Unpooled.wrappedBuffer(new byte[bytes]));
      came += bytes;
      long used = allocator.metric().usedDirectMemory();
      double most =
          Math.max(gate.firstBytes, mostForOneThatCame * came) + FrameDecoder.HEADROOM_BYTES;
      assertTrue(used <= most, used + " bytes for " + came);
    }
    assertEquals(MAX_FRAME_BYTES, next().length);
  }

  @Test
  void closedGateHoldsWhatWasReadAndStopsReading() {
    gate.open = false;
    byte[] first = {1, 2, 3, 4, 5, 6};
    byte[] second = {7, 7, 7, 7, 7, 7, 7};
    feed(Wire.concat(frame(first), frame(second)));
    feed(frame(first));
    assertEquals(0, next().length);
    assertTrue(decoder.isHeld());
    assertEquals(0, decoder.unfinishedFrame(), "the client owes nothing");
    assertFalse(channel.config().isAutoRead());
    gate.open = true;
    decoder.resume();
    assertArrayEquals(first, next());
    assertArrayEquals(second, next());
    assertArrayEquals(first, next());
    assertTrue(channel.config().isAutoRead());
  }

  @Test
  void gateThatClosesAgainHoldsTheRestInOrder() {
    gate.open = false;
    byte[][] frames = new byte[10][];
    for (int i = 0; i < frames.length; i++) {
      frames[i] = new byte[] {(byte) i, 0, 0, 0, 0, 0};
      feed(java.util.Arrays.copyOf(frame(frames[i]), 7));
      feed(java.util.Arrays.copyOfRange(frame(frames[i]), 7, 10));
    }
    for (byte[] frame : frames) {
      gate.letInOne();
      decoder.resume();
      assertArrayEquals(frame, next());
      assertEquals(0, next().length);
    }
  }

  @Test
  void heldLengthIsAskedForAgain() {
    gate.open = false;
    feed(Wire.body().u32(6).bytes());
    assertTrue(decoder.isHeld());
    gate.open = true;
    decoder.resume();
    assertFalse(decoder.isHeld());
    feed(new byte[6]);
    assertEquals(6, next().length);
  }

  @Test
  void endDropsWhatIsHeldAndWhatComes() {
    feed(Wire.concat(Wire.body().u32(100).bytes(), new byte[50]));
    decoder.end();
    feed(new byte[200]);
    assertEquals(0, next().length);
    gate.open = false;
    FrameDecoder other = new FrameDecoder(MAX_FRAME_BYTES, gate);
    EmbeddedChannel held = new EmbeddedChannel(other);
    held.writeInbound(held.alloc().directBuffer().writeBytes(frame(new byte[10])));
    other.end();
    // What was lost is found after the last test.
  }

  @Test
  void whereOthersWaitLittleIsReadSinceItIsHeld() {
    RecvByteBufAllocator.Handle reads = new FrameReads(decoder).newHandle();
    gate.plenty = true;
    ByteBuf usual = reads.allocate(channel.alloc());
    gate.plenty = false;
    ByteBuf little = reads.allocate(channel.alloc());
    gate.othersWait = true;
    ByteBuf least = reads.allocate(channel.alloc());
    assertTrue(usual.capacity() >= 64 << 10);
    assertEquals(16 << 10, little.capacity());
    assertEquals(1 << 10, least.capacity());
    usual.release();
    little.release();
    least.release();
  }
}
