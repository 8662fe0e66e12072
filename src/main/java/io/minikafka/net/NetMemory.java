package io.minikafka.net;

import io.minikafka.broker.BufferPool;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.util.LinkedHashSet;
import java.util.SequencedSet;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The memory of all connections together: frames that came in and are not answered, and answers
 * that are not taken. Any thread.
 *
 * <p><b>Frames</b> have room reserved as their bytes come: what is only announced takes none. Who
 * finds no room waits, first come, first served, frames that were begun before new ones. Large ones
 * leave a part of the limit to small ones, which need not wait for them. So that frames cannot wait
 * for each other for ever, one of them at a time may go beyond the limit; then none does until what
 * it took is back within. So frames exceed the limit by one frame at most. A client that stands
 * still while others wait is closed soon ({@link #isContended}).
 *
 * <p><b>Answers</b> are never refused, but keep frames out of half of the limit at most: who takes
 * no answers must not stop those who produce. Where they are many, who has not taken what it was
 * answered is answered no more ({@link #hasManyAnswers}). What they take beyond the limit, of
 * clients without number, keeps frames out again.
 */
public final class NetMemory implements BufferPool {
  /** One answer may always take so much. */
  static final int LEAST_ROOM_BYTES = 64 << 10;

  /** One answer may take this part of what is free, so that there is always something left. */
  private static final int SHARE = 8;

  /** Large frames leave this part of the limit to small ones. */
  private static final int SMALL_SHARE = 8;

  /** Chunks of the pool, of 4 MiB, in which little is in use: of each event loop some. */
  private static final long POOLING_BYTES = 32 << 20;

  private final long limitBytes;
  private final long largeLimitBytes;

  /** Of frames, without what is {@link #overdrawn}. */
  private final AtomicLong frames = new AtomicLong();

  private final AtomicLong answers = new AtomicLong();

  private final Object lock = new Object();

  // Guarded by lock: those who wait, in the order they came; who gives up is taken out at once.
  private final SequencedSet<Reservation> small = new LinkedHashSet<>();
  private final SequencedSet<Reservation> begun = new LinkedHashSet<>();
  private final SequencedSet<Reservation> fresh = new LinkedHashSet<>();

  /** The frame that may go beyond the limit. */
  private @Nullable Object overdrawing;

  // Written under lock.

  /** What that frame took beyond the limit, until it is whole. */
  private volatile long overdrawn;

  private volatile boolean somebodyWaits;
  private volatile boolean somebodySmallWaits;
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
    this.largeLimitBytes = limitBytes - limitBytes / SMALL_SHARE;
  }

  /** Room for a frame: granted, or to be granted, or given up. */
  static final class Reservation {
    private final SequencedSet<Reservation> queue;
    private final Object frame;
    private final long bytes;
    private final Runnable onGranted;

    // Guarded by the memory's lock.
    private boolean granted;
    private boolean cancelled;

    private Reservation(
        SequencedSet<Reservation> queue, Object frame, long bytes, Runnable onGranted) {
      this.queue = queue;
      this.frame = frame;
      this.bytes = bytes;
      this.onGranted = onGranted;
    }

    long bytes() {
      return bytes;
    }
  }

  /** Bytes in use now. */
  public long usedBytes() {
    return frames.get() + overdrawn + answers.get();
  }

  /** How many wait for room. */
  int waiting() {
    synchronized (lock) {
      return small.size() + begun.size() + fresh.size();
    }
  }

  /** So little is free that copies should be avoided. */
  boolean isShort() {
    return usedBytes() > limitBytes / 2;
  }

  /** So little is in use that a frame may begin with a large buffer. */
  boolean isRoomy() {
    return usedBytes() < limitBytes / 4;
  }

  /** So many bytes are a small part of what is free, and nobody waits for any. */
  boolean hasPlentyFor(long bytes) {
    return !somebodyWaits && bytes <= (largeLimitBytes - load()) / SHARE;
  }

  /** Somebody waits for room. */
  boolean isContended() {
    return somebodyWaits;
  }

  /** Answers take so much that a client should have one more only when it has taken all others. */
  boolean hasManyAnswers() {
    return answers.get() > limitBytes / 4;
  }

  /**
   * Reserves what a new frame begins with at once, unless there is no room or somebody waits for
   * some.
   *
   * @param isSmall that is all of it, and little
   */
  boolean tryBegin(long bytes, boolean isSmall) {
    return isSmall
        ? !somebodySmallWaits && take(bytes, limitBytes)
        : !somebodyWaits && take(bytes, largeLimitBytes);
  }

  /**
   * The same for a frame that was begun: only others like it go before.
   *
   * @param frame the same object until {@link #frameEnded}
   */
  boolean tryGrow(Object frame, long bytes) {
    return (!somebodyGrows && take(bytes, largeLimitBytes)) || growsBeyond(frame, bytes);
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
      overdrawn += bytes;
      return true;
    }
  }

  /**
   * Reserves as soon as there is room.
   *
   * @param frame see {@link #tryGrow}
   * @param isSmall see {@link #tryBegin}
   * @param onGranted called once, on any thread, possibly before this returns
   */
  Reservation beginLater(Object frame, long bytes, boolean isSmall, Runnable onGranted) {
    return enqueue(new Reservation(isSmall ? small : fresh, frame, bytes, onGranted));
  }

  /** The same for a frame that was begun. */
  Reservation growLater(Object frame, long bytes, Runnable onGranted) {
    return enqueue(new Reservation(begun, frame, bytes, onGranted));
  }

  private Reservation enqueue(Reservation reservation) {
    synchronized (lock) {
      reservation.queue.add(reservation);
      noteWhoWaits();
    }
    // What was released before the flag was seen is found now.
    grant();
    return reservation;
  }

  private void noteWhoWaits() {
    somebodySmallWaits = !small.isEmpty();
    somebodyGrows = !begun.isEmpty();
    somebodyWaits = somebodySmallWaits || somebodyGrows || !fresh.isEmpty();
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
      frames.addAndGet(overdrawn);
      overdrawn = 0;
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
      reservation.queue.remove(reservation);
    }
    if (giveBack) {
      release(reservation.bytes);
    } else {
      // It may have stood in the way of one that fits.
      grant();
    }
  }

  /** Gives back what frames took. */
  void release(long bytes) {
    frames.addAndGet(-bytes);
    grantIfSomebodyWaits();
  }

  /** Counts memory of answers, whether there is room or not. */
  void addAnswers(long bytes) {
    answers.addAndGet(bytes);
  }

  void releaseAnswers(long bytes) {
    answers.addAndGet(-bytes);
    grantIfSomebodyWaits();
  }

  private void grantIfSomebodyWaits() {
    if (somebodyWaits) {
      grant();
    }
  }

  private void grant() {
    while (true) {
      Reservation next;
      synchronized (lock) {
        next = grantable();
        if (next != null) {
          next.queue.remove(next);
          next.granted = true;
        }
        noteWhoWaits();
      }
      if (next == null) {
        return;
      }
      next.onGranted.run();
    }
  }

  /** One who waits and has been given room now. */
  private @Nullable Reservation grantable() {
    if (!small.isEmpty() && take(small.getFirst().bytes, limitBytes)) {
      return small.getFirst();
    }
    SequencedSet<Reservation> large = begun.isEmpty() ? fresh : begun;
    if (large.isEmpty()) {
      return null;
    }
    Reservation next = large.getFirst();
    return take(next.bytes, largeLimitBytes) || overdraw(next) ? next : null;
  }

  private boolean overdraw(Reservation next) {
    if (overdrawing != null || load() > limitBytes) {
      return false;
    }
    overdrawing = next.frame;
    somebodyOverdraws = true;
    overdrawn += next.bytes;
    return true;
  }

  private boolean take(long bytes, long limit) {
    while (true) {
      long now = frames.get();
      if (!fits(now + answersLoad(), bytes, limit)) {
        return false;
      }
      if (frames.compareAndSet(now, now + bytes)) {
        return true;
      }
    }
  }

  /** What keeps frames out. */
  private long load() {
    return frames.get() + answersLoad();
  }

  private long answersLoad() {
    long bytes = answers.get();
    return Math.min(bytes, limitBytes / 2) + Math.max(0, bytes - limitBytes);
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
    long most = Math.min(limitBytes / 2, limitBytes - frames.get());
    long share = (most - answers.get()) / SHARE;
    return (int) Math.max(LEAST_ROOM_BYTES, Math.min(share, Integer.MAX_VALUE));
  }

  @Override
  public Loan take(int bytes) {
    ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(bytes, bytes);
    addAnswers(bytes);
    return new PooledLoan(this, buffer.writerIndex(bytes), bytes);
  }
}
