package io.minikafka.log;

import io.minikafka.storage.DiskFullException;
import io.minikafka.storage.OpenFileLimitException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

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
    note(now -> true, found, now -> now);
  }

  /**
   * Some bytes of a segment are not as they were written. Without effect if the segment is not in
   * the log any more.
   */
  void add(Segment segment, List<DamageRange> found) {
    note(now -> now.holds(segment.file()), found, now -> now);
  }

  /**
   * The same by somebody who has read every byte of the segment up to a position: what is known to
   * be damaged from the same place on, but further, is good there.
   *
   * @param found with everything that is bad up to there
   */
  Look addAll(Segment segment, List<DamageRange> found, int toPosition) {
    return note(now -> now.holds(segment.file()), found, now -> now.narrowed(found, toPosition));
  }

  /**
   * What a look at every byte has changed.
   *
   * @param fresh what was not known
   * @param narrowed whether less is damaged than was known
   */
  record Look(List<DamageRange> fresh, boolean narrowed) {}

  private Look note(
      Predicate<LogState> counts, List<DamageRange> found, UnaryOperator<DamageRanges> narrowing) {
    long nowMs = log.context().wallClock().millis();
    List<DamageRange> fresh = new ArrayList<>();
    AtomicBoolean narrowed = new AtomicBoolean();
    log.update(
        now -> {
          fresh.clear();
          narrowed.set(false);
          if (!counts.test(now)) {
            return now;
          }
          DamageRanges left = narrowing.apply(now.damage());
          narrowed.set(left != now.damage());
          for (DamageRange range : found) {
            if (now.damage().widened(List.of(range), nowMs) != now.damage()) {
              fresh.add(range);
            }
          }
          return now.withDamage(left.widened(found, nowMs));
        });
    for (DamageRange range : fresh) {
      log.context().observer().onDamage(log.id(), range.from(), range.to(), range.what());
    }
    if (narrowed.get() || !fresh.isEmpty()) {
      writeDown();
    }
    return new Look(fresh, narrowed.get());
  }

  private void writeDown() {
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
