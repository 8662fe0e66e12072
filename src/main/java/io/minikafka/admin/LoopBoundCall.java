package io.minikafka.admin;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.vertx.core.Context;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A call that is answered on its connection's event loop, and not at all once it was cancelled.
 *
 * <p>The unified server sends what it is given from any thread and does not look: an answer to a
 * stream that the client has reset makes it close the whole connection, with every other call on
 * it. On the event loop the question whether there was a reset has a definite answer.
 */
final class LoopBoundCall<Q, A> extends SimpleForwardingServerCall<Q, A> implements Outlet {
  private static final System.Logger LOG = System.getLogger(LoopBoundCall.class.getName());

  private final Context loop;
  private final CompletableFuture<Void> cancelled;

  /** What waits for the client to take more. Touched only on the event loop. */
  private @Nullable Runnable waiting;

  /**
   * @param cancelled completes when nobody is there any more to take an answer
   */
  LoopBoundCall(ServerCall<Q, A> call, Context loop, CompletableFuture<Void> cancelled) {
    super(call);
    this.loop = loop;
    this.cancelled = cancelled;
  }

  @Override
  public void whenReady(Runnable work) {
    unlessCancelled(
        () -> {
          waiting = work;
          ready();
        });
  }

  /** To be called on the event loop when the client may have taken enough. */
  void ready() {
    Runnable work = waiting;
    if (work != null && isReady()) {
      waiting = null;
      work.run();
    }
  }

  @Override
  public void sendHeaders(Metadata headers) {
    unlessCancelled(() -> super.sendHeaders(headers));
  }

  @Override
  public void sendMessage(A message) {
    unlessCancelled(() -> super.sendMessage(message));
  }

  @Override
  public void close(Status status, Metadata trailers) {
    unlessCancelled(
        () -> {
          try {
            super.close(status, trailers);
          } catch (IllegalStateException e) {
            // The server has refused the request itself, and then told us that none came.
            LOG.log(System.Logger.Level.DEBUG, "a call was answered already", e);
          }
        });
  }

  /** Always queued, so that the order of the calls is kept whichever threads they come from. */
  private void unlessCancelled(Runnable send) {
    loop.runOnContext(
        ignored -> {
          if (!isCancelled() && !cancelled.isDone()) {
            send.run();
          }
        });
  }
}
