package io.minikafka.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * Where a connection's socket is read into: the rest of a large frame straight into the frame's own
 * buffer, all else into a buffer that grows with what comes. Copying a large frame once more would
 * cost as much as its checksums. On the connection's event loop.
 */
final class FrameReads implements RecvByteBufAllocator {
  /**
   * Large reads: a system call and a wake-up for each 64 KiB would cost half the throughput of
   * small frames.
   */
  private static final int LEAST_BYTES = 64 << 10;

  private static final int FIRST_BYTES = 256 << 10;
  private static final int MOST_BYTES = 1 << 20;

  /** Then other connections have their turn, and what came is written. */
  private static final int READS_PER_BURST = 4;

  /**
   * Behind a large frame another is likely, of which little is to be copied. And where memory is
   * short what comes may be held, which nobody counts.
   */
  private static final int LITTLE_BYTES = 16 << 10;

  /** Where others wait it will be held, of as many connections as there may be. */
  private static final int LEAST_HELD_BYTES = 1 << 10;

  private final RecvByteBufAllocator anywhere =
      new AdaptiveRecvByteBufAllocator(LEAST_BYTES, FIRST_BYTES, MOST_BYTES)
          .maxMessagesPerRead(READS_PER_BURST);

  private final FrameDecoder decoder;

  FrameReads(FrameDecoder decoder) {
    this.decoder = decoder;
  }

  @Override
  @SuppressWarnings("deprecation") // Netty asks for handles in no other way.
  public Handle newHandle() {
    return new Reading((ExtendedHandle) anywhere.newHandle());
  }

  private final class Reading extends DelegatingHandle implements ExtendedHandle {
    private final ExtendedHandle handle;

    Reading(ExtendedHandle handle) {
      super(handle);
      this.handle = handle;
    }

    @Override
    public ByteBuf allocate(ByteBufAllocator allocator) {
      ByteBuf rest = decoder.restOfLargeFrame();
      if (rest != null) {
        return rest;
      }
      if (decoder.othersWait()) {
        return allocator.ioBuffer(LEAST_HELD_BYTES);
      }
      return decoder.lastWasLarge() || decoder.isMemoryShort()
          ? allocator.ioBuffer(LITTLE_BYTES)
          : handle.allocate(allocator);
    }

    @Override
    public boolean continueReading(UncheckedBooleanSupplier maybeMoreData) {
      return handle.continueReading(maybeMoreData);
    }
  }
}
