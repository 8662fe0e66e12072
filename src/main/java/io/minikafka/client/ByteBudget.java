package io.minikafka.client;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The bytes a producer may hold. Any thread; who waits is served in the order they came, so a large
 * record is not starved by small ones.
 */
final class ByteBudget {
  private final int limitBytes;
  private final boolean blocking;
  private final int maxBlockMs;
  private final Runnable onShort;
  private final Semaphore free;

  /**
   * @param onShort called by who is about to wait: send what lies in half-full batches
   */
  ByteBudget(int limitBytes, boolean blocking, int maxBlockMs, Runnable onShort) {
    this.limitBytes = limitBytes;
    this.blocking = blocking;
    this.maxBlockMs = maxBlockMs;
    this.onShort = onShort;
    this.free = new Semaphore(limitBytes, true);
  }

  /**
   * Takes so many bytes.
   *
   * @throws BufferFullException if there is no room, or none in time
   * @throws NotSentException if interrupted while waiting; the interrupt stays set
   */
  void take(long bytes) {
    if (bytes > limitBytes) {
      throw new BufferFullException(
          "a record of %d bytes; maxBufferedBytes is %d".formatted(bytes, limitBytes), null);
    }
    // Without a queue barging takes nobody's place.
    if (!free.hasQueuedThreads() && free.tryAcquire((int) bytes)) {
      return;
    }
    onShort.run();
    try {
      boolean taken =
          blocking
              ? free.tryAcquire((int) bytes, maxBlockMs, TimeUnit.MILLISECONDS)
              : free.tryAcquire((int) bytes);
      if (!taken) {
        throw new BufferFullException(
            "%d bytes are waiting to be sent or answered; maxBufferedBytes is %d%s"
                .formatted(
                    limitBytes - free.availablePermits(),
                    limitBytes,
                    blocking ? ", and none became free within %d ms".formatted(maxBlockMs) : ""),
            null);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new NotSentException("interrupted while waiting for memory", e);
    }
  }

  void giveBack(long bytes) {
    free.release((int) bytes);
  }

  long usedBytes() {
    return limitBytes - free.availablePermits();
  }
}
