package io.minikafka.broker;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Plain memory that counts what is lent, and insists on getting it back once. Any thread. */
public final class HeapPool implements BufferPool {
  public final AtomicInteger lent = new AtomicInteger();
  public volatile int room = 1 << 20;

  @Override
  public int room() {
    return room;
  }

  @Override
  public Loan take(int bytes) {
    lent.incrementAndGet();
    return new HeapLoan(ByteBuffer.allocate(bytes));
  }

  private final class HeapLoan implements Loan {
    private final ByteBuffer bytes;
    private final AtomicBoolean released = new AtomicBoolean();
    private volatile int length;

    HeapLoan(ByteBuffer bytes) {
      this.bytes = bytes;
      this.length = bytes.capacity();
    }

    @Override
    public ByteBuffer buffer() {
      return bytes.duplicate().clear().order(ByteOrder.LITTLE_ENDIAN);
    }

    @Override
    public void cutTo(int shorter) {
      length = shorter;
    }

    @Override
    public int length() {
      return length;
    }

    @Override
    public void copyTo(ByteBuffer out) {
      if (released.get()) {
        throw new AssertionError("used after it was released");
      }
      out.put(bytes.duplicate().clear().limit(length));
    }

    @Override
    public void release() {
      if (!released.compareAndSet(false, true)) {
        throw new AssertionError("released twice");
      }
      lent.decrementAndGet();
    }
  }
}
