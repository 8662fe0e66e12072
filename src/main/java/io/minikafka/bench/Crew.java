package io.minikafka.bench;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Loads that begin at the same moment, each on a thread of its own. A load that does not come back
 * is closed and the repetition fails. One thread calls.
 */
final class Crew implements AutoCloseable {
  private final List<Load> loads;
  private final long patienceNanos;
  private final ExecutorService threads;

  /**
   * @param patienceNanos how long, beyond the limit, the last answers may take
   */
  Crew(List<? extends Load> loads, long patienceNanos) {
    this.loads = List.copyOf(loads);
    this.patienceNanos = patienceNanos;
    this.threads =
        Executors.newFixedThreadPool(
            loads.size(), Thread.ofPlatform().daemon().name("bench-load-", 0).factory());
  }

  /**
   * Once everything, as little as can be: what is made with the first frame of a topic is there.
   */
  void begin() throws IOException, InterruptedException {
    run(new Limit(0, 1));
  }

  /** One repetition: from the common begin to the last answer of the slowest. */
  Work run(Limit limit) throws IOException, InterruptedException {
    Limit each = limit.shared(loads.size());
    CountDownLatch ready = new CountDownLatch(loads.size());
    CountDownLatch go = new CountDownLatch(1);
    List<Future<Work>> parts = new ArrayList<>();
    for (Load load : loads) {
      Callable<Work> part =
          () -> {
            try {
              load.prepare();
            } finally {
              ready.countDown();
            }
            go.await();
            return load.run(each);
          };
      parts.add(threads.submit(part));
    }
    ready.await();
    long began = System.nanoTime();
    go.countDown();
    List<Work> done = new ArrayList<>();
    for (Future<Work> part : parts) {
      done.add(await(part, began + limit.nanos() + patienceNanos));
    }
    return Work.together(done, System.nanoTime() - began);
  }

  String durability() {
    return loads.getFirst().durability();
  }

  private Work await(Future<Work> part, long deadlineNanos)
      throws IOException, InterruptedException {
    try {
      return part.get(Math.max(1, deadlineNanos - System.nanoTime()), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      if (e.getCause() instanceof IOException failure) {
        throw failure;
      }
      throw new IOException("a load failed: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new IOException(
          "no answer within %d s".formatted(TimeUnit.NANOSECONDS.toSeconds(patienceNanos)), e);
    }
  }

  /** Ends the threads, too. */
  @Override
  public void close() throws IOException {
    IOException failure = null;
    for (Load load : loads) {
      try {
        load.close();
      } catch (IOException e) {
        failure = e;
      }
    }
    threads.shutdownNow();
    if (failure != null) {
      throw failure;
    }
  }
}
