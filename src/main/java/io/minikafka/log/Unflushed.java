package io.minikafka.log;

import io.minikafka.Pressure;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Bytes of a data directory that were written and not yet forced, and their bound. Any thread. */
final class Unflushed implements Pressure {
  private final long boundBytes;
  private final AtomicLong bytes = new AtomicLong();

  // Guarded by itself.
  private final List<Runnable> waiting = new ArrayList<>();

  Unflushed(long boundBytes) {
    this.boundBytes = boundBytes;
  }

  void add(long more) {
    bytes.addAndGet(more);
  }

  void remove(long forced) {
    if (bytes.addAndGet(-forced) <= boundBytes) {
      relieve();
    }
  }

  long bytes() {
    return bytes.get();
  }

  @Override
  public boolean exceeded() {
    return bytes.get() > boundBytes;
  }

  @Override
  public void whenRelieved(Runnable work) {
    synchronized (waiting) {
      waiting.add(work);
    }
    // Relieved between the caller's look and this: nobody else would run it.
    if (!exceeded()) {
      relieve();
    }
  }

  private void relieve() {
    List<Runnable> work;
    synchronized (waiting) {
      if (waiting.isEmpty()) {
        return;
      }
      work = List.copyOf(waiting);
      waiting.clear();
    }
    work.forEach(Runnable::run);
  }
}
