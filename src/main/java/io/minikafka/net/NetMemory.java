package io.minikafka.net;

import io.minikafka.broker.BufferPool;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.util.internal.PlatformDependent;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The memory of all connections together: frames that came in and are not answered, and answers
 * that are not taken. Any thread.
 *
 * <p><b>Frames</b> have room reserved as their bytes come: what is only announced takes none. Who
 * finds no room waits. Small frames and large ones wait in lines of their own, and frames that are
 * {@link IncomingFrame#isProven proven} before others ({@link FrameQueue}). Each leaves a part of
 * the limit to those who should not have to wait for it: what is not proven to what is, and large
 * frames to small ones. So that frames cannot wait for each other for ever, one of either size at a
 * time may go beyond the limit; then none does until what it took is back within. So frames exceed
 * the limit by one large frame and one small one at most. A client that stands still while others
 * wait is closed soon ({@link #isContended}), and so is one that is slow where slow ones hold half
 * of the limit or its frame is beyond it ({@link #shouldHurry}).
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

  /** What frames may fill, in sixteenths of the limit. */
  private static final int LARGE_PROVEN = 15;

  private static final int SMALL_UNPROVEN = 13;
  private static final int LARGE_UNPROVEN = 12;

  /** Chunks of the pool, of 4 MiB, in which little is in use: of each event loop some. */
  private static final long POOLING_BYTES = 32 << 20;

  private final long limitBytes;
  private final long largeLimitBytes;

  /** Of frames, without what is beyond the limit. */
  private final AtomicLong frames = new AtomicLong();

  private final AtomicLong answers = new AtomicLong();

  /** Of frames, how much is for slow ones. */
  private final AtomicLong slowFrames = new AtomicLong();

  private final Object lock = new Object();

  // Guarded by lock, but for their flags.
  private final FrameQueue small;
  private final FrameQueue large;

  /** Guarded by lock. */
  private long reservations;

  /**
   * What this process can bear, of all frames together and of one: a quarter of the memory outside
   * the heap that Netty may take beyond what its pool needs in any case. The other quarters are for
   * a frame beyond the limit, for what frames are copied from as they grow, and for answers.
   */
  public static long affordableBytes() {
    long most = PlatformDependent.maxDirectMemory();
    return Math.max(most / 16, (most - POOLING_BYTES) / 4);
  }

  public NetMemory(long limitBytes) {
    this.limitBytes = limitBytes;
    this.largeLimitBytes = sixteenths(LARGE_PROVEN);
    this.small = new FrameQueue(this::takeWithin, limitBytes, sixteenths(SMALL_UNPROVEN));
    this.large = new FrameQueue(this::takeWithin, largeLimitBytes, sixteenths(LARGE_UNPROVEN));
  }

  private long sixteenths(int count) {
    return limitBytes - limitBytes * (16 - count) / 16;
  }

  /** Bytes in use now. */
  public long usedBytes() {
    return frames.get() + small.overdrawnBytes() + large.overdrawnBytes() + answers.get();
  }

  /** How many wait for room. */
  int waiting() {
    synchronized (lock) {
      return small.size() + large.size();
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
    return !isContended() && bytes <= (largeLimitBytes - load()) / SHARE;
  }

  /** Somebody waits for room. */
  boolean isContended() {
    return small.somebodyWaits() || large.somebodyWaits();
  }

  /** Answers take so much that a client should have one more only when it has taken all others. */
  boolean hasManyAnswers() {
    return answers.get() > limitBytes / 4;
  }

  /** Whether this frame, if it comes slowly, is in the way of those who wait. */
  boolean shouldHurry(IncomingFrame frame) {
    return slowFrames.get() > limitBytes / 2 || queue(frame).isOverdrawing(frame);
  }

  /** So much of what frames took is for slow ones, or no longer. */
  void addSlow(long bytes) {
    slowFrames.addAndGet(bytes);
  }

  /** Reserves room for a frame, unless there is none or somebody of its kind waits for some. */
  boolean tryTake(IncomingFrame frame, long bytes) {
    FrameQueue queue = queue(frame);
    return queue.take(frame.isProven(), bytes) || takeBeyond(queue, frame, bytes);
  }

  private boolean takeBeyond(FrameQueue queue, IncomingFrame frame, long bytes) {
    if (!queue.isOverdrawn()) {
      return false;
    }
    synchronized (lock) {
      return queue.overdrawMore(frame, bytes);
    }
  }

  /**
   * Reserves as soon as there is room.
   *
   * @param frame the same until {@link #frameEnded}
   * @param begun it has some already; it goes before those of its length that have none
   * @param onGranted called once, on any thread, possibly before this returns
   */
  Reservation takeLater(IncomingFrame frame, boolean begun, long bytes, Runnable onGranted) {
    Reservation reservation;
    synchronized (lock) {
      reservation = new Reservation(frame, bytes, begun, reservations++, onGranted);
      queue(frame).add(reservation);
    }
    // What was released before the flag was seen is found now.
    grant();
    return reservation;
  }

  /** A frame is whole, or its connection is closed: it grows no more. */
  void frameEnded(IncomingFrame frame) {
    FrameQueue queue = queue(frame);
    if (!queue.isOverdrawn()) {
      return;
    }
    synchronized (lock) {
      frames.addAndGet(queue.ended(frame));
    }
    grant();
  }

  /** The one who reserved is gone: gives back what was granted, or never will be. */
  void cancel(Reservation reservation) {
    boolean giveBack;
    synchronized (lock) {
      giveBack = reservation.cancel();
      queue(reservation.frame()).remove(reservation);
    }
    if (giveBack) {
      release(reservation.bytes());
    } else {
      // It may have stood in the way of one that fits.
      grant();
    }
  }

  private FrameQueue queue(IncomingFrame frame) {
    return frame.isSmall() ? small : large;
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
    if (isContended()) {
      grant();
    }
  }

  private void grant() {
    while (true) {
      Reservation next;
      synchronized (lock) {
        boolean mayOverdraw = load() <= limitBytes;
        next = small.grant(mayOverdraw);
        if (next == null) {
          next = large.grant(mayOverdraw);
        }
      }
      if (next == null) {
        return;
      }
      next.tell();
    }
  }

  private boolean takeWithin(long bytes, long limit) {
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
