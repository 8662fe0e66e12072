package io.minikafka.client;

import io.minikafka.Timers;
import io.minikafka.protocol.ErrorCode;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The consumer's loop: one long poll for all partitions is under way whenever there is room for its
 * answer, which is accepted when the one before has been returned to the application. So at most
 * three answers are in memory: one with the application, one accepted, one under way.
 *
 * <p>The using thread's alone; the network's threads only ring the bell.
 */
final class Fetcher {
  /** Fetches that a seek made useless and that the server still holds. */
  private static final int MAX_ABANDONED = 4;

  /** Until a partition a group gave, and the server does not know, is asked for again. */
  private static final long UNKNOWN_PAUSE_NANOS = 200_000_000;

  /** Who asks for so few bytes gets one entry, which the server checks before. */
  private static final int CHECKED_BYTES = 1;

  // Constant after construction.
  private final ConsumerSettings settings;
  private final Timers timers;
  private final Link link;
  private final OffsetLookup lookup;
  private final Doorbell doorbell;

  // The using thread's alone.
  private List<AssignedPartition> assigned = List.of();
  private final ArrayDeque<FetchedPart> ready = new ArrayDeque<>();
  private final ArrayDeque<Failed> failed = new ArrayDeque<>();
  private final List<CompletableFuture<?>> abandoned = new ArrayList<>();
  private @Nullable Asked<List<FetchAnswer>> fetch;
  private @Nullable Asked<OffsetLookup.Findings> question;
  private @Nullable CompletableFuture<Session> connecting;
  private boolean failing;
  private long failingSinceNanos;

  Fetcher(
      ConsumerSettings settings, Timers timers, Link link, OffsetLookup lookup, Doorbell doorbell) {
    this.settings = settings;
    this.timers = timers;
    this.link = link;
    this.lookup = lookup;
    this.doorbell = doorbell;
  }

  /** Something asked, and the partitions as they were then. */
  private record Asked<T>(
      CompletableFuture<T> answer,
      Connection connection,
      List<AssignedPartition> partitions,
      List<Integer> generations) {}

  /** A partition that cannot go on; told when everything before it was returned. */
  private record Failed(AssignedPartition state, int generation, MinikafkaException why) {}

  void assign(List<AssignedPartition> partitions, boolean added) {
    assigned = partitions;
    ready.removeIf(part -> !partitions.contains(part.state()));
    failed.removeIf(failure -> !partitions.contains(failure.state()));
    if (added) {
      abandonFetch();
    }
  }

  /** Some partitions were moved. */
  void sought() {
    abandonFetch();
  }

  /** Adds the next records to {@code out}; returns with none at the end of the wait. */
  void poll(Gate gate, long maxWaitNanos, List<ConsumerRecord> out) {
    long deadlineNanos = timers.nanoTime() + maxWaitNanos;
    while (true) {
      doorbell.throwIfWoken();
      if (gate.turn()) {
        drain(out);
        if (!out.isEmpty() && gate.isOpen()) {
          return;
        }
        if (!out.isEmpty()) {
          // Closed a moment ago, for good: the positions that moved are lost with the partitions.
          out.clear();
          continue;
        }
        throwFailure();
        boolean moved = acceptAnswer();
        moved |= askIfNeeded();
        if (moved) {
          continue;
        }
      }
      long leftNanos = deadlineNanos - timers.nanoTime();
      if (leftNanos <= 0) {
        return;
      }
      doorbell.await(leftNanos);
    }
  }

  private void drain(List<ConsumerRecord> out) {
    while (out.size() < settings.maxPollRecords()) {
      FetchedPart part = ready.peek();
      if (part == null) {
        return;
      }
      try {
        if (part.isStale() || part.drainTo(out, settings.maxPollRecords())) {
          ready.remove();
        }
      } catch (CorruptDataException e) {
        ready.remove();
        // Whatever was fetched behind it is not to be returned before it.
        part.state().refetchChecked();
        failed.addFirst(new Failed(part.state(), part.state().generation(), e));
        abandonFetch();
        return;
      }
    }
  }

  private void throwFailure() {
    while (true) {
      Failed failure = failed.poll();
      if (failure == null) {
        return;
      }
      if (failure.generation() == failure.state().generation()) {
        throw failure.why();
      }
    }
  }

