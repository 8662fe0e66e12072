package io.minikafka.net;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.minikafka.Timers;
import io.minikafka.net.HttpConnections.Standing;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http2.Http2Connection;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2RemoteFlowController;
import io.netty.handler.codec.http2.Http2Stream;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Predicate;
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
 * <p><b>Life-cycle.</b> Begins with the channel's activity and ends with it. Who takes all handlers
 * out for another protocol (an upgrade to HTTP/2 does) does not take this one out: it comes back.
 * It goes, and counts nothing, only when it is told to ({@link #spare}).
 *
 * <p><b>Threads.</b> The channel's event loop, except for {@link #close}.
 */
final class HttpConnection extends ChannelDuplexHandler {
  /** Looks come at least so often, and more often when time-outs are short. */
  private static final long LONGEST_LOOK_MS = 1000;

  private static final int LOOKS_PER_TIMEOUT = 8;

  /** Frames of HTTP/2 that carry nothing of an answer, such as those that answer pings. */
  private static final int LARGEST_UPKEEP_BYTES = 17;

  private final HttpConnections all;

  // Touched only by the event loop; the context is set before anybody else can know of this.
  private @Nullable ChannelHandlerContext context;
  private Timers.@Nullable Timer nextLook;
  private Optional<Http2Connection> http2 = Optional.empty();
  private Standing standing = Standing.STRANGER;

  /** Whether it is somebody else's. */
  private boolean spared;

  /** When something of an answer last went out. */
  private long sentNanos;

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

  /** So that it can come back; each connection has its own. */
  @Override
  public boolean isSharable() {
    return true;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    context = ctx;
  }

  @Override
  public void channelActive(ChannelHandlerContext ctx) {
    if (!all.admit(this)) {
      close(HttpCloseReason.CONNECTION_LIMIT);
      return;
    }
    awaitedSinceNanos = all.timers().nanoTime();
    usedNanos = awaitedSinceNanos;
    sentNanos = awaitedSinceNanos;
    lookLater(ctx);
    ctx.fireChannelActive();
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    leave();
    ctx.fireChannelInactive();
  }

  /** Also for one that is closed before it was active. */
  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    if (spared || !ctx.channel().isActive()) {
      leave();
    } else {
      // Not now: whoever takes handlers out may be going through them.
      ctx.executor().execute(() -> comeBack(ctx.channel()));
    }
  }

  private void comeBack(Channel channel) {
    if (channel.isActive()) {
      channel.pipeline().addFirst(this);
    } else {
      leave();
    }
  }

  /** Takes itself out, for good, before it counts. */
  void spare(ChannelPipeline pipeline) {
    spared = true;
    pipeline.remove(this);
    leave();
  }

  /** That the other side is gone, or has reset, is no news. */
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof IOException) {
      ctx.close();
    } else {
      ctx.fireExceptionCaught(cause);
    }
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
    if (!(message instanceof ByteBuf bytes) || bytes.readableBytes() > LARGEST_UPKEEP_BYTES) {
      sentNanos = all.timers().nanoTime();
    }
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
    if (isLeftStanding(ctx) && now - sentNanos >= MILLISECONDS.toNanos(settings.sendTimeoutMs())) {
      close(HttpCloseReason.SEND_TIMEOUT);
    } else if (standing == Standing.BUSY) {
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

  /** Whether there is something of an answer that the other side does not take. */
  private boolean isLeftStanding(ChannelHandlerContext ctx) {
    boolean standing =
        !ctx.channel().isWritable() || http2(ctx).map(this::anyHeldBack).orElse(false);
    if (!standing) {
      sentNanos = all.timers().nanoTime();
    }
    return standing;
  }

  private boolean anyHeldBack(Http2Connection streams) {
    Http2RemoteFlowController flow = streams.remote().flowController();
    // What serves HTTP keeps an answer to itself while its stream may send nothing at all.
    return flow != null
        && any(
            streams,
            stream -> flow.hasFlowControlled(stream) || isOwed(stream) && !flow.isWritable(stream));
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
    return any(streams, HttpConnection::isOwed);
  }

  private static boolean any(Http2Connection streams, Predicate<Http2Stream> condition) {
    try {
      return streams.forEachActiveStream(stream -> !condition.test(stream)) != null;
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
