package io.minikafka.broker;

import io.minikafka.Caller;
import io.minikafka.EngineObserver;
import io.minikafka.Timers;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Fetch;
import io.minikafka.topic.Topics;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * API 4: reads from many partitions at once and waits if there is too little. Never blocks the
 * connection's thread.
 */
final class FetchHandler {
  private final Surroundings around;

  /**
   * What fetches need from their surroundings.
   *
   * @param worker runs reads that may block
   * @param pool memory for what is not sent straight from a file
   * @param observer told what is answered
   */
  record Surroundings(
      Topics topics,
      ParkedFetches parkedFetches,
      Timers timers,
      Executor worker,
      BufferPool pool,
      BrokerLimits limits,
      EngineObserver observer) {}

  FetchHandler(Surroundings around) {
    this.around = around;
  }

  void fetch(
      Caller caller, Fetch.Request request, Session session, Consumer<Reply<Fetch.Response>> done) {
    int readable = V1FetchPlan.REQUIRED_KINDS;
    if ((request.kinds() & readable) != readable) {
      done.accept(
          Reply.failure(
              ErrorCode.INVALID_REQUEST,
              "kinds is %#x; bits 0 (batch marker) and 1 (attributed record) must be set"
                  .formatted(request.kinds())));
      return;
    }
    int count = request.partitions().size();
    if (tooMany(count, V1FetchPlan.ANSWER_HEAD_BYTES, done)) {
      return;
    }
    // Asking for no bytes is asking not to wait.
    int maxWaitMs = request.minBytes() == 0 || count == 0 ? 0 : request.maxWaitMs();
    run(new V1FetchPlan(around, request, session.nextRotation()), session, maxWaitMs, done);
  }

  void fetchVersion0(
      Caller caller,
      Fetch.RequestV0 request,
      Session session,
      Consumer<Reply<Fetch.ResponseV0>> done) {
    int count = request.partitions().size();
    if (tooMany(count, V0FetchPlan.ANSWER_HEAD_BYTES, done)) {
      return;
    }
    int maxWaitMs = count == 0 ? 0 : request.maxWaitMs();
    run(new V0FetchPlan(around, request, session.nextRotation()), session, maxWaitMs, done);
  }

  private <R> boolean tooMany(int count, int answerBytes, Consumer<Reply<R>> done) {
    int limit = around.limits.maxPartitions(answerBytes);
    if (count <= limit) {
      return false;
    }
    done.accept(
        Reply.failure(
            ErrorCode.LIMIT_REACHED,
            "a fetch of %d partitions; the limit is %d".formatted(count, limit)));
    return true;
  }

  private <R> void run(FetchPlan<R> plan, Session session, int maxWaitMs, Consumer<Reply<R>> done) {
    long waitMs = Math.min(Integer.toUnsignedLong(maxWaitMs), around.limits.maxFetchWaitMs());
    new FetchRun<>(
            plan,
            session,
            around.worker,
            around.timers,
            around.parkedFetches,
            TimeUnit.MILLISECONDS.toNanos(waitMs),
            around.observer,
            done)
        .start();
  }
}
