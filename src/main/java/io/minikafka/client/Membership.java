package io.minikafka.client;

import io.minikafka.PartitionId;
import io.minikafka.Timers;
import io.minikafka.TopicPartition;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One member of one group: joins, heartbeats, sends commits, joins again when it was put out, and
 * leaves. All of it on a virtual thread of its own and a connection of its own, so that neither an
 * application that works on records for long nor a fetch that fills the other connection ends the
 * session.
 *
 * <p>Life-cycle: idle until the application polls for the first time; in the group; idle again when
 * the application has not polled for {@code pollIntervalMs}; ended by {@link #stop}, or by another
 * process of the same instance. Over a lost connection, and a restart of the server, the member
 * goes on under its id.
 */
final class Membership {
  /** How long to take for a goodbye; a server that cannot be connected to gets none. */
  private static final int GOODBYE_MS = 2_000;

  // Constant after construction.
  private final GroupSettings settings;
  private final Timers timers;
  private final Link link;
  private final Ownership ownership;
  private final CommitQueue commits;
  private final SubscribedTopics topics;
  private final Beats beats;
  private final MemberWait wait;
  private final Doorbell bell;
  private final Thread thread;

  // Written by the polling thread.
  private volatile boolean polling;
  private volatile long polledNanos;
  private volatile boolean keepSeat;

  /** Whether the application polls, now and then at least. Written by both threads. */
  private volatile boolean wanted;

  // The heartbeat thread's alone.
  private final Backoff backoff;
  private List<String> joinedTopics = List.of();
  private boolean isIn;
  private boolean isEnded;
  private int version = -1;
  private @Nullable Listed unresolved;

  /** Written by the heartbeat thread. */
  private volatile String member = "";

  Membership(
      GroupSettings settings,
      ClientSettings client,
      Timers timers,
      Link link,
      Ownership ownership,
      CommitQueue commits,
      SubscribedTopics topics,
      Doorbell bell) {
    this.settings = settings;
    this.timers = timers;
    this.link = link;
    this.ownership = ownership;
    this.commits = commits;
    this.topics = topics;
    this.beats = new Beats(settings, client.requestTimeoutMs(), timers, ownership, bell);
    this.wait = new MemberWait(timers, bell);
    this.bell = bell;
    this.backoff = new Backoff(client.backoffMs(), client.maxBackoffMs());
    this.thread =
        Thread.ofVirtual().name("minikafka-member-" + settings.group()).unstarted(this::run);
  }

  /** A list some of whose topics have no names yet. */
  private record Listed(GroupList list, long losses) {}

  void start() {
    thread.start();
  }

  String member() {
    return member;
  }

  // What the polling thread does.

  void pollBegan() {
    polling = true;
    if (!wanted) {
      wanted = true;
      bell.ring();
    }
  }

  void pollEnded() {
    polledNanos = timers.nanoTime();
    polling = false;
  }

  /** Leaves the group; waits for that, but at most so long. */
  void stop(boolean keepingSeat, long maxWaitMs) {
    keepSeat = keepingSeat;
    wait.stop();
    boolean interrupted = false;
    try {
      thread.join(Duration.ofMillis(maxWaitMs));
    } catch (InterruptedException e) {
      interrupted = true;
    }
    // Whatever it still waits for ends with the connection.
    link.close();
    ownership.end();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  // The heartbeat thread.

  private void run() {
    try {
      while (!wait.isStopping()) {
        turn();
      }
    } catch (MemberWait.Stopped e) {
      // As good as the end of the loop.
    }
    sayGoodbye();
  }

  private void turn() {
    if (isEnded || !wanted) {
      wait.forWork();
      return;
    }
    Session session = link.current().orElse(null);
    try {
      if (session == null) {
        session = wait.forAnswer(link.session());
      }
      turn(session, session.dialect().groups());
    } catch (ServerException e) {
      refused(e);
    } catch (ConnectionException e) {
      if (session == null) {
        ownership.tell(e, false);
      } else {
        // After an answer that made no sense nothing on this connection can be trusted.
        session.connection().close(e);
      }
    } catch (UnsupportedByServerException e) {
      ownership.tell(e, false);
      pause();
    }
  }

  private void turn(Session session, GroupDialect dialect) {
    if (version != dialect.version()) {
      if (isIn) {
        // Another server in the same place: nothing the old one said holds.
        forget();
      }
      version = dialect.version();
    }
    if (isUserGone()) {
      leaveTheStuckUser(dialect);
      return;
    }
    if (topics.dueNanos() <= 0) {
      topics.learn(wait.forAnswer(topics.ask(session)));
      listAgain();
    }
    if (isIn && commits.takeDoubt()) {
      startAgain(dialect, settings.isStatic());
    } else if (isIn && topics.topics().isEmpty()) {
      startAgain(dialect, false);
    }
    if (mustJoin()) {
      join(dialect);
    }
    if (isIn) {
      beats.take(this::listed);
      commits.send(session.connection(), dialect, member);
      boolean urgent = version == 1 && ownership.mustReport() || commits.hasRefusal();
      if (beats.send(session.connection(), dialect, member, urgent)) {
        commits.takeRefusal();
      }
    }
    waitForWork(session);
  }

  private boolean mustJoin() {
    if (topics.topics().isEmpty()) {
      return false;
    }
    if (!isIn) {
      return true;
    }
    boolean resubscribed = !joinedTopics.equals(topics.topics());
    if (version == 1) {
      return resubscribed;
    }
    if (resubscribed) {
      ownership.wantRejoin();
    }
    return ownership.isRejoinAllowed() || ownership.needsList();
  }

  private void join(GroupDialect dialect) {
    if (member.isEmpty()) {
      // Kept until it is refused: a join whose answer was lost is sent again as the same member.
      member = dialect.newMember();
    }
    List<String> names = topics.topics();
    long losses = ownership.losses();
    long sentNanos = timers.nanoTime();
    GroupList list = wait.forAnswer(dialect.join(settings, member, names));
    member = list.member();
    isIn = true;
    joinedTopics = names;
    beats.joined(list.maxWaitMs());
    ownership.joined(sentNanos, version);
    listed(list, losses);
  }

  /** Whether it was news. */
  private boolean listed(GroupList list, long losses) {
    backoff.reset();
    List<Seat> seats = new ArrayList<>();
    List<PartitionId> nameless = new ArrayList<>();
    for (GroupList.Granted granted : list.granted()) {
      String name = version == 0 ? granted.topic() : topics.name(granted.topicId()).orElse("");
      if (name.isEmpty()) {
        nameless.add(new PartitionId(granted.topicId(), granted.partition()));
      } else {
        TopicPartition partition = new TopicPartition(name, granted.partition());
        seats.add(new Seat(partition, granted.topicId(), granted.grant()));
      }
    }
    unresolved = null;
    if (!nameless.isEmpty()) {
      unresolved = new Listed(list, losses);
      topics.sawUnknownId();
    }
    return ownership.listed(list, seats, nameless, losses);
  }

  private void listAgain() {
    Listed again = unresolved;
    if (again != null) {
      listed(again.list(), again.losses());
    }
  }

  private void refused(ServerException refusal) {
    switch (refusal.error()) {
      case UNKNOWN_MEMBER, REBALANCE_IN_PROGRESS, ILLEGAL_GENERATION -> {
        boolean wasIn = isIn;
        forget();
        if (!wasIn) {
          pause();
        }
      }
      case FENCED_INSTANCE -> {
        isEnded = true;
        forget();
        ownership.tell(
            new FencedInstanceException(
                "group %s: another process has taken the place of instance %s"
                    .formatted(settings.group(), settings.instance())),
            true);
      }
      case NOT_LEADER, THROTTLED, SHUTTING_DOWN -> pause();
      default -> {
        ownership.tell(refusal, false);
        pause();
      }
    }
  }

  /** What there was between this member and the coordinator is over. */
  private void forget() {
    member = "";
    isIn = false;
    unresolved = null;
    beats.clear();
    ownership.dismissed();
  }

  /** Leaves, to join again under another id and so under other grants. */
  private void startAgain(GroupDialect dialect, boolean keepingSeat) {
    String last = member;
    forget();
    wait.forAnswer(dialect.leave(settings.group(), last, keepingSeat));
  }

  private boolean isUserGone() {
    long limitNanos = settings.pollIntervalMs() * 1_000_000L;
    return !polling && timers.nanoTime() - polledNanos >= limitNanos;
  }

  private void leaveTheStuckUser(GroupDialect dialect) {
    wanted = false;
    if (polling) {
      // It was just coming back.
      wanted = true;
    } else if (isIn) {
      startAgain(dialect, false);
    }
  }

  private void sayGoodbye() {
    if (!isIn) {
      return;
    }
    try {
      long deadlineNanos = timers.nanoTime() + GOODBYE_MS * 1_000_000L;
      Session session = wait.forAnswer(link.sessionAtOnce(), deadlineNanos);
      wait.forAnswer(
          session.dialect().groups().leave(settings.group(), member, keepSeat), deadlineNanos);
    } catch (MinikafkaException | MemberWait.Stopped e) {
      // The session will end by itself.
    }
  }

  private void pause() {
    long untilNanos = timers.nanoTime() + backoff.afterFailureMs() * 1_000_000L;
    beats.pauseUntil(untilNanos);
    while (!wait.isStopping() && timers.nanoTime() - untilNanos < 0) {
      wait.until(untilNanos);
    }
  }

  /** Until a heartbeat is due, something has come, or somebody rings. */
  private void waitForWork(Session session) {
    if (!session.connection().isOpen()) {
      return;
    }
    long limitNanos = settings.pollIntervalMs() * 1_000_000L;
    long patienceNanos = polling ? limitNanos / 4 : polledNanos + limitNanos - timers.nanoTime();
    long waitNanos = Math.min(topics.dueNanos(), patienceNanos);
    if (isIn) {
      waitNanos = Math.min(waitNanos, beats.dueNanos());
    }
    if (commits.pauseNanos() > 0) {
      waitNanos = Math.min(waitNanos, commits.pauseNanos());
    }
    wait.until(timers.nanoTime() + waitNanos);
  }
}
