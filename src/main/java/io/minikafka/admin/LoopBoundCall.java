package io.minikafka.admin;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.vertx.core.Context;

/**
 * A call that is answered on its connection's event loop, and not at all once it was cancelled.
 *
 * <p>The unified server sends what it is given from any thread and does not look: an answer to a
 * stream that the client has reset makes it close the whole connection, with every other call on
 * it. On the event loop the question whether there was a reset has a definite answer.
 */
final class LoopBoundCall<Q, A> extends SimpleForwardingServerCall<Q, A> {
  private static final System.Logger LOG = System.getLogger(LoopBoundCall.class.getName());

  private final Context loop;

  LoopBoundCall(ServerCall<Q, A> call, Context loop) {
    super(call);
    this.loop = loop;
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
          if (!isCancelled()) {
            send.run();
          }
        });
  }
}
