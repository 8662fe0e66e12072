package io.minikafka.net;

import io.minikafka.broker.BufferPool;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of all connections together: frames that came in and are not answered, and answers
 * that are not taken. Any thread.
 *
 * <p>A frame's room is reserved as a whole before its first byte is kept, so a frame that was begun
 * can always be finished; who finds no room waits, first come, first served. Answers are never
 * refused: they count, and so keep new frames out.
 */
public final class NetMemory implements BufferPool {
  /** One answer may always take so much. */
  static final int LEAST_ROOM_BYTES = 64 << 10;

  /** One answer may take this part of what is free, so that there is always something left. */
  private static final int SHARE = 8;

  private final long limitBytes;
  private final AtomicLong used = new AtomicLong();

  // Guarded by itself.
  private final Queue<Reservation> waiting = new ArrayDeque<>();

  /** Written under the lock of {@link #waiting}. */
  private volatile boolean somebodyWaits;

  public NetMemory(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** Room for a frame: granted, or to be granted, or given up. */
  static final class Reservation {
    private final long bytes;
    private final Runnable onGranted;

    // Guarded by the memory's queue.
    private boolean granted;
    private boolean cancelled;

    Reservation(long bytes, Runnable onGranted) {
      this.bytes = bytes;
      this.onGranted = onGranted;
    }
  }

  /** Bytes in use now. */
  public long usedBytes() {
    return used.get();
  }

  /** So little is free that copies should be avoided. */
  boolean isShort() {
    return used.get() > limitBytes / 2;
  }

  /** Reserves at once, unless there is no room or somebody waits for some. */
  boolean tryReserve(long bytes) {
    return !somebodyWaits && take(bytes, limitBytes);
  }

  /**
   * Reserves as soon as there is room.
   *
   * @param onGranted called once, on any thread, possibly before this returns
   */
  Reservation reserve(long bytes, Runnable onGranted) {
    Reservation reservation = new Reservation(bytes, onGranted);
    synchronized (waiting) {
      waiting.add(reservation);
      somebodyWaits = true;
    }
    // What was released before the flag was seen is found now.
    grant();
    return reservation;
  }

  /** The one who reserved is gone: gives back what was granted, or never will be. */
  void cancel(Reservation reservation) {
    boolean giveBack;
    synchronized (waiting) {
      giveBack = reservation.granted && !reservation.cancelled;
      reservation.cancelled = true;
    }
    if (giveBack) {
      release(reservation.bytes);
    } else {
      // It may have stood in the way of one that fits.
      grant();
    }
  }

  /** Counts memory that is taken whether there is room or not. */
  void add(long bytes) {
    used.addAndGet(bytes);
  }

  void release(long bytes) {
    used.addAndGet(-bytes);
    if (somebodyWaits) {
      grant();
    }
  }

  private void grant() {
    while (true) {
      Reservation next;
      synchronized (waiting) {
        next = waiting.peek();
        if (next == null) {
          somebodyWaits = false;
          return;
        }
        if (next.cancelled) {
          waiting.remove();
          continue;
        }
        if (!take(next.bytes, limitBytes)) {
          return;
        }
        waiting.remove();
        next.granted = true;
      }
      next.onGranted.run();
    }
  }

  private boolean take(long bytes, long limit) {
    while (true) {
      long now = used.get();
      if (!fits(now, bytes, limit)) {
        return false;
      }
      if (used.compareAndSet(now, now + bytes)) {
        return true;
      }
    }
  }

  /**
   * Whether there is room for so many bytes. While little is in use there always is, or a single
   * frame larger than the limit could never be served.
   */
  static boolean fits(long used, long bytes, long limit) {
    return used + bytes <= limit || used <= limit / 16;
  }

  @Override
  public int room() {
    long share = (limitBytes - used.get()) / SHARE;
    return (int) Math.max(LEAST_ROOM_BYTES, Math.min(share, Integer.MAX_VALUE));
  }

  @Override
  public Loan take(int bytes) {
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(bytes, bytes);
    add(bytes);
    return new PooledLoan(this, buffer.writerIndex(bytes), bytes);
  }

  /** Pooled memory on loan. */
  static final class PooledLoan implements Loan {
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
        memory.release(counted);
      }
    }
  }
}
