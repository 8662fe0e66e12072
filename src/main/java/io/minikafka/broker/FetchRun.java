package io.minikafka.broker;

import io.minikafka.EngineObserver;
import io.minikafka.Timers;
import io.minikafka.Timers.Timer;
import io.minikafka.partition.Partition;
import io.minikafka.protocol.ErrorCode;
import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One fetch from its request to its answer: read; if that is not enough, park, read again, and only
 * then wait. Whatever becomes visible after it was parked wakes it, so nothing is lost between the
 * reading and the waiting. It reads again only when something of what it watches became visible
 * since, whatever the plan says, and once at the end.
 *
 * <p>Everything happens on the connection's thread, except that reads which may block run on the
 * worker, one at a time; {@link #wake} and {@link #finish} are for any thread.
 *
 * @param <R> the response
 */
final class FetchRun<R> {
  private static final System.Logger LOG = System.getLogger(FetchRun.class.getName());

  private final FetchPlan<R> plan;
  private final List<Partition> watched;
  private final Session session;
  private final Executor worker;
  private final Timers timers;
  private final ParkedFetches parkedFetches;
  private final long deadlineNanos;
  private final EngineObserver observer;
  private final Consumer<Reply<R>> done;

  // Touched only by the connection's thread.
  private State state = State.READING;
  private boolean parked;

  /** {@link #visible} before the last reading. */
  private long visibleWhenRead;

  private @Nullable Timer timer;

  /** No more waiting: the next reading is the answer. */
  private boolean last;

  /** Any thread: a look at the progress is under way and will see what came before it. */
  private final AtomicBoolean woken = new AtomicBoolean();

  private enum State {
    READING,
    WAITING,
    ANSWERED
  }

  /**
   * @param maxWaitNanos 0 or less: answers with what is there
   */
  FetchRun(
      FetchPlan<R> plan,
      Session session,
      Executor worker,
      Timers timers,
      ParkedFetches parkedFetches,
      long maxWaitNanos,
      EngineObserver observer,
      Consumer<Reply<R>> done) {
    this.plan = plan;
    this.watched = plan.watched();
    this.session = session;
    this.worker = worker;
    this.timers = timers;
    this.parkedFetches = parkedFetches;
    this.last = maxWaitNanos <= 0;
    this.deadlineNanos = timers.nanoTime() + Math.max(maxWaitNanos, 0);
    this.observer = observer;
    this.done = done;
  }

  /** What it can be woken by. */
  List<Partition> watched() {
    return watched;
  }

  void start() {
    session.waits(this);
    read();
  }

  private void read() {
    state = State.READING;
    session.read(this);
  }

  /** Whether it waits for records. */
  boolean isParked() {
    return parked && state == State.WAITING;
  }

  /** It is this fetch's turn. */
  void readNow() {
    if (state != State.ANSWERED) {
      guarded(this::readHereOrOnWorker);
    }
  }

  /** Changes whenever something becomes visible: no high watermark ever falls. */
  private long visible() {
    long sum = 0;
    for (Partition partition : watched) {
      sum += partition.highWatermark();
    }
    return sum;
  }

  private void readHereOrOnWorker() {
    if (!last) {
      visibleWhenRead = visible();
    }
    if (!plan.mayBlock()) {
      Optional<FetchPlan.Attempt<R>> attempt = tryRead();
      if (attempt.isEmpty() || !plan.isForWorker()) {
        afterRead(attempt);
        return;
      }
      plan.discard(attempt.get().response());
      plan.mayBlock();
    }
    session.workerReadBegins();
    try {
      worker.execute(
          () -> {
            Optional<FetchPlan.Attempt<R>> attempt = tryRead();
            session.peer().execute(() -> afterWorkerRead(attempt));
          });
    } catch (RejectedExecutionException e) {
      answer(Reply.failure(ErrorCode.SHUTTING_DOWN, "the broker is shutting down"));
      session.workerReadEnds();
    }
  }

  private void afterWorkerRead(Optional<FetchPlan.Attempt<R>> attempt) {
    guarded(() -> afterRead(attempt));
    session.workerReadEnds();
  }

  /** A bug must not leave the client without an answer. */
  private void guarded(Runnable step) {
    try {
      step.run();
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "a fetch failed", e);
      if (state != State.ANSWERED) {
        answer(Reply.failure(ErrorCode.INTERNAL_ERROR, "the broker failed; see its log"));
      }
    }
  }

  private Optional<FetchPlan.Attempt<R>> tryRead() {
    try {
      return Optional.of(plan.read());
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "a fetch failed", e);
      return Optional.empty();
    }
  }

  private void afterRead(Optional<FetchPlan.Attempt<R>> outcome) {
    if (state == State.ANSWERED) {
      outcome.ifPresent(attempt -> plan.discard(attempt.response()));
    } else if (outcome.isEmpty()) {
      answer(Reply.failure(ErrorCode.INTERNAL_ERROR, "the broker failed; see its log"));
    } else {
      state = State.WAITING;
      answerOrWait(outcome.get());
    }
  }

  private void answerOrWait(FetchPlan.Attempt<R> attempt) {
    if (attempt.complete() || last) {
      answerWith(attempt);
      return;
    }
    if (!parked) {
      long waitNanos = deadlineNanos - timers.nanoTime();
      if (waitNanos <= 0) {
        answerWith(attempt);
        return;
      }
      timer = timers.after(waitNanos, this::finish);
      if (!parkedFetches.park(this)) {
        plan.discard(attempt.response());
        answer(
            Reply.failure(
                ErrorCode.LIMIT_REACHED,
                "%d fetches are waiting already; the limit is net.max-parked-fetches"
                    .formatted(parkedFetches.limit())));
        return;
      }
      parked = true;
    }
    plan.discard(attempt.response());
    readIfWorthIt();
  }

  /** Only what is answered counts as fetched, not what was read while waiting for more. */
  private void answerWith(FetchPlan.Attempt<R> attempt) {
    if (attempt.bytes() > 0) {
      observer.onFetched(attempt.records(), attempt.bytes());
    }
    answer(Reply.answer(attempt.response()));
  }

  /** Something of what it watches became visible. Any thread. */
  void wake() {
    if (woken.compareAndSet(false, true)) {
      session.peer().execute(this::onWoken);
    }
  }

  private void onWoken() {
    woken.set(false);
    guarded(this::readIfWorthIt);
  }

  /** Answers with what is there, whether it is enough or not. Any thread. */
  void finish() {
    session.peer().execute(this::onFinish);
  }

  private void onFinish() {
    last = true;
    guarded(this::readIfWorthIt);
  }

  private void readIfWorthIt() {
    // While it reads, the one who reads looks again afterwards.
    if (state == State.WAITING && (last || (visible() != visibleWhenRead && plan.worthReading()))) {
      read();
    }
  }

  /** The client is gone. On the connection's thread. */
  void abandon() {
    answer(new Reply.Abandoned<>());
  }

  private void answer(Reply<R> reply) {
    state = State.ANSWERED;
    session.waitsNoLonger(this);
    if (timer != null) {
      timer.cancel();
    }
    if (parked) {
      parkedFetches.unpark(this);
    }
    done.accept(reply);
  }
}