  /** Takes what has come, if there is room; true if that changed anything. */
  private boolean acceptAnswer() {
    Asked<List<FetchAnswer>> done = fetch;
    if (done == null || !done.answer().isDone() || !ready.isEmpty()) {
      return false;
    }
    fetch = null;
    if (done.answer().isCompletedExceptionally()) {
      failedToAsk(Failures.of(done.answer().exceptionNow()), done.connection());
      return true;
    }
    failing = false;
    List<FetchAnswer> answers = done.answer().resultNow();
    for (int i = 0; i < answers.size(); i++) {
      AssignedPartition state = done.partitions().get(i);
      if (state.generation() == done.generations().get(i) && assigned.contains(state)) {
        accept(state, answers.get(i));
      }
    }
    // The next fetch is under way while this answer is decoded.
    askIfNeeded();
    return true;
  }

  private void accept(AssignedPartition state, FetchAnswer answer) {
    switch (answer.error()) {
      case NONE -> acceptEntries(state, answer);
      case OFFSET_OUT_OF_RANGE -> outOfRange(state, answer);
      case DAMAGED_RANGE ->
          fail(state, new DamagedRangeException(state.partition(), answer.from(), answer.to()));
      case LOG_TRUNCATED ->
          fail(
              state,
              new LogTruncatedException(
                  state.partition(), state.fetchOffset(), answer.from(), answer.to()));
      case UNKNOWN_TOPIC, NOT_LEADER -> {
        if (state.isSeated()) {
          holdBack(state);
        } else {
          state.doubt();
        }
      }
      default ->
          fail(
              state,
              new ServerException(
                  answer.error(), "%s: %s".formatted(state.partition(), answer.error())));
    }
  }

  private void acceptEntries(AssignedPartition state, FetchAnswer answer) {
    state.highWatermark(answer.highWatermark());
    if (answer.entries().length() == 0) {
      return;
    }
    ByteBuffer entries = answer.entries().buffer();
    AnswerOutline outline =
        AnswerOutline.of(entries, state.fetchOffset(), state.lastEpoch(), state.batchEnd());
    if (outline.problem().isPresent()) {
      CorruptDataException why =
          new CorruptDataException(
              state.partition(), state.fetchOffset(), outline.problem().get(), null);
      state.refetchChecked();
      failed.add(new Failed(state, state.generation(), why));
      return;
    }
    state
        .topic()
        .ifPresent(topic -> ready.add(new FetchedPart(state, topic, entries, settings.losses())));
    state.fetched(outline);
  }

  /** Gone, or not there yet: the group will say. */
  private void holdBack(AssignedPartition state) {
    state.holdBack(timers.nanoTime() + UNKNOWN_PAUSE_NANOS);
    timers.after(UNKNOWN_PAUSE_NANOS, doorbell::ring);
  }

  private void outOfRange(AssignedPartition state, FetchAnswer answer) {
    switch (settings.reset()) {
      case EARLIEST -> passOver(state, answer, answer.logStart());
      case LATEST -> passOver(state, answer, answer.highWatermark());
      case FAIL ->
          fail(
              state,
              new OffsetOutOfRangeException(
                  state.partition(),
                  state.isAtCommitted() ? "the committed offset" : "position",
                  state.fetchOffset(),
                  answer.logStart(),
                  answer.highWatermark()));
    }
  }

  private void passOver(AssignedPartition state, FetchAnswer answer, long to) {
    long from = state.position();
    state.seek(new StartPoint.At(to));
    if (from < answer.logStart()) {
      settings.losses().onRecordsLost(state.partition(), from, answer.logStart());
    }
  }

  private void fail(AssignedPartition state, MinikafkaException why) {
    state.refetch();
    failed.add(new Failed(state, state.generation(), why));
  }

  /** Sends what can be sent; true if something else than waiting can be done next. */
  private boolean askIfNeeded() {
    if (assigned.isEmpty()) {
      return false;
    }
    Session session = link.current().orElse(null);
    if (session == null) {
      return connect();
    }
    if (question == null) {
      askForUnknown(session);
    }
    // A fetch without those that are being looked up would park and keep them waiting.
    return question == null ? sendFetch(session) : takeFindings();
  }

