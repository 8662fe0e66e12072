package io.minikafka.net;

import io.netty.channel.ChannelOutboundBuffer;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Whether a connection stands still. It is looked at now and then; between two looks with nothing
 * changed it stood still, so a limit is never applied too early and at most one look too late.
 * Costs the connection nothing while it works. On the event loop.
 */
final class Watch {
  /** While others wait for memory, a client may pause so long within a frame. */
  private static final long PAUSE_MS = 1000;

  private final NetSettings settings;
  private final FrameDecoder decoder;

  private long seenRequests;
  private long idleSinceNanos;

  private long seenFrame;
  private long frameSinceNanos;

  private long seenReceivedBytes;
  private long pausedSinceNanos;

  private @Nullable Object seenPart;
  private long seenProgress;
  private long seenPendingBytes;
  private long sendingSinceNanos;

  Watch(NetSettings settings, FrameDecoder decoder, long nowNanos) {
    this.settings = settings;
    this.decoder = decoder;
    idleSinceNanos = nowNanos;
  }

  /**
   * Why the connection should be closed; empty if it should not.
   *
   * @param busy see {@link #idleNanos}
   * @param requestCount see {@link #idleNanos}
   * @param unsent what the socket has not taken
   * @param memoryContended others wait for memory
   */
  Optional<CloseReason> look(
      long nowNanos,
      boolean busy,
      long requestCount,
      @Nullable ChannelOutboundBuffer unsent,
      boolean memoryContended) {
    long frame = decoder.unfinishedFrame();
    long idle = idleNanos(busy, requestCount, nowNanos);
    if (settings.idleTimeoutMs() > 0 && idle >= nanos(settings.idleTimeoutMs())) {
      return Optional.of(CloseReason.IDLE);
    }
    if (unfinishedNanos(frame, nowNanos) >= nanos(settings.frameTimeoutMs())) {
      return Optional.of(CloseReason.FRAME_TIMEOUT);
    }
    if (pausedNanos(frame, decoder.receivedBytes(), nowNanos) >= nanos(PAUSE_MS)
        && memoryContended) {
      return Optional.of(CloseReason.PAUSED);
    }
    return unsentNanos(unsent, nowNanos) >= nanos(settings.sendTimeoutMs())
        ? Optional.of(CloseReason.SEND_TIMEOUT)
        : Optional.empty();
  }

  private static long nanos(long ms) {
    return TimeUnit.MILLISECONDS.toNanos(ms);
  }

  /**
   * @param busy requests or answers are under way
   * @param requestCount counts up with each request
   */
  private long idleNanos(boolean busy, long requestCount, long nowNanos) {
    if (busy || requestCount != seenRequests) {
      seenRequests = requestCount;
      idleSinceNanos = nowNanos;
    }
    return nowNanos - idleSinceNanos;
  }

  /**
   * @param frame number of the frame the client has begun and not ended; 0 for none
   */
  private long unfinishedNanos(long frame, long nowNanos) {
    if (frame == 0 || frame != seenFrame) {
      seenFrame = frame;
      frameSinceNanos = nowNanos;
    }
    return nowNanos - frameSinceNanos;
  }

  /**
   * How long nothing has come of a frame that was begun.
   *
   * @param frame see {@link #unfinishedNanos}
   * @param receivedBytes counts up with each byte
   */
  private long pausedNanos(long frame, long receivedBytes, long nowNanos) {
    if (frame == 0 || receivedBytes != seenReceivedBytes) {
      seenReceivedBytes = receivedBytes;
      pausedSinceNanos = nowNanos;
    }
    return nowNanos - pausedSinceNanos;
  }

  /** How long the socket has taken nothing of what there is to send. */
  private long unsentNanos(@Nullable ChannelOutboundBuffer buffer, long nowNanos) {
    if (buffer == null || buffer.isEmpty()) {
      seenPart = null;
      sendingSinceNanos = nowNanos;
      return 0;
    }
    Object part = buffer.current();
    long progress = buffer.currentProgress();
    long pendingBytes = buffer.totalPendingWriteBytes();
    if (part != seenPart || progress != seenProgress || pendingBytes < seenPendingBytes) {
      sendingSinceNanos = nowNanos;
    }
    seenPart = part;
    seenProgress = progress;
    seenPendingBytes = pendingBytes;
    return nowNanos - sendingSinceNanos;
  }
}
