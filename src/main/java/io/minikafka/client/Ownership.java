package io.minikafka.client;

import io.minikafka.PartitionId;
import io.minikafka.Timers;
import io.minikafka.TopicPartition;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a member may read, and until when: where the thread that heartbeats and the thread that
 * polls meet. The one brings what the coordinator grants and renews the lease; the other takes up
 * and lets go, at moments of its own, and asks before it hands out a record.
 *
 * <p>{@code granted} is the coordinator's last list, {@code held} what the application has. A
 * partition in the one only is to be taken up, in the other only to be let go; in both under
 * different grants it was lost and given anew.
 *
 * <p><b>The lease</b> [I31] is over a session after the last answered heartbeat was <i>sent</i>.
 * Nothing is handed out then; whoever notices (here: {@link #mayRead}, {@link #changes}) makes it
 * final: all is lost and let go, even if the coordinator was still patient. Unnoticed, it can be
 * renewed: an answer under the same grants proves that nobody else had the partitions meanwhile.
 */
final class Ownership {
  // Constant after construction.
  private final Timers timers;
  private final long sessionNanos;
  private final Doorbell user;
  private final Doorbell member;

  // Guarded by this.
  private final Map<TopicPartition, Seat> held = new LinkedHashMap<>();
  private Map<TopicPartition, Seat> granted = Map.of();

  /** Granted, but of topics whose names are not known yet. */
  private List<PartitionId> nameless = List.of();

  private boolean joined;
  private boolean lost;
  private boolean mustReport;
  private boolean needsList;
  private long leaseEndNanos;
  private Timers.@Nullable Timer alarm;
  private long generation;
  private long assignment;

  /** Counts losses: what was asked before the last one says nothing about what came after. */
  private long losses;

  /** Lists of version 0 come when what is missing from them has gone already. */
  private boolean listsComeLate;

  private @Nullable MinikafkaException failure;
  private boolean failureStays;

  /** See {@link #wantRejoin}. */
  private boolean rejoinWanted;

  private boolean rejoinAllowed;

  /**
   * @param user rung when there is something for the polling thread
   * @param member rung when there is something for the heartbeat thread
   */
  Ownership(Timers timers, int sessionMs, Doorbell user, Doorbell member) {
    this.timers = timers;
    this.sessionNanos = sessionMs * 1_000_000L;
    this.user = user;
    this.member = member;
  }

  /** What the polling thread has to do, in this order. */
  record Changes(List<Seat> lost, List<Seat> revoked, List<Seat> added) {}

  /**
   * What a heartbeat says.
   *
   * @param owned also what this member has not let go yet
   * @param losses so far; an answer says nothing about what came after the next one
   * @param leaseLeftNanos until the lease is over
   */
  record Report(
      long generation,
      long assignment,
      List<PartitionId> owned,
      long losses,
      long leaseLeftNanos) {}

  // What the heartbeat thread does.

  /** How often all was lost. */
  synchronized long losses() {
    return losses;
  }

  /** The coordinator is there and takes this member for one; asked at {@code sentNanos}. */
  synchronized void renew(long sentNanos) {
    if (joined) {
      leaseUntil(sentNanos + sessionNanos);
      forgive();
    }
  }

  /** What could not be done has been done after all. */
  private void forgive() {
    if (!failureStays) {
      failure = null;
    }
  }

  private void leaseUntil(long endNanos) {
    if (endNanos - leaseEndNanos <= 0) {
      return;
    }
    leaseEndNanos = endNanos;
    if (alarm != null) {
      alarm.cancel();
    }
    // A poll that waits is to notice the end of the lease.
    alarm = timers.after(Math.max(0, endNanos - timers.nanoTime()), user::ring);
  }

  /** This member has joined, or joined again; a list follows. */
  synchronized void joined(long sentNanos, int version) {
    if (!joined) {
      joined = true;
      assignment = 0;
      leaseEndNanos = sentNanos;
    }
    listsComeLate = version == 0;
    rejoinWanted = false;
    rejoinAllowed = false;
    leaseUntil(sentNanos + sessionNanos);
    forgive();
    user.ring();
  }

  /**
   * A list came.
   *
   * @param seats those whose topics have names
   * @param rest the others
   * @param lossesThen those of the report it answers
   * @return whether it was news
   */
  synchronized boolean listed(
      GroupList list, List<Seat> seats, List<PartitionId> rest, long lossesThen) {
    if (!joined || lossesThen != losses || list.assignment() < assignment) {
      return false;
    }
    Map<TopicPartition, Seat> now = new LinkedHashMap<>();
    seats.forEach(seat -> now.put(seat.partition(), seat));
    boolean news = list.assignment() != assignment || !now.equals(granted);
    assignment = list.assignment();
    generation = list.generation();
    granted = now;
    nameless = List.copyOf(rest);
    needsList = false;
    if (news) {
      user.ring();
    }
    return news;
  }

  /** To be sent as a heartbeat. */
  synchronized Report report() {
    mustReport = false;
    Set<PartitionId> owned = new LinkedHashSet<>(nameless);
    granted.values().forEach(seat -> owned.add(seat.id()));
    if (!lost) {
      held.values().forEach(seat -> owned.add(seat.id()));
    }
    long leaseLeftNanos = leaseEndNanos - timers.nanoTime();
    return new Report(generation, assignment, List.copyOf(owned), losses, leaseLeftNanos);
  }

  /** Whether something was let go that no heartbeat has said yet. */
  synchronized boolean mustReport() {
    return mustReport;
  }

  /** Whether what is granted was forgotten, and is to be asked for. */
  synchronized boolean needsList() {
    return needsList;
  }

  synchronized long generation() {
    return generation;
  }

  /** Not a member any more, or never more under this id. */
  synchronized void dismissed() {
    joined = false;
    rejoinWanted = false;
    rejoinAllowed = false;
    lose();
  }

  private void lose() {
    lost = true;
    losses++;
    granted = Map.of();
    nameless = List.of();
    needsList = true;
    mustReport = true;
    user.ring();
    member.ring();
  }

  /**
   * Something is to come out of the next {@code poll}.
   *
   * @param stays whether out of all that follow, too
   */
  synchronized void tell(MinikafkaException why, boolean stays) {
    failure = why;
    failureStays = stays;
    user.ring();
  }

  /**
   * The member has to join again, which in version 0 lets go of everything: not before the polling
   * thread says so.
   */
  synchronized void wantRejoin() {
    if (!rejoinWanted) {
      rejoinWanted = true;
      user.ring();
    }
  }

  synchronized boolean isRejoinAllowed() {
    return rejoinAllowed;
  }

  /** After the member has gone: no alarm rings any more. */
  synchronized void end() {
    if (alarm != null) {
      alarm.cancel();
    }
  }

  // What the polling thread does.

  /**
   * @throws MinikafkaException what the heartbeat thread could not deal with
   */
  synchronized void throwFailure() {
    MinikafkaException why = failure;
    if (why != null) {
      if (!failureStays) {
        failure = null;
      }
      throw why;
    }
  }

  synchronized Changes changes() {
    loseWhatIsOver();
    lost &= !held.isEmpty();
    if (lost) {
      return new Changes(List.copyOf(held.values()), List.of(), List.of());
    }
    List<Seat> gone = new ArrayList<>();
    List<Seat> revoked = new ArrayList<>();
    List<Seat> added = new ArrayList<>();
    for (Seat seat : held.values()) {
      Seat now = granted.get(seat.partition());
      if (now == null && !listsComeLate) {
        revoked.add(seat);
      } else if (!seat.equals(now)) {
        gone.add(seat);
      }
    }
    for (Seat seat : granted.values()) {
      if (!seat.equals(held.get(seat.partition()))) {
        added.add(seat);
      }
    }
    return new Changes(gone, revoked, added);
  }

  private void loseWhatIsOver() {
    boolean has = !held.isEmpty() || !granted.isEmpty();
    if (!lost && joined && has && isOver()) {
      lose();
    }
  }

  private boolean isOver() {
    return timers.nanoTime() - leaseEndNanos >= 0;
  }

  /** These are dropped or let go; the next heartbeat, at once, says so. */
  synchronized void letGo(List<Seat> seats) {
    seats.forEach(seat -> held.remove(seat.partition(), seat));
    if (held.isEmpty()) {
      lost = false;
    }
    mustReport = true;
    member.ring();
  }

  synchronized void takeUp(List<Seat> seats) {
    seats.forEach(seat -> held.put(seat.partition(), seat));
  }

  /** Whether records may be handed out and fetched now; if not because of time, all is lost. */
  synchronized boolean mayRead() {
    loseWhatIsOver();
    return !lost && !rejoinAllowed;
  }

  /** Whether the seat is this member's now. */
  synchronized boolean holds(Seat seat) {
    return seat.equals(held.get(seat.partition())) && isLasting();
  }

  synchronized boolean isLasting() {
    return joined && !lost && !isOver();
  }

  synchronized Map<TopicPartition, Seat> held() {
    return Map.copyOf(held);
  }

  synchronized boolean isRejoinWanted() {
    return rejoinWanted && !rejoinAllowed;
  }

  synchronized void allowRejoin() {
    if (rejoinWanted) {
      rejoinAllowed = true;
      member.ring();
    }
  }
}
