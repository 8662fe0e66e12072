package io.minikafka.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import io.minikafka.Caller;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the kernel is told of the socket that answers go out through. */
class SendBufferTest extends DataPortHarness {
  /** No kernel has it by itself, and each allows it. */
  private static final int BYTES = 96 << 10;

  private static NioEventLoopGroup loops;

  @BeforeAll
  static void startLoop() {
    loops = new NioEventLoopGroup(1);
  }

  @AfterAll
  static void stopLoop() throws Exception {
    loops.shutdownGracefully(0, 20, TimeUnit.SECONDS).sync();
  }

  @Test
  void socketGetsTheSendBufferOfTheSettings() throws Exception {
    assertEquals(BYTES, sendBufferBytes(BYTES));
  }

  @Test
  void zeroLeavesTheSendBufferToTheKernel() throws Exception {
    assertNotEquals(BYTES, sendBufferBytes(0));
    assertEquals(sendBufferBytesOfTheKernel(), sendBufferBytes(0));
  }

  /** Of the socket of a connection that has begun. */
  private int sendBufferBytes(int wanted) throws Exception {
    DataServer server =
        new DataServer(
            vertx, with(settings(), wanted), memory, broker.dispatcher, timers, observed, CLOCK);
    DataPort port = new DataPort(server, 0);
    try (ServerSocketChannel listener = listen();
        SocketChannel client = SocketChannel.open(listener.getLocalAddress())) {
      SocketChannel accepted = listener.accept();
      NioSocketChannel channel = new NioSocketChannel(accepted);
      channel.pipeline().addLast("end", new ChannelInboundHandlerAdapter());
      loops.register(channel).sync();
      channel
          .eventLoop()
          .submit(
              () ->
                  new Connection(
                          port,
                          channel.pipeline().context("end"),
                          new Caller(1, Caller.ANONYMOUS, "", "127.0.0.1"),
                          String.valueOf(client.socket().getLocalSocketAddress()))
                      .begin())
          .sync();
      int bytes = accepted.getOption(StandardSocketOptions.SO_SNDBUF);
      channel.close().sync();
      return bytes;
    }
  }

  private static int sendBufferBytesOfTheKernel() throws Exception {
    try (ServerSocketChannel listener = listen();
        SocketChannel client = SocketChannel.open(listener.getLocalAddress());
        SocketChannel accepted = listener.accept()) {
      assertEquals(client.getLocalAddress(), accepted.getRemoteAddress());
      return accepted.getOption(StandardSocketOptions.SO_SNDBUF);
    }
  }

  private static ServerSocketChannel listen() throws Exception {
    return ServerSocketChannel.open()
        .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
  }

  private static NetSettings with(NetSettings most, int sendBufferBytes) {
    return new NetSettings(
        most.host(),
        most.port(),
        most.eventLoops(),
        most.maxFrameBytes(),
        most.maxConnections(),
        most.idleTimeoutMs(),
        most.frameTimeoutMs(),
        most.sendTimeoutMs(),
        most.connectionInFlightBytes(),
        most.totalInFlightBytes(),
        most.sendfileMinBytes(),
        sendBufferBytes);
  }
}
