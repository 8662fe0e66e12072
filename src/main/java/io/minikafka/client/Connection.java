package io.minikafka.client;

import io.minikafka.Timers;
import io.minikafka.codec.MalformedException;
import io.minikafka.protocol.Call;
import io.minikafka.protocol.Frames;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One TCP connection: many requests under way, each answered when its answer comes.
 *
 * <p>Life-cycle: connected on construction, then open, then closed for ever; a new connection is a
 * new object. Two threads: the writer sends what callers have queued, the reader completes
 * exchanges and, when the connection has ended for whatever reason, fails all that are left, in the
 * order they were sent. So nothing of one connection completes out of order with its end.
 *
 * <p>{@link #call} may come from any thread and never blocks: a request is written by its caller
 * only if everything unanswered fits well into the socket's own buffer, so that the write cannot
 * wait for the server; otherwise it is left to the writer.
 *
 * <p>An exchange without an answer at its deadline closes the connection: a server that late is in
 * no known state, and an answer that came after all would have nobody to go to.
 *
 * <p>Bounds: an answer is at most {@code maxFrameBytes}; requests are bounded by those who send
 * them (a producer's buffer, a consumer's few fetches).
 */
final class Connection {
  private static final int READ_BUFFER_BYTES = 64 << 10;

  /** An answer up to this size is given its memory at once, a larger one as it arrives. */
  private static final int TRUSTED_BYTES = 8 << 20;

  private static final int WRITE_BURST_BYTES = 256 << 10;
  private static final int ANSWER_HEAD_BYTES = Frames.LENGTH_BYTES + Frames.RESPONSE_HEADER_BYTES;

  // Constant after construction.
  private final ServerAddress server;
  private final int maxFrameBytes;
  private final Timers timers;
  private final Consumer<Connection> onClosed;
  private final Socket socket;
  private final FrameWriter writer;
  private final int directBytes;
  private final Thread readerThread;
  private final AtomicInteger correlationIds = new AtomicInteger();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition work = lock.newCondition();

  // Guarded by lock.
  private final Map<Integer, Exchange<?>> unanswered = new LinkedHashMap<>();
  private final ArrayDeque<Exchange<?>> queued = new ArrayDeque<>();
  private long unansweredBytes;
  private boolean writing;
  private long alarmNanos;
  private Timers.@Nullable Timer alarm;

  /** Whether this side closed it, not the server or the network. */
  private boolean givenUp;

  /** Written under lock, once. */
  private volatile @Nullable ConnectionException closedBy;

  /**
   * Connects; blocks at most {@code connectTimeoutMs}.
   *
   * @param onClosed runs once on the reader thread after everything unanswered has failed
   */
  Connection(
      ClientSettings settings, Timers timers, ThreadFactory threads, Consumer<Connection> onClosed)
      throws IOException {
    this.server = settings.server();
    this.maxFrameBytes = settings.maxFrameBytes();
    this.timers = timers;
    this.onClosed = onClosed;
    this.socket = new Socket();
    try {
      socket.setTcpNoDelay(true);
      socket.setKeepAlive(true);
      socket.connect(
          new InetSocketAddress(server.host(), server.port()), settings.connectTimeoutMs());
      writer = new FrameWriter(socket.getOutputStream());
      // The kernel counts its own overhead too, hence not all of it.
      directBytes = socket.getSendBufferSize() / 4;
      InputStream in = new BufferedInputStream(socket.getInputStream(), READ_BUFFER_BYTES);
      readerThread = threads.newThread(() -> readUntilClosed(in));
    } catch (IOException | RuntimeException e) {
      socket.close();
      throw e;
    }
    readerThread.start();
    threads.newThread(this::writeUntilClosed).start();
  }

  /**
   * Sends a request. If the connection is closed already the exchange has failed and {@link
   * Exchange#mayHaveBeenSent} is false.
   */
  <Q, R> Exchange<R> call(Call<Q, R> call, Q request, int timeoutMs) {
    int id = correlationIds.incrementAndGet();
    long deadlineNanos = timers.nanoTime() + timeoutMs * 1_000_000L;
    Exchange<R> exchange =
        new Exchange<>(call, Frame.of(call, id, request), deadlineNanos, timeoutMs);
    boolean direct;
    ConnectionException closed;
    lock.lock();
    try {
      closed = closedBy;
      if (closed != null) {
        direct = false;
      } else {
        unanswered.put(id, exchange);
        unansweredBytes += exchange.bytes;
        setAlarm(deadlineNanos);
        direct = !writing && queued.isEmpty() && unansweredBytes <= directBytes;
        if (direct) {
          writing = true;
          exchange.begin();
        } else {
          queued.add(exchange);
          work.signal();
        }
      }
    } finally {
      lock.unlock();
    }
    if (closed != null) {
      exchange.fail(closed);
    } else if (direct) {
      write(List.of(exchange));
    }
    return exchange;
  }

  boolean isOpen() {
    return closedBy == null;
  }

  /**
   * Whether this side has closed it. The server may then not have seen the last requests yet, and
   * may still come to them; otherwise it has taken what it will ever take.
   */
  boolean wasGivenUp() {
    lock.lock();
    try {
      return givenUp;
    } finally {
      lock.unlock();
    }
  }

  /** Ends the connection; the reader then fails what is unanswered with {@code why}. Any thread. */
  void close(ConnectionException why) {
    close(why, true);
  }

  private void close(ConnectionException why, boolean bySelf) {
    lock.lock();
    try {
      if (closedBy != null) {
        return;
      }
      closedBy = why;
      givenUp = bySelf;
      queued.clear();
      if (alarm != null) {
        alarm.cancel();
      }
      work.signalAll();
      // Under the lock: when the reader fails the exchanges, and their owners use the buffers for
      // something else, not one byte can go out any more.
      socket.close();
    } catch (IOException e) {
      // It is closed as far as we are concerned.
    } finally {
      lock.unlock();
    }
  }

  /** Waits until everything has failed that {@link #close} left; not on the reader itself. */
  void awaitEnd() throws InterruptedException {
    if (Thread.currentThread() != readerThread) {
      readerThread.join();
    }
  }

  private void writeUntilClosed() {
    List<Exchange<?>> burst = new ArrayList<>();
    while (takeBurst(burst)) {
      write(burst);
      burst.clear();
    }
  }

  /** Waits for something to write; false when the connection is closed. */
  private boolean takeBurst(List<Exchange<?>> burst) {
    lock.lock();
    try {
      while (closedBy == null && (writing || queued.isEmpty())) {
        work.awaitUninterruptibly();
      }
      if (closedBy != null) {
        return false;
      }
      writing = true;
      int bytes = 0;
      do {
        Exchange<?> next = queued.remove();
        next.begin();
        bytes += next.bytes;
        burst.add(next);
      } while (!queued.isEmpty() && bytes + queued.element().bytes <= WRITE_BURST_BYTES);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Whoever set {@link #writing} is the only one here. */
  private void write(List<Exchange<?>> burst) {
    try {
      for (Exchange<?> exchange : burst) {
        Frame frame = exchange.frame;
        exchange.frame = null;
        if (frame != null) {
          writer.write(frame);
        }
      }
      writer.flush();
    } catch (IOException e) {
      close(lost(e), false);
    }
    lock.lock();
    try {
      writing = false;
      if (!queued.isEmpty()) {
        work.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  private void readUntilClosed(InputStream in) {
    try {
      ByteBuffer head = ByteBuffer.allocate(ANSWER_HEAD_BYTES).order(ByteOrder.LITTLE_ENDIAN);
      while (readAnswer(in, head)) {}
    } catch (IOException e) {
      close(lost(e), false);
    }
    failAllUnanswered();
    onClosed.accept(this);
  }

  /** Reads one answer and completes its exchange; false when the connection cannot go on. */
  private boolean readAnswer(InputStream in, ByteBuffer head) throws IOException {
    int read = in.readNBytes(head.array(), 0, ANSWER_HEAD_BYTES);
    if (read < ANSWER_HEAD_BYTES) {
      throw new EOFException(
          read == 0 ? "the server closed the connection" : "the connection ended inside an answer");
    }
    int length = head.getInt(0);
    if (length < Frames.RESPONSE_HEADER_BYTES || length > maxFrameBytes) {
      return refuse(
          "an answer announces %s bytes; maxFrameBytes is %d"
              .formatted(Integer.toUnsignedString(length), maxFrameBytes));
    }
    ByteBuffer body = readBody(in, length - Frames.RESPONSE_HEADER_BYTES);
    int id = head.getInt(Frames.LENGTH_BYTES);
    Exchange<?> exchange = unanswered(id);
    if (exchange == null) {
      return refuse("an answer came to nothing that was asked");
    }
    Runnable completion;
    try {
      completion = exchange.read(head.getShort(Frames.LENGTH_BYTES + 4) & 0xffff, body);
    } catch (MalformedException e) {
      // It stays unanswered and fails in its turn, when the connection is closed.
      return refuse("the answer to %s cannot be read: %s".formatted(exchange, e.getMessage()));
    }
    lock.lock();
    try {
      unanswered.remove(id);
      unansweredBytes -= exchange.bytes;
    } finally {
      lock.unlock();
    }
    completion.run();
    return true;
  }

  private @Nullable Exchange<?> unanswered(int id) {
    lock.lock();
    try {
      return unanswered.get(id);
    } finally {
      lock.unlock();
    }
  }

  private static ByteBuffer readBody(InputStream in, int length) throws IOException {
    byte[] body = new byte[Math.min(length, TRUSTED_BYTES)];
    int read = 0;
    while (true) {
      read += in.readNBytes(body, read, body.length - read);
      if (read < body.length) {
        throw new EOFException("the connection ended inside an answer");
      }
      if (read == length) {
        return ByteBuffer.wrap(body).order(ByteOrder.LITTLE_ENDIAN);
      }
      body = Arrays.copyOf(body, (int) Math.min(length, 2L * body.length));
    }
  }

  private boolean refuse(String what) {
    close(new ConnectionException("%s: %s; is that a minikafka?".formatted(server, what), null));
    return false;
  }

  private void failAllUnanswered() {
    List<Exchange<?>> left;
    ConnectionException why;
    lock.lock();
    try {
      left = List.copyOf(unanswered.values());
      unanswered.clear();
      ConnectionException known = closedBy;
      why = known != null ? known : new ConnectionException(server + ": closed", null);
    } finally {
      lock.unlock();
    }
    left.forEach(exchange -> exchange.fail(why));
  }

  private ConnectionException lost(IOException e) {
    return new ConnectionException(
        "the connection to %s was lost: %s".formatted(server, e.getMessage()), e);
  }

  /** Makes sure that somebody looks at the deadlines no later than this one. */
  private void setAlarm(long deadlineNanos) {
    // One alarm serves all; one that rings early finds nothing and is set again.
    if (alarm == null || deadlineNanos - alarmNanos < 0) {
      if (alarm != null) {
        alarm.cancel();
      }
      alarmNanos = deadlineNanos;
      alarm = timers.after(Math.max(0, deadlineNanos - timers.nanoTime()), this::checkDeadlines);
    }
  }

  private void checkDeadlines() {
    Exchange<?> first = null;
    lock.lock();
    try {
      alarm = null;
      if (closedBy != null) {
        return;
      }
      for (Exchange<?> exchange : unanswered.values()) {
        if (first == null || exchange.deadlineNanos - first.deadlineNanos < 0) {
          first = exchange;
        }
      }
      if (first == null) {
        return;
      }
      if (first.deadlineNanos - timers.nanoTime() > 0) {
        setAlarm(first.deadlineNanos);
        return;
      }
    } finally {
      lock.unlock();
    }
    close(
        new ConnectionException(
            "%s did not answer %s within %d ms".formatted(server, first, first.timeoutMs), null));
  }
}
