package io.minikafka.bench;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * The other end of a floor: a thread that serves one connection over the loopback address,
 * blocking, until the client closes it. Sockets are set as a data port's are: no delay, large
 * buffers.
 */
final class FloorServer implements AutoCloseable {
  private static final int SOCKET_BUFFER_BYTES = 4 << 20;

  /** Serves one connection; ends with an exception when that is closed. */
  interface Service {
    void serve(SocketChannel connection) throws IOException;
  }

  private final ServerSocketChannel server;

  private FloorServer(ServerSocketChannel server) {
    this.server = server;
  }

  static FloorServer start(Service service) throws IOException {
    ServerSocketChannel server = ServerSocketChannel.open();
    server.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
    FloorServer started = new FloorServer(server);
    Thread.ofPlatform().daemon().name("bench-floor").start(() -> started.serve(service));
    return started;
  }

  SocketChannel connect() throws IOException {
    SocketChannel channel = SocketChannel.open();
    set(channel);
    channel.connect(server.getLocalAddress());
    return channel;
  }

  private void serve(Service service) {
    try (SocketChannel connection = server.accept()) {
      set(connection);
      service.serve(connection);
    } catch (IOException e) {
      // The client has closed the connection, which is how a floor ends.
    }
  }

  private static void set(SocketChannel channel) throws IOException {
    channel.setOption(StandardSocketOptions.SO_SNDBUF, SOCKET_BUFFER_BYTES);
    channel.setOption(StandardSocketOptions.SO_RCVBUF, SOCKET_BUFFER_BYTES);
    channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
  }

  /** Fills the buffer. */
  static void readFully(SocketChannel channel, ByteBuffer into) throws IOException {
    into.clear();
    while (into.hasRemaining()) {
      if (channel.read(into) < 0) {
        throw new java.io.EOFException("the other end closed the connection");
      }
    }
    into.flip();
  }

  /** Sends the whole buffer, which stays as it is. */
  static void writeFully(SocketChannel channel, ByteBuffer from) throws IOException {
    from.rewind();
    while (from.hasRemaining()) {
      channel.write(from);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
