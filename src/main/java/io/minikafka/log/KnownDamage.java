package io.minikafka.log;

import io.minikafka.storage.DiskFullException;
import io.minikafka.storage.OpenFileLimitException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes into the state of an open log what was found to be damaged, tells of it and writes it down,
 * so that the next start knows it too, until {@link #end}.
 *
 * <p>Any thread; blocks.
 */
final class KnownDamage {
  private final OpenLog log;

  /** Guarded by this. */
  private boolean ended;

  KnownDamage(OpenLog log) {
    this.log = log;
  }

  /** Somebody has read what is not as it was written. */
  void add(List<DamageRange> found) {
    long nowMs = log.context().wallClock().millis();
    List<DamageRange> noted = found.stream().map(range -> range.foundAt(nowMs)).toList();
    log.update(now -> now.withDamage(now.damage().with(noted)));
    named(noted);
  }

  /**
   * Every byte of a segment was read, and some are not as they were written. Without effect if the
   * segment is not in the log any more.
   *
   * @return what was not known
   */
  List<DamageRange> addIn(Segment segment, List<DamageRange> found) {
    long nowMs = log.context().wallClock().millis();
    List<DamageRange> fresh = new ArrayList<>();
    log.update(
        now -> {
          fresh.clear();
          if (!now.holds(segment.file())) {
            return now;
          }
          for (DamageRange range : found) {
            if (now.damage().widened(List.of(range), nowMs) != now.damage()) {
              fresh.add(range);
            }
          }
          return now.withDamage(now.damage().widened(fresh, nowMs));
        });
    if (!fresh.isEmpty()) {
      named(fresh);
    }
    return fresh;
  }

  private void named(List<DamageRange> found) {
    for (DamageRange range : found) {
      log.context().observer().onDamage(log.id(), range.from(), range.to(), range.what());
    }
    try {
      save();
    } catch (DiskFullException | OpenFileLimitException e) {
      System.getLogger(KnownDamage.class.getName())
          .log(
              System.Logger.Level.WARNING,
              "damage of {0} was not written down and will have to be found again: {1}",
              log.id(),
              e.getMessage());
    } catch (IOException e) {
      // Told already, and final.
      System.getLogger(KnownDamage.class.getName())
          .log(System.Logger.Level.DEBUG, "damage was not written down", e);
    }
  }

  /**
   * Writes down what is known to be damaged. A failure is final for the data directory, unless it
   * was for want of room or descriptors.
   */
  synchronized void save() throws IOException {
    if (!ended) {
      log.forcing(() -> DamageFile.save(log.disk(), log.directory(), log.state().damage()));
    }
  }

  /** The log is closed, and its directory may go: nothing is written there any more. */
  synchronized void end() {
    ended = true;
  }
}
