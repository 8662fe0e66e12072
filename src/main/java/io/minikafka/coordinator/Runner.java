package io.minikafka.coordinator;

import io.minikafka.coordinator.GroupReply.Cause;
import io.minikafka.coordinator.GroupReply.Failed;
import io.minikafka.coordinator.OffsetsLog.Durable;
import io.minikafka.coordinator.OffsetsLog.NotDurable;
import io.minikafka.group.GroupEvent;
import io.minikafka.group.GroupRecord;
import io.minikafka.group.GroupRecordCodec;
import io.minikafka.group.Groups;
import io.minikafka.group.Step;
import io.minikafka.partition.Partition;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Handles what lies in the mailbox. A burst of events becomes one append; its answers, its news and
 * whoever wants to look wait for that append, and so does the next burst. So nothing is decided on
 * state that could still be lost, and what is answered is never lost.
 *
 * <p>When an append fails, or the rules throw, the state is thrown away, all that wait are failed,
 * and the log is read anew.
 *
 * <p>One burst at a time, on the worker; the end of a burst on whichever thread made it durable.
 */
final class Runner implements Mailbox.Handler<Mail> {
  /** No more events are taken into a burst whose records have so many bytes. */
  static final int BURST_BYTES = 512 << 10;

  /** Before the log is read once more. */
  static final long RETRY_MS = 2_000;

  private static final System.Logger LOG = System.getLogger(Runner.class.getName());
  private static final Failed LOADING =
      new Failed(Cause.LOADING, "the offsets log is being read; try again");
  private static final Failed STOPPED =
      new Failed(Cause.SHUTTING_DOWN, "the broker is shutting down");
  private static final Failed BUG = new Failed(Cause.INTERNAL, "the broker failed; see its log");

  // Constant after construction.
  private final CoordinatorSettings settings;
  private final Surroundings around;
  private final Outbox outbox;
  private final LongUnaryOperator toMs;
  private final NewsDesk news;
  private final Alarm deadline;
  private final Alarm sweep;
  private final Tickets waiting = new Tickets();
  private final NoRoom noRoom = new NoRoom();

  /** Connections that are not read from. */
  private final Set<Long> held = new HashSet<>();

  // Touched only by the burst of the moment.
  private Groups groups;
  private @Nullable OffsetsLog log;
  private Failed refusal = LOADING;
  private long lastMs;

  /** Written only by the burst of the moment. */
  private volatile Status status = new Status.Loading();

  /** A stop is on its way, and what closes under the log is no failure. Any thread. */
  private volatile boolean stopping;

  /** Where the runner posts what is to happen next, and tells how it stands. */
  interface Outbox {
    void post(Mail mail);

    /** The log was read, or could not be. */
    void attempted();

    /** Whether something will happen at a time, so that stalls matter. */
    void waitsForTime(boolean on);
  }

  /**
   * @param toMs from the monotonic clock to its milliseconds as the rules see them
   */
  Runner(CoordinatorSettings settings, Surroundings around, Outbox outbox, LongUnaryOperator toMs) {
    this.settings = settings;
    this.around = around;
    this.outbox = outbox;
    this.toMs = toMs;
    this.news = new NewsDesk(around.observer());
    this.deadline = new Alarm(around.timers(), () -> outbox.post(new Mail.Due()));
    this.sweep = new Alarm(around.timers(), () -> outbox.post(new Mail.Sweep()));
    this.groups = new Groups(settings.limits());
  }

  Status status() {
    return status;
  }

  /** Before the stop is posted, and before anybody closes the log. */
  void stopping() {
    stopping = true;
  }

  @Override
  public void handle(Mailbox.Burst<Mail> burst, Runnable ended) {
    Round round = new Round();
    try {
      for (var next = burst.next(); next != null; next = isFull(round) ? null : burst.next()) {
        take(next.event(), next.atNanos(), round);
      }
    } catch (RuntimeException | Error bug) {
      LOG.log(Level.ERROR, "the rules of groups failed; the offsets log is read anew", bug);
      failAndReload(BUG);
      round.looks.forEach(look -> look.refused().accept(refusal));
      ended.run();
      return;
    }
    finish(round, ended);
  }

  private boolean isFull(Round round) {
    return round.loaded != null || (log != null && log.gatheredBytes() >= BURST_BYTES);
  }

  private boolean isServing() {
    return log != null;
  }

