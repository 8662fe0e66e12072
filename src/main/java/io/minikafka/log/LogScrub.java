package io.minikafka.log;

import io.minikafka.partition.LogCheck;
import io.minikafka.partition.StoreOfflineException;
import io.minikafka.storage.DiskFile;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The check of one log: segment after segment, each as it is when its turn comes, under a lease so
 * that nobody takes its bytes away. Damage counts only if the segment is still the log's when it is
 * named.
 *
 * <p>Holds a window of memory until it is closed.
 */
final class LogScrub implements LogCheck {
  private final OpenLog log;
  private final Window window = new Window();

  /** Held while a step is under way. */
  private final ReentrantLock stepping = new ReentrantLock();

  private volatile boolean closed;

  // Of the thread that steps.
  private final List<Finding> found = new ArrayList<>();
  private long cursor;
  private int lastEpoch;
  private Optional<Part> part = Optional.empty();
  private boolean begun;
  private boolean done;

  /** Written by the thread that steps. */
  private volatile long checkedBytes;

  private volatile long totalBytes;

  /** The segment that is being read. */
  private record Part(LogState.View view, SegmentCheck check) {}

  /** Somebody else has ended it. */
  private static final class ClosedException extends IOException {
    private static final long serialVersionUID = 1;

    ClosedException() {
      super("the check was ended");
    }
  }

  LogScrub(OpenLog log) {
    this.log = log;
    this.totalBytes = log.state().content().bytes();
  }

  @Override
  public List<Finding> step(int bytes) throws IOException {
    stepping.lock();
    try {
      return read(bytes);
    } finally {
      stepping.unlock();
      letGoIfClosed();
    }
  }

  private List<Finding> read(int bytes) throws IOException {
    if (!begun) {
      begin();
    }
    long until = checkedBytes + bytes;
    do {
      if (closed) {
        throw new ClosedException();
      }
      done = done || (part.isEmpty() && !nextPart());
      if (done) {
        break;
      }
      read(part.orElseThrow());
    } while (checkedBytes < until);
    List<Finding> told = List.copyOf(found);
    found.clear();
    return told;
  }

  /** Of what has no file, or no bytes in it, there is nothing to read. */
  private void begin() throws IOException {
    if (log.isClosed()) {
      throw new StoreOfflineException("the log was closed");
    }
    LogState now = log.state();
    begun = true;
    done = !now.readable();
    Set<Long> toBeRead = new HashSet<>();
    for (int i = 0; i < now.viewCount() && !done; i++) {
      LogState.View view = now.view(i);
      if (view.bytes() > 0) {
        toBeRead.add(view.segment().baseOffset());
      }
    }
    for (DamageRange range : now.damage().ranges()) {
      if (!toBeRead.contains(range.segmentBase())) {
        found.add(new Finding.Damaged(range.described(), false));
      }
    }
  }

  /** What is known of a segment and was not met in it: it stays known, and refused to readers. */
  private void tellKnown(Segment segment, List<DamageRange> met) {
    for (DamageRange range : log.state().damage().in(segment.baseOffset())) {
      if (met.stream().noneMatch(range::overlaps)) {
        found.add(new Finding.Damaged(range.described(), false));
      }
    }
  }

  /**
   * @return false if there is none
   */
  private boolean nextPart() throws IOException {
    while (true) {
      LogState now = log.state();
      if (log.isClosed()) {
        throw new StoreOfflineException("the log was closed");
      }
      Optional<LogState.View> next = following(now);
      if (next.isEmpty()) {
        return false;
      }
      LogState.View view = next.get();
      try {
        DiskFile file = view.segment().file().lease();
        open(now, view, file);
        tellIfGone(now, view);
        return true;
      } catch (NoSuchFileException e) {
        if (log.state() == now && !log.isClosed()) {
          // Not given up, but gone.
          found.add(
              new Finding.Unreadable(view.segment().baseOffset(), "its file cannot be found"));
          tellKnown(view.segment(), List.of());
          cursor = view.nextOffset();
        }
      }
    }
  }

