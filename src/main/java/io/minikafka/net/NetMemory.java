package io.minikafka.net;

import io.minikafka.broker.BufferPool;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The memory of all connections together: frames that came in and are not answered, and answers
 * that are not taken. Any thread.
 *
 * <p>A frame has room reserved as its bytes come: what is only announced takes none. Who finds no
 * room waits, first come, first served, frames that were begun before new ones. So that frames that
 * were begun cannot wait for each other for ever, one of them at a time may go beyond the limit, by
 * at most one frame; it ends when that frame is whole or its connection closed, and a client that
 * stands still while others wait is closed soon ({@link #isContended}). Answers are never refused:
 * they count, and so keep frames out.
 */
public final class NetMemory implements BufferPool {
  /** One answer may always take so much. */
  static final int LEAST_ROOM_BYTES = 64 << 10;

  /** One answer may take this part of what is free, so that there is always something left. */
  private static final int SHARE = 8;

  /** Chunks of the pool, of 4 MiB, in which little is in use: of each event loop some. */
  private static final long POOLING_BYTES = 32 << 20;

  private final long limitBytes;
  private final AtomicLong used = new AtomicLong();

  private final Object lock = new Object();

  // Guarded by lock: those who wait, in the order they came; who gives up is taken out at once.
  private final SequencedSet<Reservation> begun = new LinkedHashSet<>();
  private final SequencedSet<Reservation> fresh = new LinkedHashSet<>();

  /** The frame that may go beyond the limit. */
  private @Nullable Object overdrawing;

  // Written under lock.
  private volatile boolean somebodyWaits;
  private volatile boolean somebodyGrows;
  private volatile boolean somebodyOverdraws;

  /**
   * What this process can bear: a quarter of the memory outside the heap that Netty may take beyond
   * what its pool needs in any case. The rest is for one frame beyond the limit, for answers, and
   * for what pooling leaves unused.
   */
  public static long affordableBytes() {
    long most = PlatformDependent.maxDirectMemory();
    return Math.max(most / 16, (most - POOLING_BYTES) / 4);
  }

  public NetMemory(long limitBytes) {
    this.limitBytes = limitBytes;
  }

  /** Room for a frame: granted, or to be granted, or given up. */
  static final class Reservation {
    /** The frame that grows; null for a new one. */
    private final @Nullable Object grower;

    private final long bytes;
    private final Runnable onGranted;

    // Guarded by the memory's lock.
    private boolean granted;
    private boolean cancelled;

    Reservation(@Nullable Object grower, long bytes, Runnable onGranted) {
      this.grower = grower;
      this.bytes = bytes;
      this.onGranted = onGranted;
    }

    long bytes() {
      return bytes;
    }
  }

  /** Bytes in use now. */
  public long usedBytes() {
    return used.get();
  }

  /** How many wait for room. */
  int waiting() {
    synchronized (lock) {
      return begun.size() + fresh.size();
    }
  }

  /** So little is free that copies should be avoided. */
  boolean isShort() {
    return used.get() > limitBytes / 2;
  }

  /** So little is in use that a frame may begin with a large buffer. */
  boolean isRoomy() {
    return used.get() < limitBytes / 4;
  }

  /** So many bytes are a small part of what is free, and nobody waits for any. */
  boolean hasPlentyFor(long bytes) {
    return !somebodyWaits && bytes <= (limitBytes - used.get()) / SHARE;
  }

  /** Somebody waits for room. */
  boolean isContended() {
    return somebodyWaits;
  }

  /** Reserves at once, unless there is no room or somebody waits for some. */
  boolean tryReserve(long bytes) {
    return !somebodyWaits && take(bytes, limitBytes);
  }

  /**
   * The same for a frame that was begun: only others like it go before.
   *
   * @param frame the same object until {@link #frameEnded}
   */
  boolean tryGrow(Object frame, long bytes) {
    return (!somebodyGrows && take(bytes, limitBytes)) || growsBeyond(frame, bytes);
  }

  /** Who goes beyond the limit waits for nobody: all others may be waiting for it. */
  private boolean growsBeyond(Object frame, long bytes) {
    if (!somebodyOverdraws) {
      return false;
    }
    synchronized (lock) {
      if (overdrawing != frame) {
        return false;
      }
    }
    add(bytes);
    return true;
  }

  /**
   * Reserves as soon as there is room.
   *
   * @param onGranted called once, on any thread, possibly before this returns
   */
  Reservation reserve(long bytes, Runnable onGranted) {
    return enqueue(fresh, new Reservation(null, bytes, onGranted));
  }

  /** The same for a frame that was begun. */
  Reservation growLater(Object frame, long bytes, Runnable onGranted) {
    return enqueue(begun, new Reservation(frame, bytes, onGranted));
  }

  private Reservation enqueue(SequencedSet<Reservation> queue, Reservation reservation) {
    synchronized (lock) {
      queue.add(reservation);
      somebodyWaits = true;
      somebodyGrows |= reservation.grower != null;
    }
    // What was released before the flag was seen is found now.
    grant();
    return reservation;
  }

  /** A frame is whole, or its connection is closed: it grows no more. */
  void frameEnded(Object frame) {
    if (!somebodyOverdraws) {
      return;
    }
    synchronized (lock) {
      if (overdrawing != frame) {
        return;
      }
      overdrawing = null;
      somebodyOverdraws = false;
    }
    grant();
  }

  /** The one who reserved is gone: gives back what was granted, or never will be. */
  void cancel(Reservation reservation) {
    boolean giveBack;
    synchronized (lock) {
      giveBack = reservation.granted && !reservation.cancelled;
      reservation.cancelled = true;
      (reservation.grower == null ? fresh : begun).remove(reservation);
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
      synchronized (lock) {
        somebodyGrows = !begun.isEmpty();
        somebodyWaits = somebodyGrows || !fresh.isEmpty();
        if (!somebodyWaits) {
          return;
        }
        SequencedSet<Reservation> queue = somebodyGrows ? begun : fresh;
        next = queue.getFirst();
        if (!take(next.bytes, limitBytes) && !overdraw(next)) {
          return;
        }
        queue.removeFirst();
        next.granted = true;
      }
      next.onGranted.run();
    }
  }

  private boolean overdraw(Reservation next) {
    if (next.grower == null || overdrawing != null) {
      return false;
    }
    overdrawing = next.grower;
    somebodyOverdraws = true;
    add(next.bytes);
    return true;
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
