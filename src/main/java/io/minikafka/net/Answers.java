package io.minikafka.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The answers of one connection on their way out: brought to its event loop, put in order where the
 * version asks for it, encoded, and written together.
 *
 * <p>{@link #settle} on any thread; all else on the event loop.
 */
final class Answers {
  /** So much is handed to the socket before the end of a burst. */
  private static final long FLUSH_BYTES = 1 << 20;

  private final ChannelHandlerContext socket;
  private final ResponseEncoder encoder;
  private final Listener listener;
  private final Runnable deliverTask;
  private final Runnable flushTask;

  /** Settled by other threads; emptied by the event loop. */
  private final Queue<Pending> arrived = new ConcurrentLinkedQueue<>();

  private final AtomicBoolean emptying = new AtomicBoolean();

  // Touched only by the event loop.
  private final Deque<Pending> ordered = new ArrayDeque<>();
  private @Nullable Pending deferred;
  private @Nullable Runnable startDeferred;
  private boolean inBurst;
  private boolean flushScheduled;
  private boolean closeWhenSent;
  private boolean closed;
  private long unsentBytes;
  private long unsentMemoryBytes;
  private long sentBytes;

  /** The connection; called on the event loop. */
  interface Listener {
    /** The request's frame is no longer needed. */
    void onSettled(Pending request);

    /** The client has taken answers. */
    void onSent();

    /** An answer ends the connection and has been taken. */
    void onLastSent();

    /** The client has gone, and will never take what was answered. */
    void clientGone();
  }

  /**
   * @param watch runs what is done as a task of the event loop
   */
  Answers(
      ChannelHandlerContext socket,
      ResponseEncoder encoder,
      Listener listener,
      Consumer<Runnable> watch) {
    this.socket = socket;
    this.encoder = encoder;
    this.listener = listener;
    Runnable deliver = this::deliverArrived;
    Runnable flush = this::flushScheduled;
    this.deliverTask = () -> watch.accept(deliver);
    this.flushTask = () -> watch.accept(flush);
  }

  /** Bytes the client has not taken yet. */
  long unsentBytes() {
    return unsentBytes + encoder.bytes();
  }

  /** Those of them that are in memory. */
  long unsentMemoryBytes() {
    return unsentMemoryBytes + encoder.memoryBytes();
  }

  /** Bytes the client's system has taken, counted up; of a large part only when it is whole. */
  long sentBytes() {
    return sentBytes;
  }

  /** Announces a request whose answer will come. */
  void expect(Pending request) {
    if (request.keepsOrder()) {
      ordered.add(request);
    }
  }

  /**
   * Starts a request at once, or when all before it that keep order are answered. At most one can
   * be deferred; see {@link #isDeferring}.
   */
  void startInTurn(Pending request, Runnable start) {
    if (ordered.peek() == request) {
      start.run();
    } else {
      deferred = request;
      startDeferred = start;
    }
  }

  boolean isDeferring() {
    return deferred != null;
  }

  /** Until {@link #endBurst} nothing is flushed, unless it is much. */
  void beginBurst() {
    inBurst = true;
  }

  void endBurst() {
    inBurst = false;
    flush();
  }

  /** The answer is there. Once a request, on any thread. */
  void settle(Pending request, Outcome outcome) {
    request.outcome = outcome;
    if (socket.executor().inEventLoop()) {
      deliver(request, outcome);
      flushLater();
      return;
    }
    arrived.add(request);
    if (emptying.compareAndSet(false, true)) {
      try {
        socket.executor().execute(deliverTask);
      } catch (RejectedExecutionException e) {
        // The event loop has ended, and every connection with it.
        arrived.forEach(Answers::drop);
      }
    }
  }

  private static void drop(Pending request) {
    request.frame.release();
    if (request.outcome != null) {
      request.outcome.discard();
    }
  }

  private void deliverArrived() {
    emptying.set(false);
    Pending next;
    while ((next = arrived.poll()) != null) {
      if (next.outcome != null) {
        deliver(next, next.outcome);
      }
    }
    if (!inBurst) {
      flush();
    }
  }

  private void deliver(Pending request, Outcome outcome) {
    try {
      if (closed) {
        outcome.discard();
      } else if (request.keepsOrder()) {
        sendInOrder();
      } else {
        send(request, outcome);
      }
    } finally {
      // Afterwards: a connection with nothing under way and nothing to send may be closed.
      listener.onSettled(request);
    }
  }

  private void sendInOrder() {
    while (true) {
      Pending head = ordered.peek();
      if (head == null) {
        return;
      }
      if (head.outcome != null) {
        ordered.remove();
        send(head, head.outcome);
      } else if (head == deferred && startDeferred != null) {
        Runnable start = startDeferred;
        deferred = null;
        startDeferred = null;
        start.run();
      } else {
        return;
      }
    }
  }

  private void send(Pending request, Outcome outcome) {
    if (closeWhenSent) {
      outcome.discard();
      return;
    }
    outcome.encode(request.correlationId, encoder);
    closeWhenSent = outcome.closes();
    if (encoder.bytes() >= FLUSH_BYTES || closeWhenSent) {
      flush();
    }
  }

  private void flushLater() {
    if (!inBurst && !flushScheduled && encoder.bytes() > 0) {
      flushScheduled = true;
      socket.executor().execute(flushTask);
    }
  }

  private void flushScheduled() {
    flushScheduled = false;
    if (!inBurst) {
      flush();
    }
  }

  private void flush() {
    if (closed || encoder.bytes() == 0) {
      return;
    }
    ChannelPromise sent = socket.newPromise();
    ResponseEncoder.Handed handed = encoder.writeTo(socket, this::taken, sent);
    boolean last = closeWhenSent;
    unsentBytes += handed.bytes();
    unsentMemoryBytes += handed.memoryBytes();
    sent.addListener(
        done -> {
          unsentBytes -= handed.bytes();
          unsentMemoryBytes -= handed.memoryBytes();
          sentBytes += done.isSuccess() ? handed.untoldBytes() : 0;
          handed.release();
          if (!done.isSuccess()) {
            listener.clientGone();
          } else if (last) {
            listener.onLastSent();
          } else {
            listener.onSent();
          }
        });
    socket.flush();
  }

  private void taken(long bytes) {
    sentBytes += bytes;
  }

  /** The connection is gone: whatever is there or still comes is dropped. */
  void close() {
    closed = true;
    encoder.dropAll();
    for (Pending request : ordered) {
      if (request.outcome != null) {
        request.outcome.discard();
      }
    }
    ordered.clear();
    Pending neverStarted = deferred;
    deferred = null;
    startDeferred = null;
    if (neverStarted != null) {
      listener.onSettled(neverStarted);
    }
  }
}
