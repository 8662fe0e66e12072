package io.minikafka.coordinator;

import io.minikafka.coordinator.GroupReply.Failed;
import io.minikafka.group.GroupEvent;
import io.minikafka.group.Groups;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * What is known of a disk without room for the offsets log. A refused append has written nothing,
 * but the groups are ahead of the log then: they are read anew, and what comes meanwhile waits. For
 * a while after that, what asks for a change is refused at once: to try it means to read the whole
 * log again, and to fail everybody who waits.
 *
 * <p>One burst at a time, like {@link Runner}.
 */
final class NoRoom {
  private final List<Mail> putOff = new ArrayList<>();
  private Optional<Failed> refusal = Optional.empty();
  private long refusedAtNanos;
  private Optional<Groups.Run> run = Optional.empty();
  private boolean isReading;
  private boolean isReadable;

  /**
   * An append was refused; the groups, whose run it was, are about to be read anew.
   *
   * @param again is asked once more then
   */
  void refused(Failed failed, Groups.Run given, List<? extends Mail> again, long nowNanos) {
    putOff.addAll(again);
    refusal = Optional.of(failed);
    refusedAtNanos = nowNanos;
    run = Optional.of(given);
    isReading = true;
  }

  /** The run that the groups read next go on with; empty if they begin one. */
  Optional<Groups.Run> run() {
    return run;
  }

  /** Nobody knows what is in the log: they begin a run. */
  void forgetRun() {
    run = Optional.empty();
    isReadable = false;
  }

  /** The groups were read; what is to be written before they change found no room. */
  void readOnly() {
    isReadable = true;
  }

  boolean isReadable() {
    return isReadable;
  }

  /** The groups are served in full. */
  void served() {
    isReadable = false;
  }

  /**
   * @return whether the event waits until the groups were read
   */
  boolean putsOff(Mail mail) {
    return isReading && putOff.add(mail);
  }

  /** The connection is gone: nothing that it asked is carried out any more. */
  void forget(long connection) {
    putOff.removeIf(mail -> mail instanceof Mail.Ask ask && ask.connection() == connection);
  }

  /** The reading has ended, well or not. */
  List<Mail> ended() {
    isReading = false;
    List<Mail> back = List.copyOf(putOff);
    putOff.clear();
    return back;
  }

  /** Why an event that asks for a change is not even tried. */
  Optional<Failed> refuses(GroupEvent event, long nowNanos) {
    if (nowNanos - refusedAtNanos >= TimeUnit.MILLISECONDS.toNanos(Runner.RETRY_MS)) {
      refusal = Optional.empty();
    }
    return refusal.filter(failed -> asksForChange(event));
  }

  private static boolean asksForChange(GroupEvent event) {
    return switch (event) {
      case GroupEvent.Join e -> true;
      case GroupEvent.Leave e -> true;
      case GroupEvent.Commit e -> true;
      case GroupEvent.Commit0 e -> true;
      case GroupEvent.SetOffsets e -> !e.validateOnly();
      case GroupEvent.UndoReset e -> !e.validateOnly();
      case GroupEvent.DeleteOffsets e -> !e.validateOnly();
      case GroupEvent.DeleteGroup e -> !e.validateOnly();
      // These change something now and then only, or nobody waits for them.
      case GroupEvent.Heartbeat e -> false;
      case GroupEvent.Heartbeat0 e -> false;
      case GroupEvent.FetchOffsets e -> false;
      case GroupEvent.FetchOffset0 e -> false;
      case GroupEvent.Disconnected e -> false;
      case GroupEvent.ConnectionHeld e -> false;
      case GroupEvent.ConnectionFreed e -> false;
      case GroupEvent.TopicsChanged e -> false;
      case GroupEvent.PartitionOpened e -> false;
      case GroupEvent.Tick e -> false;
      case GroupEvent.Stalled e -> false;
      case GroupEvent.Sweep e -> false;
    };
  }

  /**
   * Whether it had no part in a refused append: a look at commits, or a heartbeat that was already
   * waiting.
   *
   * @param asked tickets of the burst whose append it was
   */
  static boolean isBystander(Mail.Ask ask, Set<Long> asked) {
    return onlyReads(ask.event())
        || (ask.event() instanceof GroupEvent.Heartbeat && !asked.contains(ask.ticket()));
  }

  private static boolean onlyReads(GroupEvent event) {
    return event instanceof GroupEvent.FetchOffsets || event instanceof GroupEvent.FetchOffset0;
  }

  /** Whether the event is taken although the groups can only be read. */
  boolean serves(GroupEvent event) {
    return isReadable && onlyReads(event);
  }
}
