package io.minikafka.net;

import io.netty.channel.ChannelOutboundBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Whether a connection stands still. It is looked at now and then; between two looks with nothing
 * changed it stood still, so a limit is never applied too early and at most one look too late.
 * Costs the connection nothing while it works. On the event loop.
 */
final class Watch {
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

  Watch(long nowNanos) {
    idleSinceNanos = nowNanos;
  }

  /**
   * @param busy requests or answers are under way
   * @param requestCount counts up with each request
   */
  long idleNanos(boolean busy, long requestCount, long nowNanos) {
    if (busy || requestCount != seenRequests) {
      seenRequests = requestCount;
      idleSinceNanos = nowNanos;
    }
    return nowNanos - idleSinceNanos;
  }

  /**
   * @param frame number of the frame the client has begun and not ended; 0 for none
   */
  long unfinishedNanos(long frame, long nowNanos) {
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
  long pausedNanos(long frame, long receivedBytes, long nowNanos) {
    if (frame == 0 || receivedBytes != seenReceivedBytes) {
      seenReceivedBytes = receivedBytes;
      pausedSinceNanos = nowNanos;
    }
    return nowNanos - pausedSinceNanos;
  }

  /** How long the socket has taken nothing of what there is to send. */
  long unsentNanos(@Nullable ChannelOutboundBuffer buffer, long nowNanos) {
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
