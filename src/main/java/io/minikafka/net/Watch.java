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
  /** While others wait for memory, a client may be slow for so long. */
  private static final long SLOW_MS = 1000;

  /**
   * While others wait for memory, a frame is whole after so long, also if it had to wait itself: or
   * those that will never be whole could wait in each other's shadow.
   */
  private static final long FRAME_MS = 10_000;

  /** Who gives or takes less in that time is slow; who holds less is in nobody's way. */
  private static final long LEAST_BYTES = 16 << 10;

  private final NetSettings settings;
  private final FrameDecoder decoder;

  private long seenRequests;
  private long idleSinceNanos;

  private long seenFrame;
  private long frameSinceNanos;

  private long slowFrame;

  private long admittedFrame;
  private long admittedSinceNanos;

  private long slowReceivedBytes;
  private long pausedSinceNanos;

  private @Nullable Object seenPart;
  private long seenProgress;
  private long seenPendingBytes;
  private long sendingSinceNanos;

  private boolean sending;
  private long slowTakenBytes;
  private long slowSinceNanos;

  /**
   * What is seen of a connection.
   *
   * @param busy requests or answers are under way
   * @param requestCount counts up with each request
   * @param unsent what the socket has not taken
   * @param sentBytes counts up with what it has taken, but for the part it is at
   * @param heldBytes of memory, for requests and answers
   * @param memoryContended others wait for memory
   * @param shouldHurry a frame that comes slowly is in their way
   */
  record Seen(
      boolean busy,
      long requestCount,
      @Nullable ChannelOutboundBuffer unsent,
      long sentBytes,
      long heldBytes,
      boolean memoryContended,
      boolean shouldHurry) {}

  Watch(NetSettings settings, FrameDecoder decoder, long nowNanos) {
    this.settings = settings;
    this.decoder = decoder;
    idleSinceNanos = nowNanos;
  }

  /** Why the connection should be closed; empty if it should not. */
  Optional<CloseReason> look(long nowNanos, Seen seen) {
    long frame = decoder.unfinishedFrame();
    long idle = idleNanos(seen.busy, seen.requestCount, nowNanos);
    long unfinished = unfinishedNanos(frame, nowNanos);
    long inside = admittedNanos(decoder.admittedFrame(), nowNanos);
    slowFrame = unfinished >= nanos(SLOW_MS) ? frame : slowFrame;
    long paused = pausedNanos(unfinished, decoder.receivedBytes(), nowNanos);
    long unsent = unsentNanos(seen.unsent, nowNanos);
    long slow = slowNanos(seen.unsent, seen.sentBytes, nowNanos);
    if (settings.idleTimeoutMs() > 0 && idle >= nanos(settings.idleTimeoutMs())) {
      return Optional.of(CloseReason.IDLE);
    }
    if (unfinished >= nanos(settings.frameTimeoutMs())) {
      return Optional.of(CloseReason.FRAME_TIMEOUT);
    }
    if (unsent >= nanos(settings.sendTimeoutMs())) {
      return Optional.of(CloseReason.SEND_TIMEOUT);
    }
    if (!seen.memoryContended) {
      return Optional.empty();
    }
    if (paused >= nanos(SLOW_MS)) {
      return Optional.of(CloseReason.PAUSED);
    }
    if (inside >= nanos(FRAME_MS) || (seen.shouldHurry && isFrameSlow())) {
      return Optional.of(CloseReason.SLOW_SENDER);
    }
    return seen.heldBytes >= LEAST_BYTES && slow >= nanos(SLOW_MS)
        ? Optional.of(CloseReason.SLOW_READER)
        : Optional.empty();
  }

  /** Whether the frame that is coming in has taken longer than a second of its client's time. */
  boolean isFrameSlow() {
    return decoder.admittedFrame() != 0 && decoder.admittedFrame() == slowFrame;
  }

  private static long nanos(long ms) {
    return TimeUnit.MILLISECONDS.toNanos(ms);
  }

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
   * How long a frame has been let in and not become whole.
   *
   * @param frame its number; 0 for none
   */
  private long admittedNanos(long frame, long nowNanos) {
    if (frame == 0 || frame != admittedFrame) {
      admittedFrame = frame;
      admittedSinceNanos = nowNanos;
    }
    return nowNanos - admittedSinceNanos;
  }

  /**
   * How long next to nothing has come of a frame that was begun.
   *
   * @param unfinishedNanos see there; 0 where there is none, or another than before
   * @param receivedBytes counts up with each byte
   */
  private long pausedNanos(long unfinishedNanos, long receivedBytes, long nowNanos) {
    if (unfinishedNanos == 0 || receivedBytes - slowReceivedBytes >= LEAST_BYTES) {
      slowReceivedBytes = receivedBytes;
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

  /** How long the socket has taken next to nothing of what there is to send. */
  private long slowNanos(@Nullable ChannelOutboundBuffer buffer, long sentBytes, long nowNanos) {
    if (buffer == null || buffer.isEmpty()) {
      sending = false;
      return 0;
    }
    long taken = sentBytes + buffer.currentProgress();
    if (!sending || taken - slowTakenBytes >= LEAST_BYTES) {
      sending = true;
      slowTakenBytes = taken;
      slowSinceNanos = nowNanos;
    }
    return nowNanos - slowSinceNanos;
  }
}