  private boolean connect() {
    CompletableFuture<Session> attempt = connecting;
    if (attempt == null) {
      connecting = link.session();
      connecting.whenComplete((session, thrown) -> doorbell.ring());
      return connecting.isDone();
    }
    if (!attempt.isDone()) {
      return false;
    }
    connecting = null;
    if (attempt.isCompletedExceptionally()) {
      throw Failures.of(attempt.exceptionNow());
    }
    return true;
  }

  private boolean takeFindings() {
    Asked<OffsetLookup.Findings> asked = question;
    if (asked == null || !asked.answer().isDone()) {
      return false;
    }
    question = null;
    if (asked.answer().isCompletedExceptionally()) {
      MinikafkaException why = Failures.of(asked.answer().exceptionNow());
      if (isUnknown(why) && asked.partitions().stream().anyMatch(AssignedPartition::isSeated)) {
        asked.partitions().forEach(this::holdBack);
        return false;
      }
      failedToAsk(why, asked.connection());
    } else {
      failing = false;
      lookup.resolve(asked.partitions(), asked.answer().resultNow());
    }
    return true;
  }

  private static boolean isUnknown(MinikafkaException why) {
    return why instanceof ServerException refusal && refusal.error() == ErrorCode.UNKNOWN_TOPIC;
  }

  private void askForUnknown(Session session) {
    long nowNanos = timers.nanoTime();
    List<AssignedPartition> unknown = new ArrayList<>();
    for (AssignedPartition state : assigned) {
      boolean isKnown = state.isResolved() && !state.isDoubted() && state.topic().isPresent();
      if (!isKnown && !state.isHeldBack(nowNanos)) {
        unknown.add(state);
      }
    }
    if (unknown.isEmpty()) {
      return;
    }
    CompletableFuture<OffsetLookup.Findings> answer = lookup.ask(unknown);
    question = new Asked<>(answer, session.connection(), unknown, List.of());
    answer.whenComplete((found, thrown) -> doorbell.ring());
  }

  /** One fetch for all partitions that can be read; false if none was sent. */
  private boolean sendFetch(Session session) {
    abandoned.removeIf(CompletableFuture::isDone);
    if (fetch != null || abandoned.size() >= MAX_ABANDONED) {
      return false;
    }
    List<FetchQuestion.Part> parts = new ArrayList<>();
    List<AssignedPartition> asked = new ArrayList<>();
    List<Integer> generations = new ArrayList<>();
    for (AssignedPartition state : assigned) {
      TopicInfo topic = state.topic().orElse(null);
      boolean readable =
          state.isResolved()
              && !state.isDoubted()
              && !hasFailed(state)
              && !state.isHeldBack(timers.nanoTime());
      if (topic != null && readable) {
        parts.add(
            new FetchQuestion.Part(
                state.partition(),
                topic.id(),
                state.fetchOffset(),
                state.lastEpoch(),
                state.isSuspect() ? CHECKED_BYTES : settings.partitionMaxBytes()));
        asked.add(state);
        generations.add(state.generation());
      }
    }
    if (parts.isEmpty()) {
      return false;
    }
    FetchQuestion longPoll =
        new FetchQuestion(
            settings.fetchMaxWaitMs(), settings.fetchMinBytes(), settings.fetchMaxBytes(), parts);
    int timeoutMs = settings.fetchMaxWaitMs() + settings.client().requestTimeoutMs();
    CompletableFuture<List<FetchAnswer>> answer = session.dialect().fetch(longPoll, timeoutMs);
    fetch = new Asked<>(answer, session.connection(), asked, generations);
    answer.whenComplete((answers, thrown) -> doorbell.ring());
    return answer.isDone();
  }

  private boolean hasFailed(AssignedPartition state) {
    for (Failed failure : failed) {
      if (failure.state() == state) {
        return true;
      }
    }
    return false;
  }

  private void abandonFetch() {
    if (fetch != null) {
      abandoned.add(fetch.answer());
      fetch = null;
    }
  }

  /** A lost connection is borne for a while; everything else is told at once. */
  private void failedToAsk(MinikafkaException why, Connection connection) {
    if (!(why instanceof ConnectionException lost)) {
      throw why;
    }
    // After an answer that made no sense nothing on this connection can be trusted.
    connection.close(lost);
    long nowNanos = timers.nanoTime();
    if (!failing) {
      failing = true;
      failingSinceNanos = nowNanos;
    } else if (nowNanos - failingSinceNanos >= settings.client().outageMs() * 1_000_000L) {
      failing = false;
      throw why;
    }
  }
}
