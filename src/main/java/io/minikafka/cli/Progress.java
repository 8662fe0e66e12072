package io.minikafka.cli;

import io.minikafka.Counted;
import java.io.Console;
import java.io.PrintWriter;
import java.util.Locale;

/**
 * A line on a terminal that says how far a command is, and the summary at its end. Silent while
 * nobody watches. Any thread.
 */
final class Progress {
  private static final long REFRESH_NANOS = 200_000_000;

  private final PrintWriter err;
  private final String verb;
  private final boolean visible;
  private final long began = System.nanoTime();

  // Guarded by this.
  private long shownAt = began;
  private boolean dirty;
  private boolean ended;

  Progress(PrintWriter err, String verb) {
    this.err = err;
    this.verb = verb;
    Console console = System.console();
    this.visible = console != null && console.isTerminal();
  }

  /** Shows the state if the last one is old enough. */
  synchronized void show(long records, long bytes) {
    long now = System.nanoTime();
    if (visible && !ended && now - shownAt >= REFRESH_NANOS) {
      shownAt = now;
      dirty = true;
      err.print("\r\u001b[K" + summary(records, bytes));
      err.flush();
    }
  }

  /** Takes the line away, for good. */
  synchronized void end() {
    ended = true;
    if (dirty) {
      err.print("\r\u001b[K");
      err.flush();
      dirty = false;
    }
  }

  String summary(long records, long bytes) {
    double seconds = Math.max(1e-6, (System.nanoTime() - began) / 1e9);
    return String.format(
        Locale.ROOT,
        "%s %s, %.1f MB in %.1f s (%,.0f records/s, %.1f MB/s)",
        verb,
        Counted.grouped(records, "record"),
        bytes / 1e6,
        seconds,
        records / seconds,
        bytes / 1e6 / seconds);
  }
}
