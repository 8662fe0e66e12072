package io.minikafka.bench;

import com.sun.management.UnixOperatingSystemMXBean;
import io.minikafka.client.ServerAddress;
import io.minikafka.protocol.ErrorCode;
import io.minikafka.protocol.Frames;
import io.minikafka.protocol.Hello;
import java.io.EOFException;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * Many connections that have said Hello, as clients do, and then say nothing. Without threads of
 * their own. One thread; closing it closes them all.
 */
public final class IdleConnections implements AutoCloseable {
  /** What this process keeps for everything else. */
  private static final int OTHER_DESCRIPTORS = 1_000;

  /**
   * Of one address, fewer than it has ports: closed ones keep theirs for a minute. On the loopback
   * network the next ones come from the next address.
   */
  private static final int PER_ADDRESS = 10_000;

  private static final int LARGEST_ANSWER_BYTES = 64 << 10;

  private final InetSocketAddress server;
  private final ByteBuffer hello;
  private final ByteBuffer answer =
      ByteBuffer.allocateDirect(LARGEST_ANSWER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
  private final List<SocketChannel> open = new ArrayList<>();

  /** All that were ever opened. */
  private int count;

  public IdleConnections(ServerAddress server) {
    this.server = new InetSocketAddress(server.host(), server.port());
    this.hello = Frames.request(Hello.V1, 0, new Hello.Request("minikafka-bench-idle", ""));
  }

  /** So many of those wanted as one process may have open, with 1,000 to spare. */
  public static int most(int wanted) {
    long limit =
        ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
            ? system.getMaxFileDescriptorCount()
            : Integer.MAX_VALUE;
    return most(wanted, limit);
  }

  static int most(int wanted, long descriptors) {
    return Math.clamp(descriptors - OTHER_DESCRIPTORS, 1, wanted);
  }

  /** So many more. */
  public void open(int more) throws IOException {
    for (int i = 0; i < more; i++) {
      SocketChannel channel = SocketChannel.open();
      open.add(channel);
      try {
        bind(channel);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.connect(server);
        count++;
        hello.rewind();
        FloorServer.writeFully(channel, hello);
        readAnswer(channel);
      } catch (IOException e) {
        throw new IOException(
            "idle connection %d of %d: %s".formatted(i + 1, more, e.getMessage()), e);
      }
    }
  }

  private void bind(SocketChannel channel) throws IOException {
    int address = count / PER_ADDRESS;
    if (address > 0 && server.getAddress().isLoopbackAddress()) {
      byte[] bytes = {127, 0, 0, (byte) (1 + address % 250)};
      channel.bind(new InetSocketAddress(InetAddress.getByAddress(bytes), 0));
    }
  }

  private void readAnswer(SocketChannel channel) throws IOException {
    read(channel, Frames.LENGTH_BYTES);
    int length = answer.getInt(0);
    if (length < Frames.RESPONSE_HEADER_BYTES || length > LARGEST_ANSWER_BYTES) {
      throw new IOException("an answer of %d bytes".formatted(length));
    }
    read(channel, length);
    ErrorCode error = ErrorCode.of(Short.toUnsignedInt(answer.getShort(Integer.BYTES)));
    if (error != ErrorCode.NONE) {
      throw new IOException("the broker answered " + error);
    }
  }

  private void read(SocketChannel channel, int bytes) throws IOException {
    answer.clear().limit(bytes);
    while (answer.hasRemaining()) {
      if (channel.read(answer) < 0) {
        throw new EOFException("the broker closed it (minikafka.net.max-connections?)");
      }
    }
  }

  /** The same frame on each of them; its answers are not read. */
  void write(ByteBuffer frame) throws IOException {
    for (SocketChannel channel : open) {
      FloorServer.writeFully(channel, frame);
    }
  }

  @Override
  public void close() throws IOException {
    List<SocketChannel> all = List.copyOf(open);
    open.clear();
    for (SocketChannel channel : all) {
      channel.close();
    }
  }
}