  /** What is open can be read without a name, and is lost when it is closed. */
  private void tellIfGone(LogState now, LogState.View view) throws IOException {
    boolean there = log.disk().exists(view.segment().file().path());
    if (!there && log.state() == now && !log.isClosed()) {
      found.add(
          new Finding.Unreadable(
              view.segment().baseOffset(),
              "its file is gone from the directory, and its records are with the next start; copy"
                  + " what is read of it until then"));
    }
  }

  private Optional<LogState.View> following(LogState now) {
    for (int i = 0; i < now.viewCount(); i++) {
      LogState.View view = now.view(i);
      if (view.nextOffset() > cursor && view.bytes() > 0) {
        return Optional.of(view);
      }
    }
    return Optional.empty();
  }

  private void open(LogState now, LogState.View view, DiskFile file) {
    long left = 0;
    for (int i = 0; i < now.viewCount(); i++) {
      left += now.view(i).nextOffset() > cursor ? now.view(i).bytes() : 0;
    }
    totalBytes = checkedBytes + left;
    window.open(new Watched(file), view.bytes());
    LogRules rules = LogRules.of(log.id(), now.epoch().openOffset(), now.epoch().number());
    part =
        Optional.of(
            new Part(
                view,
                new SegmentCheck(
                    window,
                    rules,
                    view.segment().baseOffset(),
                    view.nextOffset(),
                    lastEpoch,
                    Integer.MAX_VALUE)));
  }

  private void read(Part current) throws IOException {
    SegmentCheck check = current.check;
    int before = check.position();
    try {
      check.step();
    } catch (ClosedException e) {
      throw e;
    } catch (IOException e) {
      found.add(
          new Finding.Unreadable(
              current.view.segment().baseOffset(), String.valueOf(e.getMessage())));
      end(current);
      return;
    }
    checkedBytes += check.position() - before;
    if (check.isDone()) {
      lastEpoch = Math.max(lastEpoch, check.lastEpoch());
      end(current);
    }
  }

  /** The segment is at its end, or cannot be read on. */
  private void end(Part current) {
    List<DamageRange> damage = log.isClosed() ? List.of() : current.check.damage();
    Segment segment = current.view.segment();
    KnownDamage.Look look = log.damage().addAll(segment, damage, current.check.position());
    if (look.narrowed()) {
      indexAgain(current.view);
    }
    List<DamageRange> fresh = look.fresh();
    if (log.state().holds(current.view.segment().file())) {
      for (DamageRange range : damage) {
        found.add(new Finding.Damaged(dated(range).described(), fresh.contains(range)));
      }
      tellKnown(current.view.segment(), damage);
      current.check.lost().forEach(gap -> found.add(new Finding.Skipped(gap.from(), gap.to())));
    }
    cursor = current.view.nextOffset();
    letGo();
  }

  /** What was taken for damage has no place in the index, and is served from now on. */
  private void indexAgain(LogState.View view) {
    try {
      log.lookAgain(view);
    } catch (IOException e) {
      System.getLogger(LogScrub.class.getName())
          .log(
              System.Logger.Level.DEBUG,
              "reads behind what was damaged go without an index for now",
              e);
    }
  }

  /** With when it was found first. */
  private DamageRange dated(DamageRange range) {
    return log.state()
        .damage()
        .at(range.from())
        .map(known -> range.foundAt(known.foundMs()))
        .orElse(range);
  }

  private void letGo() {
    part.ifPresent(current -> current.view.segment().file().unlease());
    part = Optional.empty();
  }

  @Override
  public boolean isDone() {
    return done;
  }

  @Override
  public long checkedBytes() {
    return checkedBytes;
  }

  @Override
  public long totalBytes() {
    return totalBytes;
  }

  @Override
  public void close() {
    closed = true;
    letGoIfClosed();
  }

  /** By whoever comes last, the step or the close. */
  private void letGoIfClosed() {
    if (closed && stepping.tryLock()) {
      try {
        letGo();
      } finally {
        stepping.unlock();
      }
    }
  }

  /** Lets whoever closes the check end it before the next block is read. */
  private final class Watched extends ReadOnlyFile {
    Watched(DiskFile file) {
      super(file);
    }

    @Override
    void beforeRead() throws IOException {
      if (closed) {
        throw new ClosedException();
      }
    }
  }
}
