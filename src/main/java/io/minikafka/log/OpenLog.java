package io.minikafka.log;

import io.minikafka.PartitionId;
import io.minikafka.partition.PartitionStore;
import io.minikafka.partition.StoreSettings;
import io.minikafka.storage.Disk;
import io.minikafka.storage.DiskFile;
import io.minikafka.storage.DiskFullException;
import io.minikafka.storage.OpenFileLimitException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of one open log share: its published state, its settings and its surroundings.
 *
 * <p>The state is immutable and replaced as a whole: the appender moves the end, the forcer the
 * durable offset, retention the start. Who only looks takes the newest by one volatile read. Any
 * thread.
 */
final class OpenLog {
  private static final PartitionStore.Listener NOBODY =
      new PartitionStore.Listener() {
        @Override
        public void onDurable(long durable) {}

        @Override
        public void onStart(long start) {}

        @Override
        public void onOffline(String reason) {}
      };

  // Constant after construction.
  private final PartitionId id;
  private final Path directory;
  private final LogContext context;
  private final IndexFiles indexFiles;
  private final KnownDamage damage;

  /** Counts created, renamed and deleted names: after each, and before anything relies on it. */
  private final AtomicLong names = new AtomicLong();

  private final ReentrantLock appendLock = new ReentrantLock();

  private final ReentrantLock segmentsLock = new ReentrantLock();

  private final ReentrantLock wholeCheckLock = new ReentrantLock();

  /** Held for the moment of a change of state, never while anything is written or read. */
  private final Object changes = new Object();

  /** Written under {@link #changes}; published by being written. */
  private volatile LogState state;

  private volatile StoreSettings settings;
  private volatile PartitionStore.Listener listener = NOBODY;
  private volatile boolean closed;

  /** Written before, or about to be: a checkpoint must say something of it. */
  private volatile boolean wanted;

  /** The highest epoch that a forced checkpoint holds; nothing may be written in a higher one. */
  private volatile int durableEpoch;

  /** A start that the next checkpoint is to hold, before anybody sees it. */
  private volatile long startToCome;

  /** See {@link #announce}. */
  private volatile Optional<CheckpointEntry> announced = Optional.empty();

  /** The start that a forced checkpoint holds; only below it may files be removed. */
  private volatile long durableStart;

  OpenLog(Path directory, RecoveredLog recovered, StoreSettings settings, LogContext context)
      throws IOException {
    this.id = recovered.id();
    this.directory = directory;
    this.context = context;
    this.settings = settings;
    this.damage = new KnownDamage(this);
    this.indexFiles =
        new IndexFiles(
            context.disk(),
            directory,
            () -> settings().indexIntervalBytes(),
            this::rules,
            () -> state().damage(),
            damage::add);
    this.durableEpoch = recovered.epoch() - 1;
    this.wanted = recovered.epoch() > 1;
    this.durableStart = recovered.start();
    this.startToCome = recovered.start();
    this.state = firstState(recovered);
  }

  private LogState firstState(RecoveredLog recovered) throws IOException {
    List<SealedSegment> sealed =
        recovered.sealed().stream()
            .map(
                found ->
                    SealedSegment.found(
                        found, file(found.baseOffset(), null), hotBlocks(), indexFiles))
            .toList();
    ActiveSegment active = null;
    int endPosition = 0;
    if (recovered.active().isPresent()) {
      RecoveredLog.Active found = recovered.active().get();
      endPosition = found.bytes();
      active =
          active(
              found.baseOffset(),
              disk().open(LogFiles.log(directory, found.baseOffset()), Disk.Mode.WRITE),
              found.indexes());
    }
    return new LogState(
        LogState.Content.of(
            sealed,
            active,
            endPosition,
            recovered.end(),
            recovered.lastMarkerCrc(),
            recovered.lastAppendTime()),
        new LogState.Epoch(recovered.epoch(), recovered.end()),
        recovered.start(),
        recovered.end(),
        recovered.damage(),
        recovered.offline(),
        recovered.readable());
  }

  PartitionId id() {
    return id;
  }

  Path directory() {
    return directory;
  }

  LogContext context() {
    return context;
  }

  Disk disk() {
    return context.disk();
  }

  IndexFiles indexFiles() {
    return indexFiles;
  }

  KnownDamage damage() {
    return damage;
  }

  LogState state() {
    return state;
  }

  /**
   * @return the state that is now published
   */
  LogState update(UnaryOperator<LogState> change) {
    synchronized (changes) {
      LogState next = change.apply(state);
      state = next;
      return next;
    }
  }

  StoreSettings settings() {
    return settings;
  }

  void configure(StoreSettings changed) {
    settings = changed;
  }

  PartitionStore.Listener listener() {
    return listener;
  }

  void listen(PartitionStore.Listener changed) {
    listener = changed;
  }

  boolean isClosed() {
    return closed;
  }

  void closed() {
    closed = true;
  }

  /** A name in the directory was made, changed or removed. */
  void namesChanged() {
    names.incrementAndGet();
  }

  long names() {
    return names.get();
  }

  boolean mayWriteInEpoch() {
    return durableEpoch >= state().epoch().number();
  }

