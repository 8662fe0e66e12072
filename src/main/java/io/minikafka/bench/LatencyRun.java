package io.minikafka.bench;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * End to end: records go out on a {@link Schedule}, each carrying the time at which it was due and
 * the time at which it was sent; a consumer in the same process, which waits in long polls, takes
 * the time at which it has them. Made for one run; one thread calls.
 */
final class LatencyRun {
  /** Two times stand at the begin of a value. */
  static final int LEAST_RECORD_BYTES = 2 * Long.BYTES;

  /** A thread that sleeps wakes up to so much later; the rest it yields. */
  private static final long SLEEP_MARGIN_NANOS = 80_000;

  private static final long LAST_RECORD_LIMIT_NANOS = 60_000_000_000L;
  private static final long LOOK_NANOS = 1_000_000;
  private static final long BEGIN_IN_MS = 10;

  private final Pipe pipe;
  private final ProduceShape shape;
  private final AtomicReference<Exception> failure = new AtomicReference<>();

  /** Written by the reader alone, read when it has ended. */
  private final Latencies scheduled = new Latencies();

  private final Latencies sent = new Latencies();

  /** Written by the producer's thread alone, read when all is acknowledged. */
  private final Latencies acknowledged = new Latencies();

  private volatile long received;
  private volatile long measuredFromNanos = Long.MAX_VALUE;

  LatencyRun(Pipe pipe, ProduceShape shape) {
    this.pipe = pipe;
    this.shape = shape;
  }

  /**
   * Sends for a while to warm up, then for the time that is measured, without a pause between.
   *
   * @return what was measured; its nanos are the schedule's
   */
  Work run(int recordsPerSecond, long warmUpNanos, long nanos)
      throws IOException, InterruptedException {
    pipe.open();
    Thread reader = Thread.ofPlatform().daemon().name("bench-reader").start(this::read);
    try {
      long begin = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(BEGIN_IN_MS);
      Schedule all =
          Schedule.of(begin, recordsPerSecond, shape.batchRecords(), warmUpNanos + nanos);
      measuredFromNanos = begin + warmUpNanos;
      all.run(System::nanoTime, LatencyRun::waitUntil, this::send);
      pipe.flush();
      awaitRecords(all.sends() * shape.batchRecords());
    } finally {
      pipe.wakeup();
      reader.join();
    }
    check();
    return new Work(
        scheduled.count(),
        scheduled.count() * shape.recordBytes(),
        scheduled.count() / shape.batchRecords() * shape.frameBytes(),
        nanos);
  }

  private void send(long send, long dueNanos, long sentNanos) throws IOException {
    check();
    byte[] value = new byte[shape.recordBytes()];
    ByteBuffer.wrap(value).order(ByteOrder.LITTLE_ENDIAN).putLong(dueNanos).putLong(sentNanos);
    Pipe.Answer answer = new Acknowledged(dueNanos, sentNanos);
    for (int i = 0; i < shape.batchRecords(); i++) {
      pipe.send(value, answer);
    }
  }

  private void read() {
    try {
      boolean goesOn = true;
      while (goesOn) {
        goesOn = pipe.poll(value -> take(value, System.nanoTime()));
      }
    } catch (RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // The reader alone writes it.
  private void take(ByteBuffer value, long nowNanos) {
    value.order(ByteOrder.LITTLE_ENDIAN);
    long due = value.getLong();
    if (due - measuredFromNanos >= 0) {
      scheduled.add(nowNanos - due);
      sent.add(nowNanos - value.getLong());
    }
    received++;
  }

  private void awaitRecords(long count) throws IOException {
    long deadline = System.nanoTime() + LAST_RECORD_LIMIT_NANOS;
    while (received < count) {
      check();
      if (System.nanoTime() - deadline > 0) {
        throw new IOException("%d of %d records came back".formatted(received, count));
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }

  private void check() throws IOException {
    Exception why = failure.get();
    if (why != null) {
      throw new IOException("latency could not be measured: " + why.getMessage(), why);
    }
  }

  private static void waitUntil(long nanos) {
    long left = nanos - System.nanoTime();
    while (left > 0) {
      if (left > SLEEP_MARGIN_NANOS) {
        LockSupport.parkNanos(left - SLEEP_MARGIN_NANOS);
      } else {
        Thread.yield();
      }
      left = nanos - System.nanoTime();
    }
  }

  Latencies scheduled() {
    return scheduled;
  }

  Latencies sent() {
    return sent;
  }

  Latencies acknowledged() {
    return acknowledged;
  }

  private final class Acknowledged implements Pipe.Answer {
    private final long dueNanos;
    private final long sentNanos;

    Acknowledged(long dueNanos, long sentNanos) {
      this.dueNanos = dueNanos;
      this.sentNanos = sentNanos;
    }

    @Override
    public void acknowledged() {
      if (dueNanos - measuredFromNanos >= 0) {
        acknowledged.add(System.nanoTime() - sentNanos);
      }
    }

    @Override
    public void failed(Exception why) {
      failure.compareAndSet(null, why);
    }
  }
}
