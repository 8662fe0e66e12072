package io.minikafka.coordinator;

import io.minikafka.PartitionId;
import io.minikafka.group.GroupChoice;
import io.minikafka.group.GroupDescription;
import io.minikafka.group.GroupEvent;
import io.minikafka.group.GroupEvent.LogEnds;
import io.minikafka.group.GroupEvent.LogStarts;
import io.minikafka.group.Groups;
import io.minikafka.group.GroupsPart;
import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;

/**
 * Runs the rules of consumer groups: takes events one at a time, writes down what they change, and
 * lets an answer out when all that it rests on is on stable storage.
 *
 * <p><b>Life-cycle.</b> {@link #start} once: reads the offsets log, sets back the commits that
 * recovery left beyond their logs, and then serves. What it could not append or read it never
 * guesses: it fails the requests that wait, refuses those that come, and reads the log again, as
 * often as needed. {@link #stop} once: answers those that wait and moves no partition for it.
 *
 * <p><b>Threads.</b> All methods: any, never block. The rules run on the worker, one burst of
 * events at a time: its records are one append, and the next burst begins when that was answered.
 * Answers come on whichever thread made them durable.
 *
 * <p><b>Bounds.</b> Those of {@link io.minikafka.group.GroupLimits}; the events that wait are
 * bounded by those who send them, which wait for their answers.
 */
public final class Coordinator {
  private static final System.Logger LOG = System.getLogger(Coordinator.class.getName());

  // Constant after construction.
  private final Surroundings around;
  private final Runner runner;
  private final Mailbox<Mail> mailbox;
  private final StallWatch stalls;
  private final long originNanos;

  private final AtomicLong tickets = new AtomicLong();
  private final CompletableFuture<Void> started = new CompletableFuture<>();

  /** Groups could not be looked at: why is in the reply. */
  public static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final transient GroupReply.Failed failed;

    RefusedException(GroupReply.Failed failed) {
      super(failed.message(), null, false, false);
      this.failed = failed;
    }

    public GroupReply.Failed failed() {
      return failed;
    }

    /**
     * What {@link #look} failed with, however it was passed on.
     *
     * @throws CompletionException if it is anything else
     */
    public static RefusedException of(Throwable failure) {
      Throwable cause =
          failure instanceof CompletionException && failure.getCause() != null
              ? failure.getCause()
              : failure;
      if (cause instanceof RefusedException refused) {
        return refused;
      }
      throw new CompletionException(cause);
    }
  }

  public Coordinator(CoordinatorSettings settings, Surroundings around) {
    this.around = around;
    this.originNanos = around.timers().nanoTime();
    this.runner = new Runner(settings, around, new Outbox(), this::toMs);
    this.mailbox = new Mailbox<>(around.worker(), around.timers()::nanoTime, runner);
    this.stalls = new StallWatch(around.timers(), this::nowMs, this::stalled);
  }

  /**
   * @return completes when the first attempt to read the log has ended; {@link #status} says how
   */
  public CompletableFuture<Void> start() {
    mailbox.post(new Mail.Load());
    return started.copy();
  }

  public Status status() {
    return runner.status();
  }

  /** Events that wait, or are being handled. */
  public int mailboxDepth() {
    return mailbox.depth();
  }

  /**
   * Asks the rules something.
   *
   * @param connection of the one who asks; 0 if there is none
   * @param event made with a ticket of its own
   * @param done called once, on any thread; not any more once {@link #disconnected} was told
   */
  public void ask(long connection, LongFunction<GroupEvent> event, Consumer<GroupReply> done) {
    long ticket = tickets.incrementAndGet();
    post(new Mail.Ask(ticket, connection, event.apply(ticket), done));
  }

  /** Topics were created, changed or deleted. */
  public void topicsChanged() {
    post(new Mail.Tell(new GroupEvent.TopicsChanged(around.topics().view())));
  }

  /**
   * A partition was cut while it was open: commits beyond its end are set back to that.
   *
   * @return completes when that is on stable storage; also if groups are not served now: they do it
   *     when they are
   */
  public CompletableFuture<Void> partitionCut(PartitionId partition, long end) {
    post(new Mail.Tell(new GroupEvent.PartitionOpened(partition, epoch -> end)));
    return look(groups -> groups).handle((done, notServed) -> null);
  }

  /** A connection that has asked is gone. */
  public void disconnected(long connection) {
    post(new Mail.Tell(new GroupEvent.Disconnected(connection)));
  }

  /** The broker stopped reading from a connection that has asked, or reads from it again. */
  public void held(long connection, boolean held) {
    post(
        new Mail.Tell(
            held
                ? new GroupEvent.ConnectionHeld(connection)
                : new GroupEvent.ConnectionFreed(connection)));
  }

  /**
   * Looks at the groups as they are after all events before this one, when that is on stable
   * storage.
   *
   * @param look short: everything waits for it
   * @return exceptionally with {@link RefusedException} if groups are not served
   */
  public <T> CompletableFuture<T> look(Function<Groups, T> look) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    post(
        new Mail.Look(
            groups -> {
              try {
                answer.complete(look.apply(groups));
              } catch (RuntimeException e) {
                answer.completeExceptionally(e);
              }
            },
            failed -> answer.completeExceptionally(new RefusedException(failed))));
    return answer;
  }

  /** One group, as {@link #look} sees it; empty if there is none of that name. */
  public CompletableFuture<Optional<GroupDescription>> describe(String group) {
    return look(groups -> groups.describe(group, nowMs()));
  }

  /** Where the logs of partitions start; asked when it matters. */
  public LogStarts logStarts() {
    return around::logStart;
  }

  /** Some groups, as {@link #look} sees them. */
  public CompletableFuture<GroupsPart> describe(GroupChoice choice) {
    return look(groups -> groups.describe(choice, nowMs()));
  }

  /** Where the logs of partitions end, as far as consumers can see; asked when it matters. */
  public LogEnds logEnds() {
    return id ->
        around
            .topics()
            .partition(id)
            .filter(partition -> !partition.snapshot().isOffline())
            .map(partition -> OptionalLong.of(partition.highWatermark()))
            .orElseGet(OptionalLong::empty);
  }

  /**
   * Answers all that wait and refuses what comes; the members stay what they are. That the offsets
   * log closes under it is no failure from now on.
   *
   * @return completes when nothing more is appended
   */
  public CompletableFuture<Void> stop() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    runner.stopping();
    mailbox.post(new Mail.Stop(done));
    return done;
  }

  private void post(Mail mail) {
    stalls.check();
    mailbox.post(mail);
  }

  private void stalled(long ms) {
    LOG.log(Level.WARNING, "the broker stood still for {0} ms; sessions are extended by that", ms);
    around.observer().onGroupsStalled(ms);
    mailbox.post(new Mail.Tell(new GroupEvent.Stalled(ms)));
  }

  private long nowMs() {
    return toMs(around.timers().nanoTime());
  }

  private long toMs(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos - originNanos);
  }

  private final class Outbox implements Runner.Outbox {
    @Override
    public void post(Mail mail) {
      Coordinator.this.post(mail);
    }

    @Override
    public void attempted() {
      started.complete(null);
    }

    @Override
    public void waitsForTime(boolean on) {
      stalls.watch(on);
    }
  }
}
