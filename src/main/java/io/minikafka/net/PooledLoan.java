package io.minikafka.net;

import io.minikafka.broker.BufferPool;
import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.atomic.AtomicBoolean;

/** Pooled memory on loan, counted until it is released. Released on any thread. */
final class PooledLoan implements BufferPool.Loan {
  private final NetMemory memory;
  private final ByteBuf bytes;
  private final int counted;
  private final AtomicBoolean released = new AtomicBoolean();

  PooledLoan(NetMemory memory, ByteBuf bytes, int counted) {
    this.memory = memory;
    this.bytes = bytes;
    this.counted = counted;
  }

  /** The bytes themselves, to be sent; still owned by the loan. */
  ByteBuf bytes() {
    return bytes;
  }

  @Override
  public ByteBuffer buffer() {
    return bytes.nioBuffer(0, bytes.capacity()).order(ByteOrder.LITTLE_ENDIAN);
  }

  @Override
  public void cutTo(int length) {
    bytes.writerIndex(length);
  }

  @Override
  public int length() {
    return bytes.writerIndex();
  }

  @Override
  public void copyTo(ByteBuffer out) {
    out.put(bytes.nioBuffer(0, length()));
  }

  @Override
  public void release() {
    if (released.compareAndSet(false, true)) {
      bytes.release();
      memory.releaseAnswers(counted);
    }
  }
}