  void willBeWritten() {
    wanted = true;
  }

  long startToCome() {
    return startToCome;
  }

  /** By the holder of the trimmer's lock. */
  void startWillBe(long start) {
    startToCome = Math.max(startToCome, start);
  }

  long durableStart() {
    return durableStart;
  }

  /** What a checkpoint should say; empty if what it said before is to stay. */
  Optional<CheckpointEntry> checkpointEntry() {
    Optional<CheckpointEntry> cut = announced;
    if (cut.isPresent()) {
      return cut;
    }
    LogState now = state();
    if (!now.readable() || !wanted) {
      return Optional.empty();
    }
    return Optional.of(
        new CheckpointEntry(
            id,
            now.epoch().number(),
            startToCome(),
            now.durable(),
            now.epoch().openOffset(),
            now.end(),
            now.content().endPosition(),
            now.content().lastMarkerCrc()));
  }

  /** A checkpoint with this entry was forced. By one thread at a time. */
  void checkpointed(CheckpointEntry entry) {
    durableEpoch = Math.max(durableEpoch, entry.logEpoch());
    durableStart = Math.max(durableStart, entry.start());
  }

  /** Nothing can be appended any more. The first reason counts. */
  void goOffline(String reason) {
    boolean first;
    synchronized (changes) {
      first = !state.isOffline();
      if (first) {
        state = state.withOffline(reason);
      }
    }
    if (first) {
      // Whoever found out may hold a lock, and the listener may do anything.
      context
          .worker()
          .execute(
              () -> {
                context.observer().onOffline(id, reason);
                listener.onOffline(reason);
              });
    }
  }

  SegmentFile file(long baseOffset, @Nullable DiskFile open) {
    return new SegmentFile(disk(), LogFiles.log(directory, baseOffset), context.pins(), open);
  }

  HotBlocks hotBlocks() {
    return new HotBlocks(context.byteClock());
  }

  ActiveSegment active(long baseOffset, DiskFile out, SegmentIndexes indexes) {
    return new ActiveSegment(baseOffset, file(baseOffset, out), out, indexes, hotBlocks());
  }

  /** A segment's descriptor and indexes were just used. */
  void used(Segment segment) {
    if (segment instanceof SealedSegment sealed) {
      context.openSegments().used(sealed);
    }
  }

  /** What markers must agree with at the moment. */
  LogRules rules() {
    LogState.Epoch now = state.epoch();
    return LogRules.of(id, now.openOffset(), now.number());
  }

  /** Index and log did not agree in a segment: believe the log, or name its damage; blocks. */
  void lookAgain(LogState.View view) throws IOException {
    switch (view.segment()) {
      case SealedSegment sealed -> sealed.rebuildIndexes();
      case ActiveSegment active -> rebuildIndexes(view, active);
    }
  }

  /**
   * After a clean end they come from files. Appends wait for a walk over what is known by then, not
   * for the search behind what is damaged.
   */
  private void rebuildIndexes(LogState.View view, ActiveSegment active) throws IOException {
    indexFiles.walk(active, view.nextOffset(), view.bytes());
    appendLock.lock();
    try {
      LogState.Content now = state.content();
      if (now.active() == active) {
        active.replaceIndexes(indexFiles.walk(active, now.end(), now.endPosition()).indexes());
      }
    } finally {
      appendLock.unlock();
    }
  }

  /**
   * An entry is not what was written: reads every byte of its segment and names what is bad. Once,
   * whoever asks meanwhile waits; blocks.
   */
  void checkWhole(LogState.View view, long offset) throws IOException {
    wholeCheckLock.lock();
    try {
      if (state.damage().at(offset).isPresent()) {
        return;
      }
      Segment segment = view.segment();
      DiskFile file = segment.file().lease();
      try {
        Window window = new Window();
        window.open(file, view.bytes());
        SegmentCheck check =
            new SegmentCheck(
                    window, rules(), segment.baseOffset(), view.nextOffset(), 0, Integer.MAX_VALUE)
                .run();
        damage.addAll(segment, check.damage(), check.position());
      } finally {
        segment.file().unlease();
      }
    } finally {
      wholeCheckLock.unlock();
    }
  }

  /** Held by whoever writes to the active segment or puts another in its place. */
  ReentrantLock appendLock() {
    return appendLock;
  }

  /** Held by whoever removes sealed segments, or puts another in their place. */
  ReentrantLock segmentsLock() {
    return segmentsLock;
  }

  /**
   * Runs what ends with a force, if need be with the descriptor held in reserve. A failure is final
   * for the data directory, unless it was for want of room or descriptors.
   */
  void forcing(Reserve.Task task) throws IOException {
    try {
      context.reserve().run(task);
    } catch (DiskFullException | OpenFileLimitException e) {
      throw e;
    } catch (IOException e) {
      context.committer().fail(id.toString(), e);
      throw e;
    }
  }

  /**
   * What the next checkpoints say of this log, before the state does: by the holder of the {@link
   * #appendLock}, who takes it back when the state has come there, or will not.
   */
  void announce(Optional<CheckpointEntry> entry) {
    announced = entry;
  }
}