  private void take(Mail mail, long atNanos, Round round) {
    switch (mail) {
      case Mail.Ask ask -> {
        if (!noRoom.putsOff(ask)) {
          ask(ask, atNanos, round);
        }
      }
      case Mail.Tell(GroupEvent event) -> {
        note(event);
        if (isServing()) {
          step(event, atNanos, round);
        }
      }
      case Mail.Due due -> {
        if (isServing()) {
          deadline.rang();
          step(new GroupEvent.Tick(), atNanos, round);
        }
      }
      case Mail.Look look -> {
        if (noRoom.putsOff(look)) {
          return;
        }
        if (isServing() || noRoom.isReadable()) {
          round.looks.add(look);
        } else {
          look.refused().accept(refusal);
        }
      }
      case Mail.Sweep due -> {
        if (isServing()) {
          sweep.rang();
          step(new GroupEvent.Sweep(around::logStart), atNanos, round);
          sweepLater();
        }
      }
      case Mail.Load load -> open();
      case Mail.Opened(Partition offsetsLog) -> load(offsetsLog, round);
      case Mail.NotOpened(String reason) -> unavailable(reason);
      case Mail.Stop stop -> {
        stop();
        stop.done().complete(null);
      }
    }
  }

  private void ask(Mail.Ask ask, long atNanos, Round round) {
    Optional<Failed> refused =
        isServing()
            ? noRoom.refuses(ask.event(), around.timers().nanoTime())
            : Optional.of(refusal).filter(failed -> !noRoom.serves(ask.event()));
    if (refused.isPresent()) {
      Tickets.tell(ask.done(), refused.get());
    } else {
      waiting.enter(ask);
      round.asked.add(ask.ticket());
      step(ask.event(), atNanos, round);
    }
  }

  /** What must be known about connections also while groups are not served. */
  private void note(GroupEvent event) {
    if (event instanceof GroupEvent.ConnectionHeld(long connection)) {
      held.add(connection);
    } else if (event instanceof GroupEvent.ConnectionFreed(long connection)) {
      held.remove(connection);
    } else if (event instanceof GroupEvent.Disconnected(long connection)) {
      held.remove(connection);
      noRoom.forget(connection);
      waiting.forget(connection);
    }
  }

  private void step(GroupEvent event, long atNanos, Round round) {
    lastMs = Math.max(lastMs, toMs.applyAsLong(atNanos));
    keep(groups.on(event, lastMs, around.wallClock().millis()), round);
  }

  private void keep(Step step, Round round) {
    for (GroupRecord record : step.records()) {
      openLog().gather(GroupRecordCodec.key(record), GroupRecordCodec.value(record).orElse(null));
      if (record instanceof GroupRecord.Commit) {
        round.commits++;
      }
    }
    round.answers.addAll(step.answers());
    round.news.addAll(step.news());
    round.nextDeadlineMs = step.nextDeadlineMs();
    round.stepped = true;
  }

  private OffsetsLog openLog() {
    if (log == null) {
      throw new IllegalStateException("the offsets log is not open");
    }
    return log;
  }

  private void finish(Round round, Runnable ended) {
    if (round.stepped && isServing()) {
      setDeadline(round.nextDeadlineMs);
    }
    if (log == null || log.gatheredRecords() == 0) {
      try {
        letOut(round);
      } finally {
        ended.run();
      }
      return;
    }
    log.append(
        outcome -> {
          try {
            switch (outcome) {
              case Durable durable -> letOut(round);
              case NotDurable failed -> notDurable(failed, round);
            }
          } finally {
            ended.run();
          }
        });
  }

  private void letOut(Round round) {
    if (round.loaded != null) {
      serve(round.loaded);
    }
    if (round.commits > 0) {
      around.observer().onCommits(round.commits);
    }
    round.answers.forEach(waiting::answer);
    round.news.forEach(news::publish);
    round.looks.forEach(look -> look.look().accept(groups));
  }

  private void notDurable(NotDurable failed, Round round) {
    String message = "the offsets log could not be written: " + failed.message();
    if (stopping && failed.cause() == Cause.SHUTTING_DOWN) {
      LOG.log(Level.DEBUG, message);
    } else {
      LOG.log(Level.WARNING, message);
      around.observer().onGroupsFailed();
    }
    Failed reply = new Failed(failed.cause(), message);
    if (reply.cause() == Cause.DISK_FULL) {
      full(reply, round);
      return;
    }
    if (round.loaded != null) {
      fail(reply);
      unavailable(message);
    } else {
      failAndReload(reply);
    }
    round.looks.forEach(look -> look.refused().accept(refusal));
  }

