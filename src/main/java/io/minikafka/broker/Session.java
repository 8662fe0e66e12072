package io.minikafka.broker;

import io.minikafka.Caller;
import io.minikafka.Pressure;
import io.minikafka.group.GroupEvent;
import io.minikafka.protocol.Api;
import io.minikafka.protocol.Call;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * One client's connection as the broker sees it: who calls, what it has waiting, and the produces
 * of the present read burst.
 *
 * <p><b>Life-cycle.</b> Made by {@link RequestDispatcher#open}; ended by {@link #close}, after
 * which no request may follow. Every request is answered exactly once, also by close.
 *
 * <p><b>Threads.</b> All methods on the connection's own thread, which is what its peer runs work
 * on. Answers come on any thread, possibly before {@link #request} returns.
 *
 * <p><b>Misuse.</b> After requests {@link #endOfBurst} must follow before the thread does anything
 * else: until then nothing is written to the partitions they name, by anybody.
 */
public final class Session {
  /** Reads of one connection that run on the worker at the same time. */
  private static final int MAX_WORKER_READS = 4;

  private final RequestDispatcher dispatcher;
  private final Peer peer;
  private final Burst burst = new Burst();

  // Touched only by the connection's thread.
  private Caller caller;
  private final Queue<FetchRun<?>> reads = new ArrayDeque<>();
  private boolean startingReads;
  private int workerReads;
  private final Set<FetchRun<?>> waiting = new HashSet<>();
  private int rotation;
  private boolean held;

  /** It has asked the coordinator something, which from then on hears what becomes of it. */
  private boolean inGroups;

  /** Written by any thread that answers for a group, one at a time in the end. */
  private volatile Optional<ConnectionDescription.Member> member = Optional.empty();

  /** What the coordinator has not answered. Any thread. */
  private final Set<GroupCall<?>> groupCalls = ConcurrentHashMap.newKeySet();

  /** The connection's side of it. */
  public interface Peer extends Executor {
    /**
     * Runs work on the connection's thread, later. Any thread may call it. Work for a connection
     * whose thread has ended may be dropped.
     */
    @Override
    void execute(Runnable work);

    /** A bound is exceeded: take nothing more from the client until it is relieved. */
    void slowDown(Pressure pressure);

    /**
     * Whether so many answers wait to be taken by the client that none should be added; when that
     * ends, {@link Session#relieved} is to be called.
     */
    boolean congested();
  }

  Session(RequestDispatcher dispatcher, Caller caller, Peer peer) {
    this.dispatcher = dispatcher;
    this.caller = caller;
    this.peer = peer;
  }

  public Caller caller() {
    return caller;
  }

  /**
   * Starts a request. Bytes that the request views must stay as they are until it is answered.
   *
   * @param done gets the reply, exactly once
   */
  public <Q, R> void request(Call<Q, R> call, Q request, Consumer<Reply<R>> done) {
    if (call.api() != Api.PRODUCE) {
      // What was asked before is done before: a lookup sees the produces sent ahead of it.
      burst.drain();
    }
    dispatcher.handle(this, call, request, done);
  }

  /** No more requests are at hand: writes what they brought. */
  public void endOfBurst() {
    burst.drain();
  }

  /** The client has taken answers: {@link Peer#congested} is false again. */
  public void relieved() {
    startReads();
  }

  /** Nothing is read from the client any more, because of a bound of the broker; or again. */
  public void held(boolean isHeld) {
    held = isHeld;
    if (inGroups) {
      dispatcher.coordinator().held(caller.connection(), isHeld);
    }
  }

  /** The client is gone: frees all it has waiting. */
  public void close() {
    burst.drain();
    List.copyOf(waiting).forEach(FetchRun::abandon);
    groupCalls.forEach(GroupCall::abandon);
    if (inGroups) {
      dispatcher.clients().gone(caller);
      dispatcher.coordinator().disconnected(caller.connection());
    }
  }

  /** Takes the name the client gave itself. */
  void introduce(String clientName) {
    caller = new Caller(caller.connection(), caller.principal(), clientName, caller.host());
  }

  Burst burst() {
    return burst;
  }

  Peer peer() {
    return peer;
  }

  /**
   * Lets a fetch read when it is its turn: while the client does not take the answers it has,
   * reading more for it would only fill memory.
   */
  void read(FetchRun<?> fetch) {
    reads.add(fetch);
    startReads();
  }

  void workerReadBegins() {
    workerReads++;
  }

  void workerReadEnds() {
    workerReads--;
    startReads();
  }

  private void startReads() {
    if (startingReads) {
      // What a reading brings about is read by the loop that is under way, not deeper in the stack.
      return;
    }
    startingReads = true;
    try {
      while (!reads.isEmpty() && workerReads < MAX_WORKER_READS && !peer.congested()) {
        reads.remove().readNow();
      }
    } finally {
      startingReads = false;
    }
  }

  void waits(FetchRun<?> fetch) {
    waiting.add(fetch);
  }

  void waitsNoLonger(FetchRun<?> fetch) {
    waiting.remove(fetch);
  }

  /** Asks the coordinator; the call is abandoned if the client goes before the answer comes. */
  void ask(LongFunction<GroupEvent> event, GroupCall<?> call) {
    groupCalls.add(call);
    dispatcher.clients().heard(caller);
    dispatcher.coordinator().ask(caller.connection(), event, call);
    if (!inGroups) {
      inGroups = true;
      if (held) {
        dispatcher.coordinator().held(caller.connection(), true);
      }
    }
  }

  /** On any thread. */
  void answered(GroupCall<?> call) {
    groupCalls.remove(call);
  }

  /** It speaks for this member. On any thread; allocates only when that is new. */
  void speaksFor(String group, String id) {
    Optional<ConnectionDescription.Member> before = member;
    if (before.isEmpty() || !before.get().id().equals(id) || !before.get().group().equals(group)) {
      member = Optional.of(new ConnectionDescription.Member(group, id));
    }
  }

  /** It spoke for a member that has left. On any thread. */
  void speaksForNobody() {
    member = Optional.empty();
  }

  /** The member of a group that it last spoke for. On any thread. */
  public Optional<ConnectionDescription.Member> member() {
    return member;
  }

  /** How many of its requests wait for something to happen. */
  public int parked() {
    int parked = groupCalls.size();
    for (FetchRun<?> fetch : waiting) {
      parked += fetch.isParked() ? 1 : 0;
    }
    return parked;
  }

  /** A number that goes round, for fairness between the partitions of a fetch. */
  int nextRotation() {
    return rotation++ & Integer.MAX_VALUE;
  }
}
