package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.EngineObserver;
import io.minikafka.HandTimers;
import io.minikafka.it.BufferLeaks;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.DefaultChannelId;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.Http2ConnectionHandler;
import io.netty.handler.codec.http2.Http2ConnectionHandlerBuilder;
import io.netty.handler.codec.http2.Http2Exception;
import io.netty.handler.codec.http2.Http2FrameAdapter;
import io.netty.handler.codec.http2.Http2Settings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who may stay connected to the HTTP port, and for how long. */
@ExtendWith(BufferLeaks.class)
class HttpConnectionTest {
  private static final int MOST = 4;
  private static final int REQUEST_TIMEOUT_MS = 10_000;
  private static final int IDLE_TIMEOUT_MS = 600_000;
  private static final int SEND_TIMEOUT_MS = 30_000;
  private static final String WHOLE = "GET /q/health HTTP/1.1\r\nHost: h\r\n\r\n";

  private final HandTimers timers = new HandTimers();
  private final List<String> closed = new ArrayList<>();
  private final List<EmbeddedChannel> opened = new ArrayList<>();

  /** The other ends, of some. */
  private final List<EmbeddedChannel> others = new ArrayList<>();

  private int counted;

  private final HttpConnections all =
      new HttpConnections(
          new HttpSettings(MOST, REQUEST_TIMEOUT_MS, IDLE_TIMEOUT_MS, SEND_TIMEOUT_MS),
          timers,
          new EngineObserver() {
            @Override
            public void onHttpConnection(boolean opened) {
              counted += opened ? 1 : -1;
            }

            @Override
            public void onHttpConnectionRefused(String reason, boolean full) {
              closed.add(full ? "full: " + reason : reason);
            }
          });

  /** What is counted is what is open, and nothing waits for what is gone. */
  @AfterEach
  void everyEndIsCounted() {
    assertEquals(opened.stream().filter(EmbeddedChannel::isActive).count(), all.count());
    assertEquals(all.count(), counted);
    // From the front: the codec would wait for its streams.
    Stream.concat(opened.stream(), others.stream())
        .filter(EmbeddedChannel::isActive)
        .forEach(channel -> channel.pipeline().firstContext().close());
    Stream.concat(opened.stream(), others.stream()).forEach(EmbeddedChannel::finishAndReleaseAll);
    assertEquals(0, all.count());
    assertEquals(0, counted);
    assertEquals(0, timers.waiting());
  }

  private EmbeddedChannel open() {
    EmbeddedChannel channel = new EmbeddedChannel(new HttpConnection(all));
    opened.add(channel);
    return channel;
  }

