package io.minikafka.broker;

import io.minikafka.Caller;
import io.minikafka.EngineObserver;
import io.minikafka.Timers;
import io.minikafka.coordinator.Coordinator;
import io.minikafka.protocol.Call;
import io.minikafka.protocol.CreateTopic;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Fetch;
import io.minikafka.protocol.Heartbeat;
import io.minikafka.protocol.Hello;
import io.minikafka.protocol.JoinGroup;
import io.minikafka.protocol.LeaveGroup;
import io.minikafka.protocol.ListOffsets;
import io.minikafka.protocol.Metadata;
import io.minikafka.protocol.OffsetCommit;
import io.minikafka.protocol.OffsetFetch;
import io.minikafka.protocol.Produce;
import io.minikafka.topic.Topics;
import java.lang.System.Logger.Level;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The table from what a client can ask to the method that does it. Immutable; any thread.
 *
 * <p>A failure of a handler is answered with INTERNAL_ERROR and logged; no stack trace leaves.
 */
public final class RequestDispatcher {
  private static final System.Logger LOG = System.getLogger(RequestDispatcher.class.getName());

  private final Map<Call<?, ?>, Handler<?, ?>> handlers = new IdentityHashMap<>();
  private final Coordinator coordinator;
  private final ParkedFetches parkedFetches;
  private final GroupClients clients;
  private final LongSupplier nanoTime;
  private final EngineObserver observer;

  /** Does one thing a client can ask; answers once, on any thread. */
  private interface Handler<Q, R> {
    void handle(Caller caller, Q request, Session session, Consumer<Reply<R>> done);
  }

  /**
   * What requests need from their surroundings.
   *
   * @param worker runs what may block
   * @param pool memory for what is not sent straight from a file
   * @param clients told who asks something about groups
   */
  public record Surroundings(
      Timers timers,
      Executor worker,
      BufferPool pool,
      GroupClients clients,
      EngineObserver observer) {}

  public RequestDispatcher(
      Topics topics,
      TopicAdministration administration,
      Coordinator coordinator,
      ParkedFetches parkedFetches,
      BrokerIdentity identity,
      BrokerLimits limits,
      Surroundings around) {
    this.coordinator = coordinator;
    this.parkedFetches = parkedFetches;
    this.clients = around.clients;
    this.nanoTime = around.timers::nanoTime;
    this.observer = around.observer;
    ProduceHandler produce = new ProduceHandler(topics);
    FetchHandler fetch =
        new FetchHandler(
            new FetchHandler.Surroundings(
                topics,
                parkedFetches,
                around.timers,
                around.worker,
                around.pool,
                limits,
                around.observer));
    MetadataHandler metadata = new MetadataHandler(topics, identity, limits);
    OffsetsHandler offsets = new OffsetsHandler(topics, around.worker, limits);
    CreateTopicHandler createTopic = new CreateTopicHandler(administration);
    CommitHandler commits = new CommitHandler(coordinator, limits);
    MembershipHandler membership = new MembershipHandler();
    HelloHandler hello = new HelloHandler(identity, limits);
    on(CreateTopic.V0, createTopic::createVersion0);
    on(CreateTopic.V1, createTopic::create);
    on(Metadata.V0, metadata::partitionsVersion0);
    on(Metadata.V1, metadata::metadata);
    on(Produce.V0, produce::produceVersion0);
    on(Produce.V1, produce::produce);
    on(Fetch.V0, fetch::fetchVersion0);
    on(Fetch.V1, fetch::fetch);
    on(ListOffsets.V0, offsets::rangeVersion0);
    on(ListOffsets.V1, offsets::offsets);
    on(OffsetCommit.V0, commits::commitVersion0);
    on(OffsetCommit.V1, commits::commit);
    on(OffsetFetch.V0, commits::offsetVersion0);
    on(OffsetFetch.V1, commits::offsets);
    on(JoinGroup.V0, membership::joinVersion0);
    on(JoinGroup.V1, membership::join);
    on(Heartbeat.V0, membership::heartbeatVersion0);
    on(Heartbeat.V1, membership::heartbeat);
    on(LeaveGroup.V0, membership::leaveVersion0);
    on(LeaveGroup.V1, membership::leave);
    on(Hello.V1, hello::hello);
  }

  /** Begins the life of a connection. */
  public Session open(Caller caller, Session.Peer peer) {
    return new Session(this, caller, peer);
  }

  /** Answers all that wait, and lets nothing wait any more: the broker stops. */
  public void stop() {
    parkedFetches.stop();
    coordinator.stop();
  }

  Coordinator coordinator() {
    return coordinator;
  }

  GroupClients clients() {
    return clients;
  }

  <Q, R> void handle(Session session, Call<Q, R> call, Q request, Consumer<Reply<R>> done) {
    Answering<R> answering = new Answering<>(call, done);
    try {
      handler(call).handle(session.caller(), request, session, answering);
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, call + " failed", e);
      answering.acceptIfNone(
          Reply.failure(ErrorCode.INTERNAL_ERROR, "the broker failed; see its log"));
    }
  }

  /** Runs work that may block and answers for it if it cannot be run or fails. */
  static <R> void onWorker(Executor worker, Consumer<Reply<R>> done, Runnable work) {
    try {
      worker.execute(work);
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "no worker for a request", e);
      done.accept(Reply.failure(ErrorCode.SHUTTING_DOWN, "the broker is shutting down"));
    }
  }

  private <Q, R> void on(Call<Q, R> call, Handler<Q, R> handler) {
    handlers.put(call, handler);
  }

  // Each call was put in with a handler of its own types.
  @SuppressWarnings("unchecked")
  private <Q, R> Handler<Q, R> handler(Call<Q, R> call) {
    Handler<?, ?> handler = handlers.get(call);
    if (handler == null) {
      throw new IllegalArgumentException("no handler for " + call);
    }
    return (Handler<Q, R>) handler;
  }

  /** Passes on the one answer of a request and tells the observer. */
  private final class Answering<R> implements Consumer<Reply<R>> {
    private final Call<?, R> call;
    private final Consumer<Reply<R>> done;
    private final long began = nanoTime.getAsLong();
    private final AtomicBoolean answered = new AtomicBoolean();

    Answering(Call<?, R> call, Consumer<Reply<R>> done) {
      this.call = call;
      this.done = done;
    }

    @Override
    public void accept(Reply<R> reply) {
      if (!answered.compareAndSet(false, true)) {
        throw new IllegalStateException(call + " was answered twice");
      }
      observer.onRequest(
          call.api().name(), call.version(), reply.error().code(), nanoTime.getAsLong() - began);
      done.accept(reply);
    }

    void acceptIfNone(Reply<R> reply) {
      if (!answered.get()) {
        accept(reply);
      }
    }
  }
}
