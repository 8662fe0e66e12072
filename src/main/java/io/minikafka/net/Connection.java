package io.minikafka.net;

import io.minikafka.Caller;
import io.minikafka.Pressure;
import io.minikafka.broker.ConnectionDescription;
import io.minikafka.broker.Reply;
import io.minikafka.broker.Session;
import io.minikafka.codec.MalformedException;
import io.minikafka.protocol.Api;
import io.minikafka.protocol.Call;
import io.minikafka.protocol.Calls;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Frames;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.socket.DuplexChannel;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * One client's connection: frames become requests, in the order they came, and answers become
 * frames.
 *
 * <p><b>Life-cycle.</b> Begins when {@link #begin} puts it into its channel's pipeline; ends with
 * the channel, once. Then everything it holds is given back: frames as soon as their requests are
 * answered, which the broker does in any case.
 *
 * <p><b>Back-pressure.</b> No frame is let in while requests and unsent answers exceed the bound,
 * while a partition is under pressure, while all connections together use up their memory, or while
 * a fetch of version 0 waits for its turn.
 *
 * <p><b>Threads.</b> The channel's event loop, except for {@link #execute} and the answers.
 */
final class Connection extends ChannelInboundHandlerAdapter
    implements Admission.Client, Answers.Listener, Session.Peer {
  /** What a request counts besides its frame: small ones are not free. */
  static final int REQUEST_BYTES = 1024;

  private static final System.Logger LOG = System.getLogger(Connection.class.getName());

  // Constant after construction.
  private final DataPort port;
  private final NetSettings settings;
  private final ChannelHandlerContext socket;
  private final FrameDecoder decoder;
  private final Answers answers;
  private final Session session;
  private final Watch watch;
  private final FrameRoom room;
  private final String peer;
  private final Instant openedAt;

  // Touched only by the event loop.
  private long inFlightBytes;
  private int inFlight;
  private long requests;

  /** Of the last request; −1 before the first. */
  private int version = -1;

  private boolean slowed;
  private boolean congested;
  private boolean resuming;
  private boolean stopping;

  private boolean closed;

  /** All is answered, and the client knows that nothing more will come. */
  private boolean leaving;

  /**
   * @param socket writes through it go to the client
   * @param peer where it comes from, as host:port
   */
  Connection(DataPort port, ChannelHandlerContext socket, Caller caller, String peer) {
    this.port = port;
    this.settings = port.settings();
    this.socket = socket;
    this.room = new FrameRoom(port.memory(), this::execute, this::resumeLater);
    this.decoder =
        new FrameDecoder(
            settings.maxFrameBytes(), new Admission(settings, port.memory(), room, this));
    ResponseEncoder encoder =
        new ResponseEncoder(socket.alloc(), port.memory(), settings.sendfileMinBytes());
    this.answers = new Answers(socket, encoder, this, port::watched);
    this.session = port.dispatcher().open(caller, this);
    this.watch = new Watch(settings, decoder, port.nanoTime());
    this.peer = peer;
    this.openedAt = port.now();
  }

  /** Takes its place in front of the handler that {@link #socket} belongs to. */
  void begin() {
    socket.channel().config().setRecvByteBufAllocator(new FrameReads(decoder));
    if (settings.sendBufferBytes() > 0) {
      socket.channel().config().setOption(ChannelOption.SO_SNDBUF, settings.sendBufferBytes());
    }
    socket
        .pipeline()
        .addBefore(socket.name(), "frames", decoder)
        .addBefore(socket.name(), "requests", this);
  }

  // What comes in.

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    ByteBuf frame = (ByteBuf) message;
    int at = frame.readerIndex();
    version = frame.getUnsignedByte(at + 1);
    int correlationId = frame.getIntLE(at + 2);
    Pending request = new Pending(version, correlationId, frame, room.handOver());
    inFlightBytes += request.bytes;
    inFlight++;
    requests++;
    answers.beginBurst();
    answers.expect(request);
    Optional<Api> api = Api.of(frame.getUnsignedByte(at));
    Optional<Call<?, ?>> call = api.flatMap(known -> Calls.of(known, version));
    if (call.isPresent()) {
      start(call.get(), request);
    } else {
      ErrorCode code = api.isEmpty() ? ErrorCode.UNKNOWN_API : ErrorCode.UNSUPPORTED_VERSION;
      answers.settle(request, new Outcome.Unknown(version, code));
    }
  }

  private <Q, R> void start(Call<Q, R> call, Pending request) {
    ByteBuf frame = request.frame;
    ByteBuffer body =
        frame
            .nioBuffer(0, frame.writerIndex())
            .order(ByteOrder.LITTLE_ENDIAN)
            .position(frame.readerIndex() + Frames.REQUEST_HEADER_BYTES);
    Q decoded;
    try {
      // Version 0 never minded what follows a request.
      decoded = call.version() == 0 ? call.request().read(body) : call.request().readAll(body);
    } catch (MalformedException e) {
      settle(
          call, request, Reply.failure(ErrorCode.INVALID_REQUEST, String.valueOf(e.getMessage())));
      return;
    }
    if (call.version() == 0 && call.api() == Api.FETCH) {
      answers.startInTurn(
          request, () -> session.request(call, decoded, reply -> settle(call, request, reply)));
    } else {
      session.request(call, decoded, reply -> settle(call, request, reply));
    }
  }

  private <R> void settle(Call<?, R> call, Pending request, Reply<R> reply) {
    answers.settle(request, new Outcome.Replied<>(call, reply, settings.maxFrameBytes()));
  }

  @Override
  public void channelReadComplete(ChannelHandlerContext context) {
    try {
      session.endOfBurst();
    } finally {
      answers.endBurst();
    }
  }

  @Override
  public void slowDown(Pressure pressure) {
    if (!slowed) {
      slowed = true;
      pressure.whenRelieved(
          () ->
              execute(
                  () -> {
                    slowed = false;
                    resumeLater();
                  }));
    }
  }

  @Override
  public void execute(Runnable work) {
    try {
      socket.executor().execute(() -> port.watched(work));
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "an event loop has ended with work for it", e);
    }
  }

  @Override
  public boolean takesNone() {
    return stopping || slowed || answers.isDeferring();
  }

  @Override
  public long busyBytes() {
    return inFlightBytes + answers.unsentBytes();
  }

  @Override
  public void held(boolean held) {
    session.held(held);
  }

  // What goes out.

  @Override
  public void onSettled(Pending request) {
    request.frame.release();
    inFlightBytes -= request.bytes;
    inFlight--;
    port.memory().release(request.bytes);
    if (!closed) {
      resumeLater();
      closeIfDone();
    }
  }

  @Override
  public void onSent() {
    if (closed) {
      return;
    }
    resumeLater();
    closeIfDone();
  }

  /** As a task of its own: it may lead to answers, which lead here again, deeper in the stack. */
  private void resumeLater() {
    if (!resuming && (congested || decoder.isHeld())) {
      resuming = true;
      execute(this::resume);
    }
  }

  private void resume() {
    resuming = false;
    if (!closed) {
      if (congested && !congested()) {
        session.relieved();
      }
      decoder.resume();
    }
  }

  @Override
  public void onLastSent() {
    close(CloseReason.NOT_ALLOWED);
  }

  @Override
  public boolean congested() {
    congested =
        answers.unsentBytes() > settings.connectionInFlightBytes()
            || (port.memory().hasManyAnswers() && answers.unsentMemoryBytes() > 0);
    return congested;
  }

  // How it is.

  /** Any thread. */
  Executor eventLoop() {
    return socket.executor();
  }

  long id() {
    return session.caller().connection();
  }

  /** Empty once it has ended. */
  Optional<ConnectionDescription> describe() {
    return closed
        ? Optional.empty()
        : Optional.of(
            new ConnectionDescription(
                id(),
                session.caller().clientName(),
                peer,
                openedAt,
                version < 0 ? OptionalInt.empty() : OptionalInt.of(version),
                requests,
                decoder.receivedBytes(),
                answers.sentBytes(),
                inFlight,
                session.parked(),
                session.member(),
                decoder.isHeld()));
  }

  // How it ends.

  /** Closes the socket this connection was accepted from. */
  void stopListening() {
    Channel listening = socket.channel().parent();
    if (listening != null) {
      listening.close();
    }
  }

  /** Takes no more requests, and closes when those it has are answered. */
  void stop() {
    stopping = true;
    closeIfDone();
  }

  private void closeIfDone() {
    if (!stopping || leaving || inFlight > 0 || answers.unsentBytes() > 0) {
      return;
    }
    if (decoder.isHeld() && socket.channel() instanceof DuplexChannel both) {
      // Closing a socket with something unread in it resets it, and with that the client may lose
      // the last answers. So it is told that this was all, and its own end is waited for.
      leaving = true;
      decoder.end();
      both.shutdownOutput();
      both.config().setAutoRead(true);
    } else {
      close(CloseReason.STOPPING);
    }
  }

  /** Closes it if it stands still for too long. */
  void look(long nowNanos) {
    boolean busy = inFlight > 0 || answers.unsentBytes() > 0 || decoder.unfinishedFrame() > 0;
    var unsent = socket.channel().unsafe().outboundBuffer();
    long held = inFlightBytes + answers.unsentMemoryBytes();
    boolean contended = port.memory().isContended();
    Optional<CloseReason> reason =
        watch.look(
            nowNanos,
            new Watch.Seen(
                busy, requests, unsent, answers.sentBytes(), held, contended, room.shouldHurry()));
    if (watch.isFrameSlow()) {
      room.markSlow();
    }
    reason.ifPresent(this::close);
  }

  @Override
  public void close(CloseReason reason) {
    if (!closed) {
      port.closing(reason);
      end();
      socket.close();
    }
  }

  /** Ends it for no reason of ours. */
  @Override
  public void clientGone() {
    end();
    socket.close();
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) {
    end();
    context.fireChannelInactive();
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    if (cause instanceof IOException) {
      // A client that went away without saying so: nothing to tell anybody.
      LOG.log(Level.DEBUG, "a connection broke", cause);
    } else {
      LOG.log(Level.ERROR, "a connection failed and is closed", cause);
      port.ifOutOfMemory(cause);
    }
    close(CloseReason.FAILED);
  }

  private void end() {
    if (closed) {
      return;
    }
    closed = true;
    decoder.end();
    answers.close();
    try {
      session.close();
    } finally {
      room.end();
      port.ended(this);
    }
  }
}