  private void full(Failed failed, Round round) {
    if (round.loaded != null) {
      readOnly(failed, round);
      return;
    }
    List<Mail> again = new ArrayList<>(round.looks);
    again.addAll(waiting.takeOut(ask -> NoRoom.isBystander(ask, round.asked)));
    Groups.Run run = groups.run();
    failAndReload(failed);
    noRoom.refused(failed, run, again, around.timers().nanoTime());
  }

  /**
   * The groups are as the log says, but what must be written before they change found no room: they
   * are read from until it does. Sessions begin anew with the next attempt.
   */
  private void readOnly(Failed failed, Round round) {
    openLog().drop();
    log = null;
    noRoom.readOnly();
    setDeadline(Long.MAX_VALUE);
    round.answers.forEach(waiting::answer);
    round.looks.forEach(look -> look.look().accept(groups));
    unavailable(failed.message(), failed);
  }

  private void failAndReload(Failed failed) {
    fail(failed);
    outbox.post(new Mail.Load());
  }

  /** Throws the state away: nothing of it may be acted on any more. */
  private void fail(Failed failed) {
    if (log != null) {
      log.drop();
    }
    log = null;
    groups = new Groups(settings.limits());
    refusal = failed;
    noRoom.forgetRun();
    status = new Status.Loading();
    setDeadline(Long.MAX_VALUE);
    waiting.failAll(failed);
  }

  // Reading the log.

  private void open() {
    if (status instanceof Status.Stopped || isServing()) {
      return;
    }
    around
        .topics()
        .offsetsLog()
        .whenComplete(
            (partition, failure) ->
                outbox.post(
                    failure == null
                        ? new Mail.Opened(partition)
                        : Mail.NotOpened.because(failure)));
  }

  private void load(Partition partition, Round round) {
    if (status instanceof Status.Stopped || isServing()) {
      return;
    }
    Opening opening;
    try {
      opening = Opening.of(partition, settings.limits(), around, noRoom.run(), toMs);
    } catch (IOException e) {
      unavailable(String.valueOf(e.getMessage()));
      return;
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "the records of the offsets log make no sense together", e);
      unavailable("the records of the offsets log make no sense together (" + e + ")");
      return;
    }
    log = new OffsetsLog(partition, around.wallClock());
    groups = opening.groups();
    lastMs = Math.max(lastMs, opening.nowMs());
    opening.steps().forEach(step -> keep(step, round));
    for (long connection : held) {
      step(new GroupEvent.ConnectionHeld(connection), around.timers().nanoTime(), round);
    }
    round.loaded = opening.loaded();
  }

  private void serve(Status.Loaded loaded) {
    noRoom.served();
    status = new Status.Serving(loaded);
    around.observer().onGroupsLoaded(loaded.records(), loaded.bytes(), loaded.nanos());
    LOG.log(Level.DEBUG, loaded::inWords);
    sweepLater();
    attempted();
  }

  private void attempted() {
    noRoom.ended().forEach(outbox::post);
    outbox.attempted();
  }

  private void unavailable(String reason) {
    noRoom.forgetRun();
    unavailable(reason, new Failed(Cause.STORAGE_FAILED, "groups are not served: " + reason));
  }

  private void unavailable(String reason, Failed failed) {
    if (status instanceof Status.Stopped) {
      return;
    }
    refusal = failed;
    status = new Status.Unavailable(reason);
    if (stopping) {
      LOG.log(Level.DEBUG, failed.message());
    } else {
      LOG.log(Level.ERROR, () -> "%s. Trying again in %d ms".formatted(failed.message(), RETRY_MS));
      around
          .timers()
          .after(TimeUnit.MILLISECONDS.toNanos(RETRY_MS), () -> outbox.post(new Mail.Load()));
    }
    attempted();
  }

  // Time.

  private void setDeadline(long atMs) {
    outbox.waitsForTime(atMs != Long.MAX_VALUE);
    deadline.set(atMs, toMs.applyAsLong(around.timers().nanoTime()));
  }

  private void sweepLater() {
    long now = toMs.applyAsLong(around.timers().nanoTime());
    sweep.set(now + settings.sweepIntervalMs(), now);
  }

  private void stop() {
    fail(STOPPED);
    sweep.set(Long.MAX_VALUE, 0);
    status = new Status.Stopped();
    attempted();
  }
}
