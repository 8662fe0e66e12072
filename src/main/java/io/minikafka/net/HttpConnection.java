package io.minikafka.net;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.minikafka.Timers;
import io.minikafka.net.HttpConnections.Standing;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2Stream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One connection of the HTTP port as its bounds see it: the first handler of its pipeline, before
 * anything is decoded, which looks at what goes by and changes nothing.
 *
 * <p>Over HTTP/1 a request is what comes before the next answer: from its first byte it has one
 * time limit, however slowly it drips. Over HTTP/2 the codec knows the streams: one whose request
 * came whole, or that is being answered, keeps its connection for as long as it is open; all others
 * do not, and nor do pings.
 *
 * <p><b>Life-cycle.</b> Begins with the channel's activity and ends with it; taken out before that,
 * it counts nothing.
 *
 * <p><b>Threads.</b> The channel's event loop, except for {@link #close}.
 */
final class HttpConnection extends ChannelDuplexHandler {
  /** Looks come at least so often, and more often when time-outs are short. */
  private static final long LONGEST_LOOK_MS = 1000;

  private static final int LOOKS_PER_TIMEOUT = 8;

  private final HttpConnections all;

  // Touched only by the event loop; the context is set before anybody else can know of this.
  private @Nullable ChannelHandlerContext context;
  private Timers.@Nullable Timer nextLook;
  private Optional<Http2Connection> http2 = Optional.empty();
  private Standing standing = Standing.STRANGER;

  /** Whether it has asked for something before. */
  private boolean answered;

  /** Whether its place in the order of those that wait is old. */
  private boolean touched;

  /** Whether a request has begun to come, or is the first. */
  private boolean awaited = true;

  private long awaitedSinceNanos;

  /** When there last was a request or an answer. */
  private long usedNanos;

  /** The last one that the other side has opened. */
  private int seenStream;

  HttpConnection(HttpConnections all) {
    this.all = all;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    context = ctx;
    if (!all.admit(this)) {
      close(HttpCloseReason.CONNECTION_LIMIT);
      return;
    }
    awaitedSinceNanos = all.timers().nanoTime();
    usedNanos = awaitedSinceNanos;
    lookLater(ctx);
    ctx.fireChannelActive();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    leave();
    ctx.fireChannelInactive();
  }

  /** For one that is closed before it was active. */
  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    leave();
  }

  /** It counts no more. */
  void leave() {
    all.ended(this);
    if (nextLook != null) {
      nextLook.cancel();
    }
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!awaited && http2.isEmpty()) {
      awaitRequest();
    }
    ctx.fireChannelRead(message);
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext ctx) {
    ctx.fireChannelReadComplete();
    judge(ctx);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    if (http2(ctx).isEmpty()) {
      answered = true;
      touched = true;
      awaited = false;
      usedNanos = all.timers().nanoTime();
    }
    ctx.write(message, promise);
  }

  @Override
  public void flush(ChannelHandlerContext ctx) {
    ctx.flush();
    judge(ctx);
  }

  /** Closes it, whatever is under way, without any farewell that could wait for the other side. */
  void close(HttpCloseReason reason) {
    all.closing(reason);
    if (context != null) {
      context.close();
    }
  }

  private void lookLater(ChannelHandlerContext ctx) {
    HttpSettings settings = all.settings();
    long everyMs = Math.min(LONGEST_LOOK_MS, settings.requestTimeoutMs() / LOOKS_PER_TIMEOUT);
    if (settings.idleTimeoutMs() > 0) {
      everyMs = Math.min(everyMs, settings.idleTimeoutMs() / LOOKS_PER_TIMEOUT);
    }
    nextLook =
        all.timers()
            .after(
                MILLISECONDS.toNanos(Math.max(1, everyMs)),
                () -> ctx.executor().execute(() -> look(ctx)));
  }

  private void look(ChannelHandlerContext ctx) {
    if (!ctx.channel().isActive()) {
      return;
    }
    judge(ctx);
    HttpSettings settings = all.settings();
    long now = all.timers().nanoTime();
    if (standing == Standing.BUSY) {
      lookLater(ctx);
    } else if (awaited
        && now - awaitedSinceNanos >= MILLISECONDS.toNanos(settings.requestTimeoutMs())) {
      close(HttpCloseReason.REQUEST_TIMEOUT);
    } else if (settings.idleTimeoutMs() > 0
        && now - usedNanos >= MILLISECONDS.toNanos(settings.idleTimeoutMs())) {
      close(HttpCloseReason.IDLE);
    } else {
      lookLater(ctx);
    }
  }

  /** What it is now, as far as what went by can have changed that. */
  private void judge(ChannelHandlerContext ctx) {
    Optional<Http2Connection> streams = http2(ctx);
    Standing now = streams.map(this::ofStreams).orElseGet(this::notBusy);
    if (now != standing || touched) {
      standing = now;
      touched = false;
      all.becomes(now, this);
    }
  }

  private Standing ofStreams(Http2Connection streams) {
    int lastStream = streams.remote().lastStreamCreated();
    if (lastStream != seenStream) {
      seenStream = lastStream;
      usedNanos = all.timers().nanoTime();
      // One that is gone already was answered, or given up.
      answered |= streams.numActiveStreams() == 0;
    }
    if (anyOwed(streams)) {
      answered = true;
      awaited = false;
      usedNanos = all.timers().nanoTime();
      return Standing.BUSY;
    }
    if (streams.numActiveStreams() == 0) {
      awaited = false;
    } else if (!awaited) {
      awaitRequest();
    }
    return notBusy();
  }

  private Standing notBusy() {
    return answered ? Standing.WAITING : Standing.STRANGER;
  }

  private static boolean anyOwed(Http2Connection streams) {
    try {
      return streams.forEachActiveStream(stream -> !isOwed(stream)) != null;
    } catch (Http2Exception e) {
      throw new AssertionError("looking at streams cannot fail", e);
    }
  }

  /** Whether the other side has done its part, or is in the midst of a conversation. */
  private static boolean isOwed(Http2Stream stream) {
    return switch (stream.state()) {
      case HALF_CLOSED_REMOTE -> true;
      case OPEN -> stream.isHeadersSent();
      case IDLE, RESERVED_LOCAL, RESERVED_REMOTE, HALF_CLOSED_LOCAL, CLOSED -> false;
    };
  }

  private void awaitRequest() {
    awaited = true;
    awaitedSinceNanos = all.timers().nanoTime();
  }

  /** Present from the preface on. */
  private Optional<Http2Connection> http2(ChannelHandlerContext ctx) {
    if (http2.isEmpty()) {
      http2 =
          Optional.ofNullable(ctx.pipeline().get(Http2ConnectionHandler.class))
              .map(Http2ConnectionHandler::connection);
    }
    return http2;
  }
}
