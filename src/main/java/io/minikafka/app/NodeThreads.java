package io.minikafka.app;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Every thread of the broker that is not an event loop, by name:
 *
 * <ul>
 *   <li>{@code minikafka-worker-n}: cold reads, segments, deletion, retention, changes of topics
 *   <li>{@code minikafka-forcer-n}: fsync, and nothing else
 *   <li>{@code minikafka-timer}: waits
 *   <li>{@code minikafka-node}: starts and stops the broker, one after the other
 * </ul>
 *
 * <p>All are daemons: the process ends when its main thread says so, and what is then still stuck
 * in the kernel does not hold it. Never interrupted while they work: an interrupt closes files that
 * others are using.
 */
final class NodeThreads implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger(NodeThreads.class.getName());

  private static final Duration IDLE = Duration.ofMinutes(1);

  private final ThreadPoolExecutor worker;
  private final ThreadPoolExecutor forcer;
  private final TimerThread timers;

  NodeThreads(int workers, int forcers) {
    worker = pool("minikafka-worker-", workers);
    forcer = pool("minikafka-forcer-", forcers);
    timers = new TimerThread(work -> daemon("minikafka-timer", work));
  }

  /** Runs what may block. Its queue has no bound of its own: whoever submits is bounded. */
  ExecutorService worker() {
    return worker;
  }

  ExecutorService forcer() {
    return forcer;
  }

  TimerThread timers() {
    return timers;
  }

  /** A thread for one long piece of work; not started. */
  static Thread daemon(String name, Runnable work) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    thread.setUncaughtExceptionHandler(
        (failed, e) -> {
          LOG.log(Level.ERROR, "thread " + failed.getName() + " failed", e);
          Ending.ifOutOfMemory(e);
        });
    return thread;
  }

  /** Takes nothing new; what has begun goes on by itself. */
  @Override
  public void close() {
    timers.stop();
    worker.shutdown();
    forcer.shutdown();
  }

  private static ThreadPoolExecutor pool(String prefix, int size) {
    AtomicInteger number = new AtomicInteger();
    ThreadFactory threads = work -> daemon(prefix + number.incrementAndGet(), work);
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            size, size, IDLE.toSeconds(), SECONDS, new LinkedBlockingQueue<>(), threads);
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }
}
