package io.minikafka.bench;

import io.minikafka.client.ServerAddress;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads a partition from its begin, again and again, at no more than a given rate, and has the
 * partition taken out of the page cache before and all the while. Has a thread and a connection of
 * its own from {@link #start} to {@link #close}, which tells what ended it before its time.
 */
final class OldReader implements AutoCloseable {
  private static final int FETCH_BYTES = 1 << 20;

  /**
   * Read between two times that the cache is dropped. Little: to drop much at once takes a
   * processor for a millisecond, which is none of the broker's doing.
   */
  private static final int DROP_EVERY_BYTES = 1 << 20;

  private static final long READS_LIMIT_S = 60;

  private final RawLink link;
  private final Lane lane;
  private final long endOffset;
  private final double bytesPerNano;
  private final Drop drop;
  private final Thread thread;
  private final CountDownLatch reads = new CountDownLatch(1);
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  private volatile boolean isOver;

  /** Written by the thread alone. */
  private volatile long readBytes;

  private volatile long readNanos;

  /** Takes what is read out of the page cache. */
  interface Drop {
    void drop() throws IOException;
  }

  private OldReader(RawLink link, Lane lane, long endOffset, int megabytesPerSecond, Drop drop) {
    this.link = link;
    this.lane = lane;
    this.endOffset = endOffset;
    this.bytesPerNano = megabytesPerSecond / 1e3;
    this.drop = drop;
    this.thread = Thread.ofPlatform().daemon().name("bench-old-reader").unstarted(this::run);
  }

  /** Comes back when it reads. */
  static OldReader start(
      ServerAddress server, Lane lane, long endOffset, int megabytesPerSecond, Drop drop)
      throws IOException, InterruptedException {
    OldReader reader =
        new OldReader(RawLink.connect(server), lane, endOffset, megabytesPerSecond, drop);
    reader.thread.start();
    boolean began = reader.reads.await(READS_LIMIT_S, TimeUnit.SECONDS);
    if (!began || reader.failure.get() != null) {
      reader.close();
      throw new IOException("no old data came within %d s".formatted(READS_LIMIT_S));
    }
    return reader;
  }

  private void run() {
    try {
      drop.drop();
      long began = System.nanoTime();
      long offset = 0;
      long bytes = 0;
      long dropped = 0;
      while (!isOver) {
        link.write(RawConsume.request(lane, offset, FETCH_BYTES, RawConsume.MAX_WAIT_MS));
        ByteBuffer entries = RawConsume.entries(link.answer());
        bytes += entries.remaining();
        offset = RawConsume.nextOffset(entries);
        if (offset >= endOffset) {
          offset = 0;
        }
        readBytes = bytes;
        readNanos = System.nanoTime() - began;
        reads.countDown();
        if (bytes - dropped >= DROP_EVERY_BYTES || offset == 0) {
          drop.drop();
          dropped = bytes;
        }
        waitUntil(began + (long) (bytes / bytesPerNano));
      }
    } catch (IOException | RuntimeException e) {
      failure.set(e);
      reads.countDown();
    }
  }

  private void waitUntil(long nanos) {
    for (long left = nanos - System.nanoTime();
        left > 0 && !isOver;
        left = nanos - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  long readBytes() {
    return readBytes;
  }

  long readNanos() {
    return readNanos;
  }

  @Override
  public void close() throws IOException, InterruptedException {
    isOver = true;
    LockSupport.unpark(thread);
    thread.join();
    link.close();
    Exception why = failure.get();
    if (why != null) {
      throw new IOException("old data could not be read: " + why.getMessage(), why);
    }
  }
}
