package io.minikafka.admin;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.minikafka.Caller;
import io.minikafka.broker.ControlPlane;
import io.minikafka.broker.Feed;
import io.minikafka.broker.Refusal;
import io.minikafka.broker.Result;
import io.minikafka.protocol.ErrorCode;
import io.smallrye.mutiny.Multi;
import io.smallrye.mutiny.Uni;
import io.smallrye.mutiny.subscription.Cancellable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * What every service does with a call: finds the broker, asks it on the caller's behalf, keeps to
 * the caller's deadline, and turns what comes back into an answer, in one or in parts, or a status.
 * Any thread.
 */
final class Calls {
  private static final System.Logger LOG = System.getLogger(Calls.class.getName());

  private final String service;
  private final BrokerAccess broker;

  /**
   * @param service its name, for the log
   */
  Calls(String service, BrokerAccess broker) {
    this.service = service;
    this.broker = broker;
  }

  /** Whether the call that is being entered can be served at all. */
  private sealed interface Entry {
    record Admitted(ControlPlane controls, CallContext.Call call) implements Entry {}

    record Refused(StatusRuntimeException why) implements Entry {}
  }

  private Entry enter() {
    CallContext.Call call = CallContext.current();
    return switch (broker.state()) {
      case BrokerAccess.State.Unavailable unavailable ->
          new Entry.Refused(Statuses.of(unavailable));
      case BrokerAccess.State.Serving(ControlPlane controls) ->
          call.isOver()
              ? new Entry.Refused(Status.DEADLINE_EXCEEDED.asRuntimeException())
              : call.missing()
                  .<Entry>map(refusal -> new Entry.Refused(Statuses.of(refusal, field -> field)))
                  .orElseGet(() -> new Entry.Admitted(controls, call));
    };
  }

  /**
   * Asks the broker. A call that is cancelled, or whose deadline has passed, withdraws what it
   * asked for if that has not begun.
   *
   * @param question asked at once, on this thread
   * @param result of what the broker answers
   * @param path from a field as the broker calls it to where it stands in the request
   * @param answer of what was done
   */
  <R, T, A> Uni<A> ask(
      BiFunction<ControlPlane, Caller, CompletableFuture<R>> question,
      Function<R, Result<T>> result,
      UnaryOperator<String> path,
      Function<T, A> answer) {
    return switch (enter()) {
      case Entry.Refused(StatusRuntimeException why) -> Uni.createFrom().failure(why);
      case Entry.Admitted(ControlPlane controls, CallContext.Call call) -> {
        CompletableFuture<R> asking = asking(() -> question.apply(controls, call.caller()));
        call.cancelled().thenRun(() -> asking.cancel(false));
        Uni<A> asked =
            Uni.createFrom()
                .completionStage(asking)
                .map(
                    outcome ->
                        switch (result.apply(outcome)) {
                          case Result.Done<T>(T done) -> answer.apply(done);
                          case Result.Refused<T>(Refusal refusal) ->
                              throw Statuses.of(refusal, path);
                        });
        yield within(call, asked).onFailure().transform(this::status);
      }
    };
  }

  /**
   * Asks the broker for something that is answered in parts, each when the client has taken the one
   * before. Ends when the broker has no more to say, when the call is cancelled, lost or past its
   * deadline, and when the broker begins to stop.
   *
   * @param question asked at once, on this thread
   * @param path from a field as the broker calls it to where it stands in the request
   * @param answer of one part
   */
  <T, A> Multi<A> stream(
      BiFunction<ControlPlane, Caller, Result<Feed<T>>> question,
      UnaryOperator<String> path,
      Function<T, A> answer) {
    return switch (enter()) {
      case Entry.Refused(StatusRuntimeException why) -> Multi.createFrom().failure(why);
      case Entry.Admitted(ControlPlane controls, CallContext.Call call) -> {
        Result<Feed<T>> asked;
        try {
          asked = question.apply(controls, call.caller());
        } catch (RuntimeException e) {
          yield Multi.createFrom().failure(status(e));
        }
        yield switch (asked) {
          case Result.Refused<Feed<T>>(Refusal refusal) ->
              Multi.createFrom().failure(Statuses.of(refusal, path));
          case Result.Done<Feed<T>>(Feed<T> feed) ->
              Multi.createFrom()
                  .emitter(
                      out -> {
                        Outflow<T, A> flow =
                            new Outflow<>(
                                feed,
                                answer,
                                refusal -> Statuses.of(refusal, path),
                                this::status,
                                call.outlet(),
                                out);
                        bind(flow, call, controls);
                        flow.begin();
                      });
        };
      }
    };
  }

  /** A question that fails at once is no different from one that fails later. */
  private static <R> CompletableFuture<R> asking(Supplier<CompletableFuture<R>> question) {
    try {
      return question.get();
    } catch (RuntimeException e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  private static void bind(Outflow<?, ?> flow, CallContext.Call call, ControlPlane controls) {
    call.cancelled().thenRun(() -> flow.fail(Status.CANCELLED.asRuntimeException()));
    call.timeout()
        .ifPresent(
            timeout -> {
              Cancellable deadline =
                  Uni.createFrom()
                      .voidItem()
                      .onItem()
                      .delayIt()
                      .by(timeout)
                      .subscribe()
                      .with(due -> flow.fail(Status.DEADLINE_EXCEEDED.asRuntimeException()));
              flow.lettingGoOf(deadline::cancel);
            });
    flow.lettingGoOf(
        controls
            .stopping()
            .whenStopping(
                () ->
                    flow.fail(
                        Statuses.of(
                            Refusal.of(ErrorCode.SHUTTING_DOWN, "the broker is stopping"),
                            field -> field))));
  }

  private static <A> Uni<A> within(CallContext.Call call, Uni<A> asked) {
    return call.timeout()
        .map(
            timeout ->
                asked
                    .ifNoItem()
                    .after(timeout)
                    .failWith(() -> Status.DEADLINE_EXCEEDED.asRuntimeException()))
        .orElse(asked);
  }

  /** Nothing of an unexpected failure leaves but that there was one. */
  StatusRuntimeException status(Throwable failure) {
    if (failure instanceof StatusRuntimeException expected) {
      return expected;
    }
    if (failure instanceof CancellationException) {
      return Status.CANCELLED.asRuntimeException();
    }
    LOG.log(System.Logger.Level.ERROR, "a call of " + service + " failed", failure);
    return Statuses.of(
        Refusal.of(ErrorCode.INTERNAL_ERROR, "internal error; the broker's log has more"),
        field -> field);
  }
}