  private static void send(EmbeddedChannel channel, String text) {
    channel.writeInbound(Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII));
  }

  private static void answer(EmbeddedChannel channel) {
    channel.writeOutbound(Unpooled.copiedBuffer("HTTP/1.1 200 OK\r\n\r\n", StandardCharsets.UTF_8));
  }

  private EmbeddedChannel openAndAsk() {
    EmbeddedChannel channel = open();
    send(channel, WHOLE);
    answer(channel);
    return channel;
  }

  private void advanceMs(long ms) {
    for (long left = ms; left > 0; left -= Math.min(left, 500)) {
      timers.advanceMs(Math.min(left, 500));
      run();
    }
  }

  private void run() {
    opened.forEach(EmbeddedChannel::runPendingTasks);
  }

  private int open(List<EmbeddedChannel> some) {
    run();
    return (int) some.stream().filter(EmbeddedChannel::isActive).count();
  }

  @Test
  void oneMoreTakesThePlaceOfTheOldestThatHasNotAsked() {
    List<EmbeddedChannel> crowd = new ArrayList<>();
    for (int i = 0; i < MOST; i++) {
      crowd.add(open());
      send(crowd.getLast(), "GET / HT");
    }

    EmbeddedChannel next = open();

    assertEquals(MOST - 1, open(crowd));
    assertFalse(crowd.getFirst().isActive());
    assertTrue(next.isActive());
    assertEquals(List.of("full: made room"), closed);
  }

  @Test
  void crowdThatHasAskedLosesItsOwnBeforeOneThatIsAboutToAsk() {
    EmbeddedChannel first = openAndAsk();
    EmbeddedChannel second = openAndAsk();
    EmbeddedChannel third = openAndAsk();
    send(first, WHOLE);
    answer(first);
    EmbeddedChannel probe = open();

    EmbeddedChannel next = open();

    assertEquals(0, open(List.of(second)));
    assertEquals(4, open(List.of(first, third, probe, next)));
  }

  @Test
  void crowdThatDoesNotAskLeavesAloneWhoHasAsked() {
    EmbeddedChannel scraper = openAndAsk();
    for (int i = 0; i < 100; i++) {
      send(open(), "GET / HT");
    }

    assertEquals(1, open(List.of(scraper)));
    assertEquals(100 - (MOST - 1), closed.size());
  }

  @Test
  void openStreamsKeepTheirPlacesAndOneMoreIsClosed() {
    for (int i = 0; i < MOST; i++) {
      new Far().ask(true);
    }

    EmbeddedChannel next = open();

    assertEquals(0, open(List.of(next)));
    assertEquals(MOST, all.count());
    assertEquals(List.of("full: connection limit"), closed);
  }

  @Test
  void connectionThatSendsNothingEnds() {
    open();
    advanceMs(REQUEST_TIMEOUT_MS - 1);
    assertEquals(List.of(), closed);
    advanceMs(1_001);
    assertEquals(List.of("request timeout"), closed);
  }

  @Test
  void halfRequestEndsHoweverSlowlyItDrips() {
    EmbeddedChannel channel = open();
    for (int s = 0; s < 12 && channel.isActive(); s++) {
      send(channel, "G");
      advanceMs(1_000);
    }
    assertEquals(List.of("request timeout"), closed);
  }

  @Test
  void halfRequestAfterAWholeOneEndsAsSoon() {
    EmbeddedChannel channel = openAndAsk();
    advanceMs(60_000);
    for (int s = 0; s < 12 && channel.isActive(); s++) {
      send(channel, "G");
      advanceMs(1_000);
    }
    assertEquals(List.of("request timeout"), closed);
  }

  @Test
  void halfPrefaceEnds() {
    send(open(), "PRI * HTTP/2.0\r\n");
    advanceMs(REQUEST_TIMEOUT_MS + 1_000);
    assertEquals(List.of("request timeout"), closed);
  }

  @Test
  void connectionWithoutRequestsEndsAfterTheIdleTimeout() {
    EmbeddedChannel channel = openAndAsk();
    advanceMs(IDLE_TIMEOUT_MS - 1_000);
    send(channel, WHOLE);
    answer(channel);
    advanceMs(IDLE_TIMEOUT_MS - 1_000);
    assertEquals(List.of(), closed);
    advanceMs(2_000);
    assertEquals(List.of("idle"), closed);
  }

  @Test
  void quietStreamKeepsItsConnection() {
    Far far = new Far();
    far.ask(true);

    advanceMs(3 * IDLE_TIMEOUT_MS);

    assertTrue(far.near.isActive());
    assertEquals(List.of(), closed);
  }

  @Test
  void conversationThatTheOtherSideHasNotEndedKeepsItsConnection() {
    Far far = new Far();
    far.ask(false);
    far.answerBegins();

    advanceMs(3 * IDLE_TIMEOUT_MS);

    assertTrue(far.near.isActive());
  }

  @Test
  void streamWhoseRequestDoesNotComeWholeEndsItsConnection() {
    Far far = new Far();
    far.ask(false);
    advanceMs(REQUEST_TIMEOUT_MS - 1_000);
    assertEquals(List.of(), closed);
    advanceMs(2_000);
    assertEquals(List.of("request timeout"), closed);
  }

  @Test
  void connectionWithoutStreamsIsIdleWhateverItPings() {
    Far far = new Far();
    for (int s = 0; s < IDLE_TIMEOUT_MS / 1000 + 2 && far.near.isActive(); s++) {
      far.ping();
      advanceMs(1_000);
    }
    assertEquals(List.of("idle"), closed);
  }

  @Test
  void connectionWhoseStreamsHaveEndedIsIdleFromThen() {
    Far far = new Far();
    far.ask(true);
    advanceMs(2 * IDLE_TIMEOUT_MS);
    far.answerEnds();
    advanceMs(IDLE_TIMEOUT_MS - 1_000);
    assertEquals(List.of(), closed);
    advanceMs(2_000);
    assertEquals(List.of("idle"), closed);
  }

  /** An upgrade to HTTP/2 takes out whatever is not of it. */
  @Test
  void connectionWhoseHandlersAreTakenOutStillCounts() {
    EmbeddedChannel channel = open();
    send(channel, WHOLE);
    channel.pipeline().remove(HttpConnection.class);
    run();
    assertEquals(1, all.count());
    channel.pipeline().addLast(Far.codec(true));
    advanceMs(IDLE_TIMEOUT_MS + 1_000);
    assertEquals(List.of("idle"), closed);
  }

  @Test
  void answerThatIsNotTakenEndsItsConnectionWhateverItPings() {
    Far far = new Far();
    far.ask(true);
    far.answerWith(100_000);
    for (int s = 0; s < SEND_TIMEOUT_MS / 1000 - 1; s++) {
      far.ping();
      advanceMs(1_000);
    }
    assertEquals(List.of(), closed);
    far.ping();
    advanceMs(2_000);
    assertEquals(List.of("send timeout"), closed);
  }

  @Test
  void answerThatMayNotEvenBeginEndsItsConnection() throws Http2Exception {
    Far far = new Far();
    far.takesNothing();
    far.ask(true);
    advanceMs(SEND_TIMEOUT_MS - 1_000);
    assertEquals(List.of(), closed);
    advanceMs(2_000);
    assertEquals(List.of("send timeout"), closed);
  }

  @Test
  void answerThatIsTakenSlowlyIsNotCut() throws Http2Exception {
    Far far = new Far();
    far.ask(true);
    far.answerWith(1_000_000);
    for (int i = 0; i < 5; i++) {
      advanceMs(SEND_TIMEOUT_MS - 5_000);
      far.takeWhatCame();
    }
    assertEquals(List.of(), closed);
  }

  @Test
  void connectionThatIsTakenOutCountsNothing() throws Exception {
    EmbeddedChannel channel = accept(new EmbeddedChannel());
    HttpBounds.spare(channel);
    channel.register();

    assertEquals(0, all.count());
    assertNull(channel.pipeline().get(HttpConnection.class));
    channel.close().syncUninterruptibly();
  }

  /** Whatever is accepted and not yet counted holds a descriptor, too. */
  @Test
  void nothingIsAcceptedWhileManyAreNeitherCountedNorClosed() throws Exception {
    EmbeddedChannel listener = new EmbeddedChannel();
    List<EmbeddedChannel> accepted = new ArrayList<>();
    while (listener.config().isAutoRead()) {
      accepted.add(accept(listener));
    }
    assertEquals(HttpConnections.MOST_UNSETTLED, accepted.size());

    HttpBounds.spare(accepted.getFirst());

    assertTrue(listener.config().isAutoRead());
    accept(listener);
    assertFalse(listener.config().isAutoRead());
    accepted.get(1).register();
    opened.add(accepted.get(1));
    assertTrue(listener.config().isAutoRead());
  }

  private EmbeddedChannel accept(EmbeddedChannel listener) {
    EmbeddedChannel channel =
        new EmbeddedChannel(listener, DefaultChannelId.newInstance(), false, false);
    HttpBounds.bound(channel, all);
    return channel;
  }

  /** A client of HTTP/2 and the codec of the server it talks to. */
  private final class Far {
    private final EmbeddedChannel near = open();
    private final Http2ConnectionHandler server = codec(true);
    private final Http2ConnectionHandler client = codec(false);
    private final EmbeddedChannel far;

    Far() {
      near.pipeline().addLast(server);
      far = new EmbeddedChannel(client);
      others.add(far);
      exchange();
    }

    private static Http2ConnectionHandler codec(boolean server) {
      return new Http2ConnectionHandlerBuilder()
          .server(server)
          .frameListener(
              new Http2FrameAdapter() {
                @Override
                public int onDataRead(
                    ChannelHandlerContext ctx, int stream, ByteBuf data, int padding, boolean end) {
                  // Nothing is read of it: the window stays as it is until the test opens it.
                  return 0;
                }
              })
          .build();
    }

    private void exchange() {
      boolean some = true;
      while (some) {
        some = pass(far, near) | pass(near, far);
      }
    }

    private static boolean pass(EmbeddedChannel from, EmbeddedChannel to) {
      boolean some = false;
      for (ByteBuf bytes = from.readOutbound(); bytes != null; bytes = from.readOutbound()) {
        to.writeInbound(bytes);
        some = true;
      }
      return some;
    }

    private static ChannelHandlerContext context(EmbeddedChannel channel) {
      return channel.pipeline().context(Http2ConnectionHandler.class);
    }

    private static void headers(
        EmbeddedChannel channel, Http2ConnectionHandler codec, boolean whole) {
      var ctx = context(channel);
      codec
          .encoder()
          .writeHeaders(
              ctx,
              1,
              new DefaultHttp2Headers().method("POST").scheme("http").path("/"),
              0,
              whole,
              ctx.newPromise());
      ctx.flush();
    }

    /** Opens a stream. */
    void ask(boolean whole) {
      headers(far, client, whole);
      exchange();
    }

    void answerBegins() {
      headers(near, server, false);
      exchange();
    }

    void answerEnds() {
      headers(near, server, true);
      exchange();
    }

    /** More than the other side lets come at first. */
    void answerWith(int bytes) {
      var ctx = context(near);
      headers(near, server, false);
      server
          .encoder()
          .writeData(ctx, 1, Unpooled.wrappedBuffer(new byte[bytes]), 0, true, ctx.newPromise());
      server.flush(ctx);
      exchange();
    }

    void takesNothing() throws Http2Exception {
      var ctx = context(far);
      client
          .encoder()
          .writeSettings(ctx, new Http2Settings().initialWindowSize(0), ctx.newPromise());
      ctx.flush();
      exchange();
    }

    /** Lets as much more come. */
    void takeWhatCame() throws Http2Exception {
      var flow = client.connection().local().flowController();
      var stream = client.connection().stream(1);
      assertTrue(flow.unconsumedBytes(stream) > 0);
      flow.consumeBytes(stream, flow.unconsumedBytes(stream));
      context(far).flush();
      exchange();
    }

    void ping() {
      var ctx = context(far);
      client.encoder().writePing(ctx, false, 1, ctx.newPromise());
      ctx.flush();
      exchange();
    }
  }
}
